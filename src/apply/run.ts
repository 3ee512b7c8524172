import { kinds } from "../kinds/index.js";
import type { Address } from "../model/address.js";
import { type Checked, type Diagnostic, hasErrors } from "../model/diagnostic.js";
import { isPending } from "../plan/calls.js";
import { FIRST_RUN, mayBeAcknowledged } from "../plan/guards/acknowledge.js";
import { findingsNow } from "../plan/guards/findingsNow.js";
import type { Finding, Planned } from "../plan/plan.js";
import type { Recalled } from "../plan/request.js";
import { effectOf, isWriting } from "../plan/saved/effect.js";
import { plan as planFrom } from "../reconcile.js";
import { isUnnamed } from "../state/belonging.js";
import type { Lock, StoreWait } from "../state/store.js";
import { say } from "../words/say.js";
import { confirmedApplying } from "./again/confirmed.js";
import { type ContinuedPlan, continuedPlan, continuedSteps, withFound } from "./again/continued.js";
import { otherSources } from "./again/otherSources.js";
import { grown, peopleNow } from "./again/peopleNow.js";
import { belongingOf, foreignIn, nameFor, namingOf } from "./belonging.js";
import { type Applied, apply as applyPlan, type Task } from "./carryOut.js";
import { blockedIn, openIn, otherIntent, refusals, unexpected, withoutParent } from "./check.js";
import { storeWaits } from "./event.js";
import { onceIntended } from "./firstIntent.js";
import { hearSteps } from "./heardSteps.js";
import { withLastApplied } from "./lastApplied.js";
import type { Order, PlanForReview } from "./order.js";
import { recallUnderLock } from "./recall.js";
import { endingWithRecord } from "./recordedRun.js";
import { type Session, tenantOf } from "./session.js";
import { stoppable, untilAborted } from "./stop.js";
import { type Unkept, underLock, type WorkResult, withAnswers } from "./underLock.js";

/** What every result says of the plan that it is about. */
type Told = Pick<PlanForReview, "plan" | "effect" | "diagnostics">;

/** What a session that applies came to. */
export type SessionResult =
  /** Nothing was applied; `by` names the stage that ended the session. */
  | {
      readonly as: "refused";
      readonly by: "recovery" | "planning" | "check" | "review";
      readonly diagnostics: readonly Diagnostic[];
      /** The plan that was made, where its effect is not the expected one; null for any other refusal. */
      readonly unexpected: Planned | null;
    }
  /** There was nothing to do. */
  | ({ readonly as: "unchanged" } & Told)
  /** Everything that was asked for was done before. */
  | ({ readonly as: "already applied" } & Told)
  | ({
      readonly as: "applied";
      /** The file with answers that the store did not take; null where it has all of them. */
      readonly rescue: string | null;
    } & Told &
      Applied);

/**
 * One apply, from acquiring the lock to releasing it: recover, plan, check, review, apply. Refuses a plan whose seal is
 * wrong, which is for another server or another state, which is stale, or which has an open finding. Throws a
 * `StateError` where the lock is not free or the store cannot be read.
 */
export async function apply(order: Order, session: Session): Promise<SessionResult> {
  const { owner, lockTimeout: timeout, interrupt: signal, run, rescue, listener } = order;
  session.client?.signIn();
  const told = (wait: StoreWait) => void listener(storeWaits(wait));
  const asking = { owner, timeout, signal, run, rescue, told };
  // A lock that a person waits for is acquired before, and so is that of a run that plans anew under it.
  const isLazy = !order.asksAboutIntent;
  const held = onceIntended(listener);
  const own = isLazy ? { ...order, listener: held.listener } : order;
  const first = await underLock(session.store, { ...asking, isLazy }, (lock) =>
    applyUnderLock(own, session, lock, []),
  );
  await held.end(first !== null);
  const done = first ?? (await again());
  if (done === null) throw new Error("a lock that is acquired at once cannot be missed later");
  const { value, unkept } = done;
  return unkept === null ? value : withUnkept(value, unkept);

  function again() {
    const found = [PLANNED_AGAIN];
    return underLock(session.store, { ...asking, isLazy: false }, (lock) =>
      applyUnderLock(order, session, lock, found),
    );
  }
}

const PLANNED_AGAIN: Diagnostic = say("state/planned-again");

/** What an apply came to whose end could not be kept. */
function withUnkept(result: SessionResult, unkept: Unkept): SessionResult {
  const told = withAnswers(unkept.error.diagnostic, unkept);
  if (result.as === "applied") return { ...result, fault: told, rescue: unkept.rescue };
  // All that was applied is recorded: the next run finds that nothing is left of it.
  return { ...result, diagnostics: [...result.diagnostics, { ...told, severity: "warning" }] };
}

async function applyUnderLock(
  order: Order,
  session: Session,
  lock: Lock,
  found: readonly Diagnostic[],
): Promise<WorkResult<SessionResult>> {
  const heard = hearSteps(order.listener);
  const result = await applyHeard({ ...order, listener: heard.listener }, session, lock, found);
  if (result.value.as !== "applied") return result;
  const { value, ending } = result;
  return { value, ending: endingWithRecord(ending, value, order, heard, lock, session) };
}

async function applyHeard(
  order: Order,
  session: Session,
  lock: Lock,
  found: readonly Diagnostic[],
): Promise<WorkResult<SessionResult>> {
  const recalled = await recallUnderLock(session, order.request, lock, order.interrupt);
  const state = { ...recalled, diagnostics: [...found, ...recalled.diagnostics] };
  const recovered = state.diagnostics;
  if (hasErrors(recovered)) return { value: refusal("recovery", recovered), ending: {} };
  const naming = namingOf(order.request, state.value.snapshot);
  if (naming === null) return ended(order, await applyRecalled(order, session, lock, state), state);
  if (naming.refused.length > 0)
    return { value: refusal("check", [...recovered, ...naming.refused]), ending: {} };
  const own = { ...order, request: naming.request };
  const diagnostics = [...recovered, ...naming.notes];
  return ended(own, await applyRecalled(own, session, lock, { ...state, diagnostics }), state);
}

/**
 * Adds to what is kept the commit of an apply that left nothing, where its manifests stand, and the project's name in a
 * state of this project.
 */
function ended(
  { appliedFolder, lineage, request, plan: saved }: Order,
  value: SessionResult,
  state: Checked<Recalled>,
): WorkResult<SessionResult> {
  if (value.as === "refused") return { value, ending: {} };
  const snapshot = value.as === "applied" ? value.snapshot : state.value.snapshot;
  const ending = value.as === "applied" ? value.ending : {};
  // Another run has the lock, or keeps another state.
  if (value.as === "applied" && snapshot === null) return { value, ending };
  // A saved plan does not say what of the project it was selected from, nor where its manifests stand now.
  const isNew = saved === null && (value.as !== "applied" || value.fault === null);
  const folder = saved === null && leavesNothing(value) ? appliedFolder : null;
  const project = nameFor(request, value.plan, snapshot);
  const { steps } = value.plan;
  const placed = isNew ? steps : [];
  const labelled = steps.filter(({ action }) => action === "keep");
  const recorded = withLastApplied({
    folder,
    plan: value.plan,
    placed,
    labelled,
    request,
    project,
    snapshot,
    lineage,
  });
  if (recorded === null) return { value, ending };
  const isOpen = (ending.snapshot ?? null) !== null;
  return {
    value,
    ending: { ...ending, snapshot: isOpen ? recorded : { ...recorded, serial: recorded.serial + 1 } },
  };
}

/** Whether nothing is left of what an apply was for. */
function leavesNothing(result: SessionResult): result is Exclude<SessionResult, Refusal> {
  if (result.as === "refused" || result.plan.steps.some(({ action }) => action === "blocked")) return false;
  if (result.as !== "applied") return true;
  const { done: _, ...others } = result.summary.outcomes;
  return result.fault === null && Object.values(others).every((count) => count === 0);
}

async function applyRecalled(
  order: Order,
  session: Session,
  lock: Lock,
  state: Checked<Recalled>,
): Promise<SessionResult> {
  const { request } = order;
  const recovered = state.diagnostics;
  const { interrupt } = order;
  const chosen = await untilAborted(interrupt, () =>
    choose(order, stoppable(session, interrupt), state.value),
  );
  const found = [...recovered, ...chosen.diagnostics];
  if (chosen.plan === null) return refusal(chosen.by, found, chosen.unexpected);

  const { applying, plan, plannedAt } = chosen;
  const told = { plan, effect: effectOf(plan), diagnostics: found };
  if (isRepeated(order, chosen)) return { as: "already applied", ...told, effect: applying.effect };
  const { isAllOrNothing } = order;
  const blocked = blockedIn(plan, isAllOrNothing);
  const intent = request.rules.settings.differences.filter(({ effect }) => effect === "intent");
  const { snapshot } = state.value;
  const foreign = isUnnamed(snapshot, request.project.name)
    ? foreignIn(belongingOf(plan, snapshot), snapshot, "error")
    : [];
  const asked = order.asksAboutIntent ? chosen.findings.filter(isOpenFirstRun) : [];
  const open = [
    ...openIn(chosen.findings.filter((one) => !asked.includes(one))),
    ...(isAllOrNothing ? blocked : []),
    ...(order.asksAboutIntent ? [] : [...foreign, ...otherIntent(intent, request.rules.settings)]),
  ];
  const candidate = { ...told, open, leftOut: isAllOrNothing ? [] : blocked, intent, foreign, asked };
  const isWanted = await untilAborted(interrupt, () => order.review(candidate));
  if (open.length > 0) return refusal("check", [...found, ...open]);
  if (!plan.steps.some(({ action }) => isPending(action))) return { as: "unchanged", ...told };
  if (!isWanted) return refusal("review", found);

  const applied = await carryOut(
    order,
    session,
    { plan, applying, plannedAt, snapshot, isOwn: foreign.length > 0 },
    lock,
  );
  return { as: "applied", ...told, ...applied, rescue: null };
}

/** Whether a finding is of a first run that no one answers for: a person at a terminal is asked about it. */
function isOpenFirstRun({ guard, acknowledged }: Finding): boolean {
  return guard === FIRST_RUN && acknowledged === null;
}

type Refusal = Extract<SessionResult, { readonly as: "refused" }>;

function refusal(
  by: Refusal["by"],
  diagnostics: Refusal["diagnostics"],
  unexpected: Planned | null = null,
): Refusal {
  return { as: "refused", by, diagnostics, unexpected };
}

/** Whether exactly what is asked for is done already: a plan that was saved, or one that is expected. */
function isRepeated({ plan: saved, expected }: Order, { plan, applying }: ContinuedPlan): boolean {
  const asked = saved === null ? expected : effectOf(saved.plan);
  return applying.isComplete && applying.effect === asked && !plan.steps.some(isWriting);
}

/** The steps to be done, or why there are none. */
type StepsToDo =
  | (ContinuedPlan &
      Pick<Task, "plannedAt"> & {
        /** What the steps trip, by the limits and acknowledgements in force now. */
        readonly findings: readonly Finding[];
        readonly diagnostics: readonly Diagnostic[];
      })
  | ({ readonly plan: null } & Pick<Refusal, "by" | "diagnostics" | "unexpected">);

/** The saved plan, or a new one, where it is the expected plan and belongs to this server and this state. */
async function choose(
  { request, plan: saved, expected, mergedAt, progress, planned }: Order,
  session: Session,
  recalled: Recalled,
): Promise<StepsToDo> {
  const told = recalled.snapshot?.applying ?? null;
  if (saved !== null) {
    const refused = refusals(saved, request, recalled.snapshot);
    const sources = refused.length > 0 ? [] : await otherSources(saved.plan, request, recalled, session);
    const { applying: before, unconfirmed } = await confirmedApplying(
      { plan: saved.plan, isSaved: true, isRecorded: false, mergedAt },
      told,
      session,
    );
    const faults = [...refused, ...sources, ...unexpected(saved.plan, before, expected)];
    if (faults.length > 0) return { plan: null, ...refusal("check", [...unconfirmed, ...faults]) };
    const done = await continuedSteps(saved.plan, before, session);
    if (done.refused.length > 0) return { plan: null, ...refusal("check", done.refused) };
    const continued = continuedPlan(saved.plan, done.applying, true);
    const forged = withoutParent(continued.plan, continued.applying);
    if (forged.length > 0) return { plan: null, ...refusal("check", forged) };
    const { impact, own } = await peopleNow(continued.plan, request, recalled.snapshot, session.client);
    const more = grown(continued.plan, impact);
    if (more.length > 0) return { plan: null, ...refusal("check", more) };
    const found = findingsNow({ ...continued.plan, impact }, kinds, {
      ...recalled,
      rules: request.rules,
      interface: request.tenant.interface,
    });
    return { ...continued, plannedAt: null, findings: [...found, ...own], diagnostics: [] };
  }
  const plannedAt = session.clock.elapsed();
  const planning = {
    ...(progress !== undefined && { progress }),
    ...(planned !== undefined && { planned }),
  };
  const { value: plan, diagnostics } = await planFrom(
    request,
    recalled,
    tenantOf(session),
    "at once",
    planning,
  );
  if (plan === null) return { plan, ...refusal("planning", diagnostics) };
  const { applying: before, unconfirmed } =
    expected === null
      ? { applying: told, unconfirmed: [] }
      : await confirmedApplying(
          { plan, isSaved: false, isRecorded: request.history.isRecorded === true, mergedAt },
          withFound(plan, recalled.snapshot),
          session,
        );
  const faults = unexpected(plan, before, expected);
  if (faults.length > 0)
    return { plan: null, ...refusal("check", [...diagnostics, ...unconfirmed, ...faults], plan) };
  return { ...continuedPlan(plan, before, false), plannedAt, findings: plan.findings, diagnostics };
}

function carryOut(
  { request, lineage, run, listener, interrupt }: Order,
  { store, client, clock, requestTimeout: patience, createLag }: Session,
  {
    isOwn,
    ...work
  }: Pick<Task, "plan" | "applying" | "plannedAt" | "snapshot"> & {
    /** Whether a person said that the state is this project's. */
    readonly isOwn: boolean;
  },
  lock: Lock,
): Promise<Applied> {
  if (client === null) throw new Error("an apply needs a client");
  const { rules } = request;
  const mayReplaceUnseen = (address: Address) => mayBeAcknowledged("unknown-current", address, rules);
  const ports = { client, clock, rhythm: store.rhythm, patience, createLag, listener, interrupt };
  const project = isOwn ? request.project.name : nameFor(request, work.plan, work.snapshot);
  return applyPlan({ ...work, ...ports, project, mayReplaceUnseen, lineage, run }, lock);
}
