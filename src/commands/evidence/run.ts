import type { RecordedStep, RunRecord, UnwrittenStep } from "../../apply/runRecord.js";
import { formatAddress } from "../../model/address.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import { same } from "../../model/json.js";
import { formatKey } from "../../model/key.js";
import { pendingAddress } from "../../model/pending.js";
import type { Planned } from "../../plan/plan.js";
import { isWriting } from "../../plan/saved/effect.js";
import { readSavedPlan } from "../../plan/saved/read.js";
import type { Step } from "../../plan/step.js";
import { many } from "../../report/text/layout.js";
import { say } from "../../words/say.js";
import { lackingApprovals, type Requirements } from "./requirements.js";
import type { RunEvidence } from "./statement.js";

/** Clocks may differ by so many milliseconds. */
const TOLERANCE = 60_000;

/** What the evidence of one run comes to. */
interface RunJudgement {
  readonly problems: readonly Diagnostic[];
  /** What nothing in the file shows, in words: it may be otherwise. */
  readonly notKnown: readonly string[];
  /** Null where it is not the one that was applied, and where this version does not read its format. */
  readonly plan: Planned | null;
  /** Whether the file shows what became of every step; that a step was not done, only the history can show. */
  readonly isProved: boolean;
}

/** What is compared with a run. */
interface Beside {
  /** The first plan with the same expected effect, where an earlier run began it: this run has the rest. */
  readonly first: Planned | "unread" | null;
  /** Whether another source than the files shows that the history has this very record. */
  readonly isInHistory: boolean;
  readonly required: Requirements;
  /** The time now, in milliseconds since 1970. */
  readonly now: number;
}

/** Compares record, plan, review and read back of one run. */
export function judgeRun(evidence: RunEvidence, { first, isInHistory, required, now }: Beside): RunJudgement {
  const { number, effect } = evidence.own.record;
  const { expected, applied } = effect;
  const problems: Diagnostic[] = [];
  if (expected === null) problems.push(say("evidence/not-approved#notExpected", { number }));
  else if (expected !== applied)
    problems.push(say("evidence/other-effect", { number, applied: applied ?? "unknown", expected }));
  if (evidence.expectedBy !== null && expected === null)
    problems.push(say("evidence/not-approved#otherExpected", { number }));
  const { value: saved, diagnostics } = readSavedPlan(JSON.stringify(evidence.plan));
  const isOtherFormat = diagnostics.some(({ code }) => OTHER_FORMATS.has(code));
  const isOf =
    saved !== null && (saved.effect === applied || (first !== null && isRestOf(saved.plan, first)));
  const plan = isOf ? saved.plan : null;
  if (plan !== null) {
    problems.push(...membersOf(evidence, plan), ...stepFaults(evidence, plan));
    problems.push(...readBackFaults(evidence, plan, required));
  } else if (!isOtherFormat) problems.push(say("evidence/other-plan#otherPlan", { number }));
  problems.push(...reviewFaults(evidence), ...timeFaults(evidence, plan, now));
  problems.push(...lackingApprovals(evidence, required));
  const unread = isOtherFormat ? ["its steps: this version does not read the format of its plan"] : [];
  const isWhole = isInHistory || undoneOf(evidence.own.record) === 0;
  const isProved = plan !== null && isWhole;
  return { problems, notKnown: [...unread, ...openIn(evidence, isInHistory)], plan, isProved };
}

/** A record may have a plan that only the remit of its time reads. */
const OTHER_FORMATS: ReadonlySet<string> = new Set(["plan/unreleased-format", "plan/newer-format"]);

/** Whether a plan has nothing but steps of another one. */
function isRestOf({ steps }: Planned, first: Planned | "unread"): boolean {
  if (first === "unread") return true;
  const names = new Set(first.steps.filter(isWriting).map(({ address }) => formatAddress(address)));
  return steps.filter(isWriting).every(({ address }) => names.has(formatAddress(address)));
}

/** What stands both in the record and beside it. */
function membersOf({ own: { record }, findings }: RunEvidence, plan: Planned): readonly Diagnostic[] {
  const { number } = record;
  const found: Diagnostic[] = [];
  if (record.commit !== plan.commit) found.push(say("evidence/other-commit", { number }));
  if (record.server !== plan.server)
    found.push(say("evidence/other-plan#otherTenant", { number, server: plan.server }));
  const spelled = plan.findings.map(({ guard, message, hash, acknowledged }) => ({
    guard,
    message,
    hash,
    acknowledged,
  }));
  if (!same(spelled, findings)) found.push(say("evidence/other-plan#otherFindings", { number }));
  return found;
}

/** Steps that the plan has otherwise, or does not have, and those that the record does not have. */
function stepFaults({ own: { record } }: RunEvidence, plan: Planned): readonly Diagnostic[] {
  const { number, steps, unwritten } = record;
  const planned = new Map(plan.steps.filter(isWriting).map((step) => [formatAddress(step.address), step]));
  const seen = new Set<string>();
  const judge = <T extends UnwrittenStep | RecordedStep>(step: T, isOf: (step: T, of: Step) => boolean) => {
    const { address } = step;
    const of = planned.get(address);
    if (of === undefined || seen.has(address)) return [say("evidence/steps#otherStep", { number, address })];
    seen.add(address);
    return isOf(step, of) ? [] : [say("evidence/steps#differentStep", { number, address })];
  };
  const found = [
    ...steps.flatMap((step) => judge(step, isStepOf)),
    ...unwritten.flatMap((step) => judge(step, isLeftOf)),
  ];
  const missing = [...planned.keys()].filter((address) => !seen.has(address));
  return [...found, ...missing.map((address) => say("evidence/steps#missingStep", { number, address }))];
}

function isLeftOf({ action, outcome }: UnwrittenStep, step: Step): boolean {
  return action === step.action && UNWRITTEN.has(outcome);
}

function isStepOf({ action, key, fields, outcome }: RecordedStep, step: Step): boolean {
  if (action !== step.action || !OUTCOMES.has(outcome)) return false;
  const isPending = step.key?.some((part) => pendingAddress(part) !== null) ?? true;
  const planned = step.key === null ? null : formatKey(step.address.kind, step.key);
  if (!isPending && key !== planned) return false;
  const names = fields.map(({ name }) => name);
  const changed = new Set(
    step.changes.flatMap(({ change }) => {
      const [field] = change.path;
      if (field !== undefined || change.type !== "choice") return [String(field ?? "")];
      return [change.from, change.to].filter((member) => member !== null);
    }),
  );
  const known = new Set([...changed, ...Object.keys(step.before ?? {}), ...Object.keys(step.after ?? {})]);
  return (
    new Set(names).size === names.length &&
    names.every((name) => known.has(name)) &&
    [...changed].every((name) => action === "delete" || action === "adopt" || names.includes(name))
  );
}

/** What an apply says of a step that it sent. */
const OUTCOMES: ReadonlySet<string> = new Set(["done", "failed", "refused", "left", "uncertain", "skipped"]);

/** What an apply says of a step of which it neither sent nor recorded anything. */
const UNWRITTEN: ReadonlySet<string> = new Set(["failed", "refused", "left", "skipped"]);

/** What is gone afterwards has nothing to be read. */
const GONE: ReadonlySet<string> = new Set(["delete", "forget"]);

function readBackFaults(
  { own: { record }, readBack }: RunEvidence,
  plan: Planned,
  required: Requirements,
): readonly Diagnostic[] {
  const { number, steps, unwritten } = record;
  const other = [say("evidence/read-back#otherReadBack", { number })];
  if (readBack === null) return required.readBack ? [say("evidence/read-back#noReadBack", { number })] : [];
  const expected = plan.steps.filter(isWriting).map(({ address }) => formatAddress(address));
  const named = readBack.objects.map(({ address }) => address);
  if (!same([...expected].sort(), [...named].sort())) return other;
  return readBack.objects.flatMap(({ address, found, sha256 }) => {
    const { action, outcome } = steps.find((step) => step.address === address) ?? {};
    const left = unwritten.find((step) => step.address === address);
    if ((sha256 === null) !== (found === "not read")) return other;
    if (outcome === "done" && found === "different")
      return [say("evidence/read-back#readDifferent", { number, address })];
    const without = left?.outcome ?? (outcome === "failed" ? outcome : null);
    if (without !== null && found === "as applied")
      return [say("evidence/read-back#readAsApplied", { number, address, outcome: without })];
    const isOpen = outcome === "done" && found === "not read" && !GONE.has(action ?? "");
    return isOpen && required.readBack ? [say("evidence/read-back#notReadBack", { number, address })] : [];
  });
}

function reviewFaults({ own: { record }, review }: RunEvidence): readonly Diagnostic[] {
  const { number, pullRequest } = record;
  if (review === null || review.number === pullRequest) return [];
  const named = pullRequest === null ? "no pull request" : `#${pullRequest}`;
  return [say("evidence/other-review", { number, named, review: review.number })];
}

/** The review comes first, then the first call, the end of the run, the read back, and now. */
function timeFaults(
  { own: { record }, firstCall, review, readBack }: RunEvidence,
  plan: Planned | null,
  now: number,
): readonly Diagnostic[] {
  const { number, at, steps } = record;
  const found: Diagnostic[] = [];
  const sent = new Set(
    plan?.steps.filter(({ calls }) => calls.length > 0).map((one) => formatAddress(one.address)),
  );
  const hasSent = steps.some(({ address }) => sent.has(address));
  if (plan !== null && hasSent !== (firstCall !== null)) found.push(say("evidence/first-call", { number }));
  const start = firstCall ?? at;
  for (const { by, at: approved } of review?.approvals ?? [])
    if (approved !== null && isAfter(approved, start))
      found.push(say("evidence/late-approval", { number, by, at: approved, firstCall: start }));
  if (firstCall !== null && isAfter(firstCall, at))
    found.push(say("evidence/clock#disorder", { number, one: "its first call", other: "its end" }));
  if (readBack !== null && isAfter(at, readBack.at))
    found.push(say("evidence/clock#disorder", { number, one: "its end", other: "its read back" }));
  const last = readBack?.at ?? at;
  if ([at, last].some((time) => Date.parse(time) > now + TOLERANCE))
    found.push(say("evidence/clock#future", { number }));
  return found;
}

/** Whether a time is certainly after another one, whatever the clocks say. */
export function isAfter(one: string, other: string): boolean {
  return Date.parse(one) > Date.parse(other) + TOLERANCE;
}

/** What the forge, the service or the record do not say of a run. */
function openIn(evidence: RunEvidence, isInHistory: boolean): readonly string[] {
  const { own, expectedBy, review, readBack } = evidence;
  const { record } = own;
  const { pullRequest, commit, by } = record;
  const approvals = review?.approvals ?? null;
  const undated = approvals?.filter(({ at }) => at === null).length ?? 0;
  const unplaced = approvals?.filter((one) => one.commit === null).length ?? 0;
  const unread = readBack?.objects.filter(({ found }) => found === "not read").length ?? 0;
  const undone = undoneOf(record);
  return [
    ...(commit === null ? ["its commit"] : []),
    ...(pullRequest === null ? ["its pull request"] : []),
    ...(approvals === null ? ["who approved it"] : approvals.length === 0 ? ["that anyone approved it"] : []),
    ...(undated === 0 ? [] : [`when ${many(undated, "approval")} came`]),
    ...(unplaced === 0 ? [] : [`of which commit ${many(unplaced, "approval")} is`]),
    ...(expectedBy === "operator" ? ["that a merge led to its effect: an operator named it"] : []),
    ...(expectedBy === null ? ["who named its effect"] : []),
    ...(by.user === null ? ["who applied it"] : []),
    ...(undone === 0
      ? []
      : [
          `that ${many(undone, "step")} took effect: the record does not say done${isInHistory ? "" : ALONE}`,
        ]),
    ...(readBack === null ? ["what it left: nothing was read back"] : []),
    ...(unread === 0 ? [] : [`what ${many(unread, "object")} became: not read back`]),
  ];
}

/** How many steps of its plan a record does not call done. */
function undoneOf({ steps, unwritten }: RunRecord): number {
  return steps.filter(({ outcome }) => outcome !== "done").length + unwritten.length;
}

const ALONE = ", and without --head nothing shows that the record is the one of the history";
