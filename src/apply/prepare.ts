import { isFindable } from "../kinds/listing.js";
import type { Diagnostic } from "../model/diagnostic.js";
import { same } from "../model/json.js";
import { rebuildCalls, writes } from "../plan/calls.js";
import { afterUncertain } from "../plan/decide/uncertain.js";
import { isSeenOnce } from "../plan/freshness.js";
import { proofOf, recordProofOf } from "../plan/record/proof.js";
import { madeAt, recordOf, recordOfAdopted, type StepRecord } from "../plan/record/record.js";
import { isStillTrue } from "../plan/saved/stillTrue.js";
import { deedOf, type Step } from "../plan/step.js";
import type { Seen } from "../tenant/known.js";
import { say } from "../words/say.js";
import { isAlreadySo } from "./alreadySo.js";
import { leftFor, unkept } from "./beforeSending.js";
import { type Begun, isAsLeft } from "./begun.js";
import type { StepContext } from "./context.js";
import type { Outcome } from "./event.js";
import { intend, mayWait } from "./intend.js";
import type { RecentRead } from "./reads/recentReads.js";
import type { StepResult } from "./settle.js";
import { write } from "./write.js";

/** What became of a step before its turn: it has ended without a write, or is ready to write. */
type Prepared =
  | { readonly as: "ended"; readonly how: StepResult }
  | { readonly as: "ready"; readonly write: () => Promise<StepResult> };

/**
 * Prepares one step as far as possible without a turn. A write is made only on the object that the plan was made on, so
 * an object that changed since is refused. Its intent is recorded now if it may wait. Throws for neither service nor
 * disk.
 */
export async function prepare(step: Step, context: StepContext): Promise<Prepared> {
  const { halt, readBefore, readBack, patience, isAhead, earlyIntents } = context;
  const ended = endWithoutRead(step, context);
  if (ended !== null) return { as: "ended", how: ended };
  const isWrite = writes(step);
  const { begun } = context;
  if (begun !== null) return { as: "ready", write: () => finishCreate(step, begun, context) };
  // What was read before the intent is written is too old after that where the store writes seldom.
  const isReadLater = isWrite && isAhead;
  let recent = readBefore === null ? UNSEEN : isReadLater ? UNREAD : await readBefore.withoutTurn();
  // What is too old for a write is read again in its turn.
  const how = isWrite && isOld(recent) ? null : obstacle(step, recent, context);
  if (how !== null) return { as: "ended", how };
  if (!isWrite) {
    const record = deedOf(step) === "adopt" ? adopted(step, recent.seen, context) : null;
    return { as: "ended", how: end(step, "done", record) };
  }

  const reason = halt.reason();
  if (reason !== null) return { as: "ended", how: leftFor(step, reason.why) };
  const record = () => intend(step, 0, step.key, context);
  try {
    const intent = mayWait(step, context) ? await record() : null;
    const waiting = intent === null && readBack !== null ? earlyIntents.wait(record) : null;
    return {
      as: "ready",
      async write() {
        await untilShown(step, context);
        const early = await waiting?.turn().catch((error) => unkept(step, error, context));
        if (early != null && "outcome" in early) return early;
        return write(step, context, { intent: early ?? intent, moved });
      },
    };
  } catch (error) {
    return { as: "ended", how: unkept(step, error, context) };
  }

  function isOld({ until }: RecentRead): boolean {
    return patience.clock.elapsed() > until;
  }

  async function moved(): Promise<StepResult | null> {
    if (readBefore === null || !isOld(recent)) return null;
    recent = await readBefore.inTurn();
    return obstacle(step, recent, context);
  }
}

/** Between two looks at whether the run is interrupted. */
const LONGEST_PAUSE = 4_000;

/** Waits until the service shows what was written before the run, where the state cannot tell it from a change of others. */
async function untilShown(
  step: Step,
  { kind, shownAt, patience: { clock }, halt, tell, pause }: StepContext,
) {
  if (!writes(step) || !isSeenOnce(step, kind)) return;
  const left = () => shownAt - clock.elapsed();
  const why = "the state has no record of its owners";
  if (left() > 0) tell({ type: "looking", address: step.address, milliseconds: left(), why });
  while (left() > 0 && halt.reason() === null) await pause(Math.min(left(), LONGEST_PAUSE));
}

/** Makes the calls that are left of a create, if its object is as the earlier apply left it, or as the step wants it. */
async function finishCreate(step: Step, { key, left }: Begun, context: StepContext): Promise<StepResult> {
  const seen = context.readBack === null ? null : await context.readBack(key);
  const ended = { key: null, record: null } as const;
  if (seen?.as === "unread") return { outcome: "failed", ...ended, diagnostics: [seen.diagnostic] };
  if (seen?.as !== "present" || !isAsLeft(seen, left, step))
    return {
      outcome: "refused",
      ...ended,
      diagnostics: [say("plan/stale#object", {}, { span: step.managed.span })],
    };
  return write(step, context, seen);
}

/** What an adoption records; one of drift alone keeps when the object was made that the last apply left. */
function adopted(step: Step, seen: Seen | null, { entry, kind }: StepContext): StepRecord {
  return { ...madeAt(seen?.as === "present" ? seen : null), ...recordOfAdopted(step, entry, kind) };
}

/** What is seen where nothing can be read; it does not change. */
const UNSEEN: RecentRead = { seen: { as: "recorded", fields: null }, until: Number.POSITIVE_INFINITY };

/** What is not read yet counts for no time. */
const UNREAD: RecentRead = { seen: null, until: Number.NEGATIVE_INFINITY };

/** How a step ends whatever is there; null for one that goes on. */
function endWithoutRead(step: Step, { kind, readBefore, uncertain }: StepContext): StepResult | null {
  const { span } = step.managed;
  // A plan that was saved may name members in another order.
  const awaits = step.calls.flatMap((call) => call.awaits ?? []);
  if (!same(step.calls, rebuildCalls(step, kind, awaits))) {
    return end(step, "refused", null, say("plan/other-calls#apply", {}, { span }));
  }
  const isUnseen = readBefore === null || !isFindable(kind, step.key);
  if (isUnseen && uncertain !== null && deedOf(step) === "create") {
    return end(step, "refused", null, stillUncertain(step));
  }
  return null;
}

/** What stands in the way of a step, by what was seen; null when nothing does. */
function obstacle(step: Step, recent: RecentRead, context: StepContext): StepResult | null {
  const { kind, entry, uncertain } = context;
  const { span } = step.managed;
  const seen = asPlannedUnseen(step, recent.seen);
  if (seen?.as === "unread") return end(step, "failed", null, seen.diagnostic);
  // A list may lag behind the create that was sent before.
  const isHidden = seen?.as === "absent" && kind.namesRepeat === true && uncertain !== null;
  if (isHidden && deedOf(step) === "create") return end(step, "refused", null, stillUncertain(step));
  if (seen !== null && proofOf(seen, entry) !== step.sight.fingerprint) {
    if (!isAlreadySo(step, seen, kind)) {
      const refused = end(step, "refused", null, say("plan/stale#object", {}, { span }));
      if (deedOf(step) !== "create" || seen.as !== "present") return refused;
      return { ...refused, key: seen.key, existing: "a read just before its create showed it" };
    }
    const record = seen.as === "present" ? { ...recordOf(step, seen.fields, kind), ...madeAt(seen) } : null;
    const done = {
      ...end(step, "done", record, say("apply/already-so#values", {}, { span })),
      alreadySo: true,
    } as const;
    return seen.as === "present" ? { ...done, key: seen.key } : done;
  }
  if (recordProofOf(entry) !== step.recorded.record)
    return end(step, "refused", null, say("plan/stale#record", {}, { span }));
  if (seen !== null && !isStillTrue(step, context, seen)) {
    return end(step, "refused", null, say("plan/other-changes#apply", {}, { span }));
  }
  return null;
}

function stillUncertain(step: Step): Diagnostic {
  return say("apply/uncertain#still", { next: afterUncertain(step) }, { span: step.managed.span });
}

/** What was seen; a create that was planned offline expects that nothing is there, which the plan calls unknown. */
function asPlannedUnseen(step: Step, seen: Seen | null): Seen | null {
  const isExpected = deedOf(step) === "create" && step.sight.fingerprint === null && seen?.as === "absent";
  return isExpected ? { as: "recorded", fields: null } : seen;
}

function end(
  { key }: Step,
  outcome: Outcome,
  record: StepRecord | null,
  ...diagnostics: readonly Diagnostic[]
): StepResult {
  return { outcome, key, record, diagnostics };
}
