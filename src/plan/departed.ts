import { divideKept, placeOf } from "../diff/kept.js";
import type { Kind } from "../kinds/kind.js";
import type { JsonObject } from "../model/json.js";
import { formatPath } from "../model/path.js";
import type { Entry } from "../state/snapshot.js";
import type { Decision } from "./decide.js";
import { diagnose } from "./diagnose.js";
import { decideOrphan } from "./orphan.js";
import type { Mode } from "./plan.js";
import type { Removal } from "./removal.js";
import type { Since } from "./since.js";
import type { Situation } from "./situation.js";
import type { Reason } from "./step.js";

/** What was decided about an object without a manifest, and why it has none. */
interface Choice {
  readonly mode: Pick<Mode, "prune" | "cascade">;
  readonly removal: Removal | null;
  readonly why: Reason;
  readonly since: Since;
}

/**
 * What is done about an object that only an earlier manifest shows to be removed. It is deleted only while it is as that
 * manifest described it, unless a decision names it by its key. Null for an object that nothing can be done about: it is
 * gone, or a decision leaves it, and no state records it.
 */
export function decideDeparted(
  entry: Entry,
  situation: Situation,
  { mode, removal, why, since }: Choice,
): Decision | null {
  const { seen, kind } = situation;
  if (seen.as === "absent" || removal?.decision === "forget") return null;
  const decision = decideOrphan(entry, situation, mode, removal, why);
  const isNamed = removal !== null && removal.key !== null;
  if (decision.action !== "delete" || isNamed) return decision;
  const blocked = { ...decision, action: "blocked", before: null, driftedFrom: null, unseen: null } as const;
  if (seen.as !== "present") {
    const diagnostics = [diagnose.departedUnseen(decision, since.ref)];
    return { ...blocked, reason: "current unknown", diagnostics };
  }
  const differing = differencesIn(entry, seen.fields, kind);
  if (differing.length === 0) return decision;
  const diagnostics = [diagnose.departedDiffers(decision, since.ref, differing)];
  return { ...blocked, reason: "changed since removal", diagnostics };
}

/** The fields that a manifest wrote and that the tenant has otherwise. Only spelling that a schema declares free is equal. */
function differencesIn({ applied }: Entry, now: JsonObject, { shape }: Kind): readonly string[] {
  const { differs } = divideKept(applied, now, Object.keys(applied), shape);
  return [...new Set(differs.map((change) => formatPath(placeOf(change))))];
}
