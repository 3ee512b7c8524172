import { showsObjects } from "../../kinds/interface.js";
import type { Entry } from "../../state/snapshot.js";
import type { Situation } from "./situation.js";

/** Why the object of a write was not seen (DESIGN §4): a closed list, each of which the guard `unknown-current` explains. */
export type WhyUnseen =
  /** Nothing can be read here, and the state has no record of the object. */
  | "never written"
  /** The same, and the service showed that the object exists. */
  | "exists"
  /** The same, and a state existed that is now missing. */
  | "state lost"
  /** The same, and an earlier write may have taken effect. */
  | "uncertain"
  /** The service could show the object, and was not asked. */
  | "not read"
  /** Nothing is known of earlier applies, and an object under another name may be the one that is meant. */
  | "may exist"
  /** The write replaces a field that the manifest does not write and that cannot be read. */
  | "unseen half";

type Sight = Pick<Situation, "seen" | "on" | "entry" | "uncertain" | "isShown" | "isStateLost">;

/** Why an object was not seen; null where this run read it, a list showed it, or the state records an answered write. */
export function whyUnseen({ seen, on, entry, uncertain, isShown, isStateLost }: Sight): WhyUnseen | null {
  if (seen.as !== "recorded") return null;
  if (showsObjects(on)) return "not read";
  if (entry !== null) return wasAnswered(entry) ? null : "uncertain";
  if (uncertain !== null) return "uncertain";
  if (isShown) return "exists";
  return isStateLost ? "state lost" : "never written";
}

/** Whether a record is of a write that the service answered: one whose only write got no answer records nothing. */
function wasAnswered({ applied, answered }: Entry): boolean {
  return answered !== null || Object.keys(applied).length > 0;
}
