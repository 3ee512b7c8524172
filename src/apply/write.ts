import { ours } from "../diff/own.js";
import type { Kind, Work } from "../kinds/kind.js";
import { type Diagnostic, hasErrors } from "../model/diagnostic.js";
import type { Json, JsonObject } from "../model/json.js";
import type { Key } from "../model/key.js";
import { verbOf } from "../plan/calls.js";
import { afterUncertain, notListedYet } from "../plan/decide/uncertain.js";
import {
  createdWith,
  madeAt,
  notKeptIn,
  recordOf,
  recordOfSent,
  type StepRecord,
} from "../plan/record/record.js";
import { deedOf, type Step } from "../plan/step.js";
import { StateError } from "../state/store.js";
import { ApiError } from "../tenant/client/error.js";
import { hidden } from "../tenant/kindReads.js";
import type { Present, Seen } from "../tenant/known.js";
import { say } from "../words/say.js";
import { makeBeforeSending, type Readiness, Withdrawn } from "./beforeSending.js";
import { asOfCall, type StepContext, type Unmade } from "./context.js";
import { type Delivery, deliver } from "./deliver.js";
import { fill } from "./fill.js";
import {
  asWritten,
  isAddedIn,
  isShownInParts,
  lateSince,
  lookBack,
  writtenBy,
  writtenUntil,
} from "./lateParts.js";
import { partlyShown, type StepResult } from "./settle.js";
import { asFound, doubt, failedBy, mayHaveAdded, replacedBy } from "./unfinished.js";

/** How far the calls of a step have come. */
interface StepProgress {
  readonly key: Key | null;
  readonly replies: readonly Json[];
  /** When the first call left, where it was answered. */
  readonly leftAt: number | null;
  /** The object as it was read back, where a reply was lost. */
  readonly found: Present | null;
  readonly diagnostics: readonly Diagnostic[];
  /** Whether the last reply was not the documented one: what it does not show counts as sent. */
  readonly isStrange: boolean;
  /** Whether the service refused no call: an object that a refused create found is not remit's. */
  readonly isOurs: boolean;
  /** Whether the service refused a call because the tenant was so before. */
  readonly wasSo: boolean;
}

/**
 * Makes a step's calls in order, each with its intent recorded before it leaves, and says what came of them. Where an
 * earlier apply made the object, `first` is that object, and the first call is not made again.
 */
export async function write(
  planned: Step,
  context: StepContext,
  first: Readiness | Present,
): Promise<StepResult> {
  const { kind } = context;
  let step = planned;
  const made = "moved" in first ? null : first;
  let progress: StepProgress = {
    key: made?.key ?? step.key,
    replies: made === null ? [] : [null],
    leftAt: null,
    found: made,
    diagnostics: [],
    isStrange: false,
    isOurs: true,
    wasSo: false,
  };
  for (const place of [...step.calls.keys()].slice(progress.replies.length)) {
    if (made !== null && isAddedIn(made.fields, step, place)) {
      progress = { ...progress, replies: [...progress.replies, null] };
      continue;
    }
    if (step.calls[place]?.awaits !== undefined) {
      const others = await context.ring(progress.key);
      if ("need" in others) return missed(asOfCall(step, place - 1), others, progress, context);
      step = others;
    }
    const now = asOfCall(step, place);
    const readiness = place === 0 && "moved" in first ? first : null;
    const delivery = await deliverCall(now, place, progress, readiness, context).catch((error) =>
      stopped(now, error, progress, context),
    );
    if ("outcome" in delivery) return delivery;
    const next = advance(now, place, delivery, progress, kind, workOf(now));
    if (next === null) return fail(now, place, delivery, progress, context);
    progress = next;
    const attempts = delivery.as === "answered" ? delivery.reply.attempts : delivery.error.attempts;
    await context.record({
      type: "answered",
      address: step.address,
      call: place,
      of: step.calls.length,
      attempts,
      key: progress.key,
      ...requestOf(delivery),
      ...writtenUntil(now, place + 1, kind),
    });
  }
  return finish(step, progress, workOf(step), context);
}

/** How a step of a ring ends whose others did not come to be: its object stays as its first write left it. */
async function missed(
  step: Step,
  { need, outcome }: Unmade,
  { key, replies, diagnostics }: StepProgress,
  context: StepContext,
): Promise<StepResult> {
  const { span } = step.managed;
  const seen = context.readBack === null ? null : await context.readBack(key);
  const record = seen?.as === "absent" ? null : asFound(step, seen, replies.length, context);
  const why = [say("apply/skipped", { need, outcome }, { span }), unfinished(step)];
  return { outcome: "failed", key, record, diagnostics: [...diagnostics, ...why] };
}

/** What the service calls the request of a delivery, where it says so. */
function requestOf(delivery: Delivery): { readonly requestId?: string } {
  const id = delivery.as === "answered" ? delivery.reply.requestId?.() : delivery.error.requestId;
  return id === undefined || id === null ? {} : { requestId: id };
}

function workOf(step: Step): Work {
  const { key, before, after } = step;
  const { identity, owned } = step.managed;
  const verb = verbOf(step);
  if (verb === null) throw new Error("a step that writes nothing has no calls");
  return { verb, key, identity, before, after: after ?? {}, fields: owned };
}

async function deliverCall(
  step: Step,
  place: number,
  { key, replies }: StepProgress,
  readiness: Readiness | null,
  context: StepContext,
): Promise<Delivery> {
  const { kind, service, patience, pause, untilLast, halt, tell, readBack } = context;
  const call = step.calls[place];
  if (call === undefined) throw new Error("a step has no such call");
  const { address } = step;
  try {
    return await deliver(fill(call, replies, key), {
      kind,
      applied: ours(step.after ?? {}, step.managed.owned),
      patience,
      pause,
      looking: (milliseconds, why) => tell({ type: "looking", address, milliseconds, why }),
      untilLast,
      isEnding: () => halt.reason() !== null,
      send: service.send,
      serverTime: service.serverTime,
      leaving: makeBeforeSending({ step, place, key, readiness }, context),
      retried: (retry) => tell({ type: "retried", address, ...retry }),
      readBack: readBack === null ? null : (sent) => readBack(key, sent),
    });
  } catch (error) {
    if (error instanceof ApiError) return { as: "failed", error };
    throw error;
  }
}

/** How a step ends whose call did not leave; throws any other error. */
function stopped(
  step: Step,
  error: unknown,
  { key, replies, found }: StepProgress,
  context: StepContext,
): StepResult {
  if (error instanceof Withdrawn) return error.how;
  if (!(error instanceof StateError)) throw error;
  context.halt.fail(error);
  const { diagnostic } = error;
  if (replies.length === 0) return { outcome: "failed", key, record: null, diagnostics: [diagnostic] };
  const record = asFound(step, found, replies.length, context);
  return { outcome: "failed", key, record, diagnostics: [diagnostic, unfinished(step)] };
}

function unfinished({ managed: { span } }: Step): Diagnostic {
  return say("apply/unfinished", {}, { span });
}

/** What is known after a call that did its work; null where it did not, or cannot be said to have. */
function advance(
  step: Step,
  place: number,
  delivery: Delivery,
  before: StepProgress,
  kind: Kind,
  work: Work,
): StepProgress | null {
  const { replies, diagnostics } = before;
  const { span } = step.managed;
  switch (delivery.as) {
    case "answered": {
      const all = [...replies, delivery.reply.body];
      const key = before.key ?? kind.answer(work, all)?.key ?? null;
      const { strange, leftAt } = delivery;
      const more = strange === null ? [] : [say("apply/strange-reply", { problem: strange }, { span })];
      return {
        ...before,
        key,
        replies: all,
        leftAt: place === 0 ? leftAt : before.leftAt,
        diagnostics: [...diagnostics, ...more],
        isStrange: strange !== null,
      };
    }
    case "settled": {
      const { settled, error } = delivery;
      const isLast = place === step.calls.length - 1;
      const isByIt = isMadeBy(error, kind);
      const isIt = settled.as === "there" || (settled.as === "different" && !isLast && isByIt);
      if (!isIt) return null;
      const isOurs = before.isOurs && isByIt;
      const wasSo = !isByIt;
      const more = [...diagnostics, say(wasSo ? "apply/already-so#there" : "apply/settled", {}, { span })];
      return {
        key: settled.seen.key,
        replies: [...replies, null],
        leftAt: null,
        found: settled.seen,
        diagnostics: more,
        isStrange: false,
        isOurs,
        wasSo,
      };
    }
    case "failed": {
      const { status, own } = delivery.error;
      const isGone = step.calls[place]?.method === "DELETE" && status === 404 && own;
      if (!isGone) return null;
      // Within an update, only a part was gone: an earlier try of the call may have deleted it.
      const isWhole = step.action === "delete";
      const more = [...diagnostics, say(`apply/already-so#${isWhole ? "gone" : "partGone"}`, {}, { span })];
      return {
        ...before,
        replies: [...replies, null],
        diagnostics: more,
        ...(isWhole ? { wasSo: true } : {}),
      };
    }
    default:
      return delivery satisfies never;
  }
}

/**
 * Whether an object that was found after a create without a clear answer is the one that it made. Where names repeat, it
 * was found by its time. Elsewhere an object that the service says exists was there before; any other was not, because
 * each create is sent on a read that shows none.
 */
function isMadeBy({ isConflict }: ApiError, { namesRepeat }: Kind): boolean {
  return namesRepeat === true || !isConflict;
}

async function finish(
  step: Step,
  progress: StepProgress,
  work: Work,
  context: StepContext,
): Promise<StepResult> {
  const { key, replies, diagnostics } = progress;
  const { span } = step.managed;
  const already = progress.wasSo ? ({ alreadySo: true } as const) : {};
  if (step.action === "delete") return { outcome: "done", key, record: null, ...already, diagnostics };
  const { kind, readBack } = context;
  const told = kind.answer(work, replies);
  const isUnclear = progress.isStrange || (told !== undefined && hidden(kind, told) !== null);
  // Replies to the calls of parts show nothing of them.
  const isInParts = isShownInParts(kind);
  const isReadBetter = replies.at(-1) === null || ((isUnclear || isInParts) && readBack !== null);
  const observed = isReadBetter ? undefined : told;
  const shownFields = (fields: JsonObject) =>
    asWritten(progress.isStrange ? partlyShown(fields, work.after, kind) : fields, step, kind);
  const shown =
    observed === undefined
      ? ((isInParts ? null : progress.found) ?? presentIn(await lookBack(step, key, context)))
      : { ...observed, fields: shownFields(observed.fields) };
  const created = progress.isOurs ? createdWith({ ...step.managed, deed: deedOf(step) }, kind) : {};
  const written = Object.keys(writtenBy(step, step.calls.length, kind));
  const late = lateSince(written, context.patience.clock.now());
  const record = { ...recordOf(step, shown?.fields ?? null, kind), ...madeAt(shown), ...created, ...late };
  const notKept = notKeptIn(record, kind.shape).map((field) => say("apply/not-kept", { field }, { span }));
  const older = replacedBy(step, told, progress.leftAt, context);
  const severity = context.mayReplaceUnseen ? "warning" : "error";
  const replaced =
    older === null ? [] : [say("apply/replaced", { noun: kind.noun.one, madeAt: older }, { span, severity })];
  const found = [...replaced, ...notKept];
  return {
    outcome: hasErrors(found) ? "failed" : "done",
    key: key ?? told?.key ?? null,
    record,
    ...already,
    diagnostics: [...diagnostics, ...found],
  };
}

function presentIn(seen: Seen | null): Present | null {
  return seen?.as === "present" ? seen : null;
}

/** What is left behind by a step whose call at that place did not do its work. */
async function fail(
  step: Step,
  place: number,
  delivery: Delivery,
  { key, diagnostics }: StepProgress,
  context: StepContext,
): Promise<StepResult> {
  const failed = (record: StepRecord | null, ...more: readonly Diagnostic[]): StepResult => ({
    outcome: "failed",
    key,
    record,
    diagnostics: [...diagnostics, ...more],
  });
  if (delivery.as === "answered") throw new Error("a call that was answered has not failed");
  const { error } = delivery;
  if (place > 0 || mayHaveAdded(step, error, context)) {
    const seen = context.readBack === null ? null : await context.readBack(key);
    const record = seen?.as === "absent" ? null : asFound(step, seen, place, context);
    return failed(record, failedBy(error, step), unfinished(step));
  }
  // What a refused create found is not remit's: the next plan reads it, or asks before it writes it.
  const exists = deedOf(step) === "create" && error.isConflict ? { existing: error.message } : {};
  if (delivery.as === "failed") {
    return { ...failed(doubt(step, error, context), failedBy(error, step)), ...exists };
  }
  const { settled } = delivery;
  const { span } = step.managed;
  const uncertain = (why: string): StepResult => {
    const values = { why, next: afterUncertain(step) };
    const applied = ours(step.after ?? {}, step.managed.owned);
    const record = recordOfSent({ ...step.managed, applied, deed: deedOf(step) }, context.kind);
    const since = new Date(delivery.since).toISOString();
    const diagnostics = [say("apply/uncertain#created", values, { span })];
    return { outcome: "uncertain", key, record, since, diagnostics };
  };
  switch (settled.as) {
    case "unknown":
      return uncertain(settled.why);
    case "there":
    case "different": {
      const fields = settled.as === "different" ? settled.fields.join(", ") : "";
      const record = isMadeBy(error, context.kind) ? asFound(step, settled.seen, 0, context) : null;
      return {
        ...failed(record, say("apply/different", { fields }, { span })),
        key: settled.seen.key,
        ...exists,
      };
    }
    case "missing":
      if (context.kind.namesRepeat) return uncertain(notListedYet(error.message));
      return failed(null, failedBy(error, step));
    default:
      return settled satisfies never;
  }
}
