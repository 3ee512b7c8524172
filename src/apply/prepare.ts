import type { Seen } from "../current/world.js";
import { compare } from "../diff/compare.js";
import type { Kind } from "../kinds/kind.js";
import type { Diagnostic } from "../model/diagnostic.js";
import { same } from "../model/json.js";
import { rebuildCalls, writes } from "../plan/calls.js";
import { proofOf } from "../plan/proof.js";
import { recordOf, type StepRecord } from "../plan/record.js";
import type { Step } from "../plan/step.js";
import type { StepContext, StepResult } from "./context.js";
import { leftFor, unkept } from "./departure.js";
import { diagnose } from "./diagnose.js";
import type { Outcome } from "./event.js";
import { intend, mayWait } from "./intend.js";
import type { RecentRead } from "./recentReads.js";
import { write } from "./write.js";

/** What became of a step before its turn: it has ended without a write, or is ready to write. */
export type Prepared =
  | { readonly as: "ended"; readonly how: StepResult }
  | { readonly as: "ready"; readonly write: () => Promise<StepResult> };

/**
 * Prepares one step as far as possible without a turn. A write is made only on the object that the plan was made on, so
 * an object that changed since is refused. Its intent is recorded now if it may wait. Throws for neither service nor
 * disk.
 */
export async function prepare(step: Step, context: StepContext): Promise<Prepared> {
  const { halt, readBefore: look, patience } = context;
  const ended = endWithoutLook(step, context);
  if (ended !== null) return { as: "ended", how: ended };
  let sighting = look === null ? UNSEEN : await look.withoutTurn();
  const how = obstacle(step, sighting, context);
  if (how !== null) return { as: "ended", how };

  const reason = halt.reason();
  if (reason !== null) return { as: "ended", how: leftFor(step, reason.why) };
  try {
    const intent = mayWait(step) ? await intend(step, 0, step.key, context) : null;
    return { as: "ready", write: () => write(step, context, { intent, moved }) };
  } catch (error) {
    return { as: "ended", how: unkept(step, error, context) };
  }

  async function moved(): Promise<StepResult | null> {
    if (look === null || patience.clock.elapsed() <= sighting.until) return null;
    sighting = await look.inTurn();
    return obstacle(step, sighting, context);
  }
}

/** What is seen where nothing can be read; it does not change. */
const UNSEEN: RecentRead = { seen: { as: "recorded", fields: null }, until: Number.POSITIVE_INFINITY };

/** How a step ends that never sends anything; null for a step that writes. */
function endWithoutLook(
  step: Step,
  { kind, on, readBefore: look, uncertain }: StepContext,
): StepResult | null {
  if (!writes(step.action)) {
    return end(step, "done", step.action === "adopt" ? recordOf(step, step.before, kind) : null);
  }
  // A plan that was saved may name members in another order.
  if (!same(step.calls, rebuildCalls(step, kind, on))) {
    return end(step, "refused", null, diagnose.otherCalls(step));
  }
  if (look === null && uncertain !== null && step.action === "create") {
    return end(step, "refused", null, diagnose.stillUncertain(step));
  }
  return null;
}

/** What stands in the way of a write to what was seen; null when nothing does. */
function obstacle(step: Step, { seen }: RecentRead, { kind, entry }: StepContext): StepResult | null {
  if (seen.as === "unread") return end(step, "failed", null, seen.diagnostic);
  if (proofOf(seen, entry) === step.fingerprint) return null;
  if (!isAlreadySo(step, seen, kind)) return end(step, "refused", null, diagnose.moved(step));
  const record = seen.as === "present" ? recordOf(step, seen.fields, kind) : null;
  const done = end(step, "done", record, diagnose.alreadySo(step));
  return seen.as === "present" ? { ...done, key: seen.key } : done;
}

function isAlreadySo({ action, after }: Step, seen: Seen, { shape }: Kind): boolean {
  if (action === "delete") return seen.as === "absent";
  return (
    seen.as === "present" &&
    seen.managedBy === undefined &&
    compare(seen.fields, after ?? {}, shape).length === 0
  );
}

function end(
  { key }: Step,
  outcome: Outcome,
  record: StepRecord | null,
  ...diagnostics: readonly Diagnostic[]
): StepResult {
  return { outcome, key, record, diagnostics };
}
