import { type Change, touches } from "../../../diff/change.js";
import { type JsonObject, same } from "../../../model/json.js";
import { formatPath, type Path, valueAt } from "../../../model/path.js";
import type { Step } from "../../../plan/step.js";
import type { Correction } from "./align.js";

/** What of an object is accepted: all that the tenant alone changed, all that it has otherwise, or some fields. */
export type Wish = "drift" | "all" | { readonly fields: readonly string[] };

/** Why a difference is not accepted. */
type KeptBecause = "edited too" | "only edited";

/** The corrections that a wish covers, and the places of those that it leaves, with why. */
interface Acceptance {
  readonly taken: readonly Correction[];
  readonly left: readonly { readonly place: Path; readonly why: KeptBecause }[];
}

/**
 * Which of the differences between a manifest and the tenant are accepted. Where both sides changed a field, only its
 * object or its own name accepts it; what only the manifest changed, its name alone.
 */
export function chooseCorrections(
  corrections: readonly Correction[],
  step: Pick<Step, "changes" | "recorded">,
  wish: Wish,
): Acceptance {
  const taken: Correction[] = [];
  const left: Acceptance["left"][number][] = [];
  for (const correction of corrections) {
    if (typeof wish === "object") {
      if (wish.fields.some((field) => isAtField(correction.place, field))) taken.push(correction);
      continue;
    }
    const causes = new Set(
      step.changes.filter(({ change }) => touches([change], placed(correction))).map(({ cause }) => cause),
    );
    const isDrift = causes.has("drifted") && causes.size === 1;
    const isTenants =
      causes.has("drifted") ||
      causes.has("both") ||
      causes.has("not kept") ||
      (causes.has("first") && step.recorded.record === null);
    if (isDrift || (wish === "all" && isTenants)) taken.push(correction);
    else if (causes.size > 0)
      left.push({ place: correction.place, why: isTenants ? "edited too" : "only edited" });
  }
  return { taken, left };
}

/**
 * The changes of a plan of drift alone, with the causes of a plan of both sides. They go from the recorded to the current
 * value: where the manifest has another value than was recorded, it was edited, too.
 */
export function withCauses(changes: Step["changes"], meant: JsonObject): Step["changes"] {
  return changes.map((one) => (isAsRecorded(one.change, meant) ? one : { ...one, cause: "both" }));
}

function isAsRecorded(change: Change, meant: JsonObject): boolean {
  // The place of a row says nothing of the manifest's order.
  if (change.path.some((part) => typeof part === "number")) return true;
  if (change.type !== "choice") return same(valueAt(meant, change.path) ?? null, change.before);
  const { path, from, before } = change;
  return from === null || same(valueAt(meant, [...path, from]) ?? null, before);
}

/** Whether a place is a field, or in it, or around it, as messages write fields. */
export function isAtField(place: Path, field: string): boolean {
  const shown = formatPath(place);
  return isInside(shown, field) || isInside(field, shown);
}

function isInside(inner: string, outer: string): boolean {
  return inner === outer || inner.startsWith(`${outer}.`) || inner.startsWith(`${outer}[`);
}

function placed({ place }: Correction): Change {
  return { type: "value", path: place, before: null, after: null };
}
