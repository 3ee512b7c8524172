import type { Recorder } from "../apply/event.js";
import { kinds } from "../kinds/index.js";
import type { Address } from "../model/address.js";
import { type Checked, type Diagnostic, hasErrors } from "../model/diagnostic.js";
import { mayBeAcknowledged } from "../plan/acknowledge.js";
import { isPending } from "../plan/calls.js";
import { effectOf, isWriting } from "../plan/effect.js";
import { findingsNow } from "../plan/findingsNow.js";
import type { Finding, Plan } from "../plan/plan.js";
import type { SettingDifference } from "../plan/settings.js";
import type { Thawed } from "../plan/thaw.js";
import { type Applied, apply as applyPlan, type Recalled, type Request } from "../reconcile.js";
import { isUnnamed } from "../state/belonging.js";
import type { Snapshot } from "../state/snapshot.js";
import type { Lock, Owner } from "../state/store.js";
import { blockedIn, openIn, otherIntent, refusals, unexpected } from "./check.js";
import { confirmedDone } from "./confirmedDone.js";
import { recordLanding } from "./landing.js";
import { belongingOf, foreignIn, namingOf } from "./naming.js";
import { otherSources } from "./otherSources.js";
import { planFrom } from "./plan.js";
import { recallUnderLock } from "./recall.js";
import { grown, recount } from "./recount.js";
import { type Continuation, continuationOf } from "./repeat.js";
import type { Session } from "./session.js";
import { stoppable, untilAborted } from "./stop.js";

/** A plan, its effect, and what was found on the way to it. */
interface Considered extends Pick<Thawed, "plan" | "effect"> {
  readonly diagnostics: readonly Diagnostic[];
}

/** A plan just before it is applied. */
export interface Candidate extends Considered {
  /** Why nothing is applied, whatever a reviewer says: findings without an acknowledgement, and blocked steps. */
  readonly open: readonly Diagnostic[];
  /** What an apply leaves out, because it is blocked. */
  readonly leftOut: readonly Diagnostic[];
  /** What the working tree decides otherwise than the settings in force: a person has to agree to it. */
  readonly intent: readonly SettingDifference[];
  /** Objects of a state without a project's name that have no manifest in this project: a person has to say whose they are. */
  readonly foreign: readonly Diagnostic[];
}

/** What is applied, and under which conditions. */
export interface Order {
  /** What is in force: server, interface, guards, acknowledgements; and the manifests that a new plan is made from. */
  readonly request: Request;
  /** A plan that is applied exactly as it is; null where a new one is made. */
  readonly plan: Thawed | null;
  /** The effect that the plan must have, together with what is done of it already; null for any. */
  readonly expected: string | null;
  /** Whether nothing is applied while a step is blocked; otherwise the rest is applied. */
  readonly isAllOrNothing: boolean;
  /** Who asks for the lock, and for how many milliseconds. */
  readonly owner: Owner;
  readonly lockTimeout: number;
  /** The folder of the project in its checkout, whose last applied commit the state records; null to record none. */
  readonly landing: string | null;
  /** Names that nothing else has: of a new state, and of this run. */
  readonly lineage: string;
  readonly run: string;
  /** Sees every plan before it is applied, and says whether to go on. */
  readonly review: (candidate: Candidate) => Promise<boolean>;
  /** Whether the review asks a person about `intent` and `foreign`. Where it does not, each of them refuses the apply. */
  readonly asksAboutIntent: boolean;
  /** Hears how many calls were made for a new plan. */
  readonly progress?: (done: number, total: number) => void;
  /** Hears a new plan before its people are counted. */
  readonly planned?: (plan: Plan) => Promise<void>;
  /** Hears every event of the apply, and is waited for. */
  readonly listener: Recorder;
  /**
   * Ends the session once it aborts. Before the first write, the session rejects with the signal's reason, and its lock
   * is free. From then on, it starts nothing more and finishes the calls in flight.
   */
  readonly interrupt: AbortSignal;
}

/** What a session that applies came to. */
export type SessionResult =
  /** Nothing was applied; `by` names the stage that ended the session. */
  | {
      readonly as: "refused";
      readonly by: "recovery" | "planning" | "check" | "review";
      readonly diagnostics: readonly Diagnostic[];
      /** The plan that was made, where its effect is not the expected one; null for any other refusal. */
      readonly unexpected: Plan | null;
    }
  /** There was nothing to do. */
  | ({ readonly as: "unchanged" } & Considered)
  /** Everything that was asked for was done before. */
  | ({ readonly as: "already applied" } & Considered)
  | ({ readonly as: "applied" } & Considered & Applied);

/**
 * One apply, from acquiring the lock to releasing it: recover, plan, check, review, apply. Refuses a plan whose seal is
 * wrong, which is for another server or another state, which is stale, or which has an open finding. Throws a
 * `StateError` where the lock is not free or the store cannot be read.
 */
export async function apply(order: Order, session: Session): Promise<SessionResult> {
  const { owner, lockTimeout, interrupt } = order;
  session.client?.signIn();
  const lock = await session.store.lock(owner, { timeout: lockTimeout, signal: interrupt });
  try {
    return await applyUnderLock(order, session, lock);
  } finally {
    await lock.release();
  }
}

async function applyUnderLock(order: Order, session: Session, lock: Lock): Promise<SessionResult> {
  const state = await recallUnderLock(session, order.request, lock, order.interrupt);
  const recovered = state.diagnostics;
  if (hasErrors(recovered)) return refusal("recovery", recovered);
  const naming = namingOf(order.request, state.value.snapshot);
  if (naming === null) return recordEnd(order, await applyRecalled(order, session, lock, state), state, lock);
  if (naming.refused.length > 0) return refusal("check", [...recovered, ...naming.refused]);
  const own = { ...order, request: naming.request };
  const diagnostics = [...recovered, ...naming.notes];
  return recordEnd(own, await applyRecalled(own, session, lock, { ...state, diagnostics }), state, lock);
}

/** Records the commit of an apply that left nothing and where its manifests stand, and names a state by its project. */
async function recordEnd(
  { landing, lineage, request, plan: saved }: Order,
  result: SessionResult,
  state: Checked<Recalled>,
  lock: Lock,
): Promise<SessionResult> {
  if (result.as === "refused") return result;
  const snapshot = result.as === "applied" ? result.snapshot : state.value.snapshot;
  // A saved plan does not say what of the project it was selected from, nor where its manifests stand now.
  const isNew = saved === null && (result.as !== "applied" || result.fault === null);
  const folder = saved === null && leavesNothing(result) ? landing : null;
  const project = nameFor(request, result.plan, snapshot);
  const placed = isNew ? result.plan.steps : [];
  const ended = { folder, plan: result.plan, placed, request, project, snapshot, lineage };
  const unrecorded = await recordLanding(ended, lock);
  return { ...result, diagnostics: [...result.diagnostics, ...unrecorded] };
}

/** The name that a state takes: where it is new, and where a plan shows that all of it is this project's. */
function nameFor({ project }: Request, plan: Plan, snapshot: Snapshot | null): string | null {
  return !isUnnamed(snapshot, project) || belongingOf(plan, snapshot).isAll ? project : null;
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
  const intent = request.settings.differences.filter(({ effect }) => effect === "intent");
  const { snapshot } = state.value;
  const foreign = isUnnamed(snapshot, request.project)
    ? foreignIn(belongingOf(plan, snapshot), snapshot, "error")
    : [];
  const open = [
    ...openIn(chosen.findings),
    ...(isAllOrNothing ? blocked : []),
    ...(order.asksAboutIntent ? [] : [...foreign, ...otherIntent(intent, request.settings)]),
  ];
  const candidate = { ...told, open, leftOut: isAllOrNothing ? [] : blocked, intent, foreign };
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
  return { as: "applied", ...told, ...applied };
}

type Refusal = Extract<SessionResult, { readonly as: "refused" }>;

function refusal(
  by: Refusal["by"],
  diagnostics: Refusal["diagnostics"],
  unexpected: Plan | null = null,
): Refusal {
  return { as: "refused", by, diagnostics, unexpected };
}

/** Whether exactly what is asked for is done already: a plan that was saved, or one that is expected. */
function isRepeated({ plan: saved, expected }: Order, { plan, applying }: Continuation): boolean {
  const asked = saved === null ? expected : effectOf(saved.plan);
  return applying.isComplete && applying.effect === asked && !plan.steps.some(isWriting);
}

/** The steps to be done, and when their plan began to read the tenant; null where the plan was saved. */
type Chosen = Continuation & {
  readonly plannedAt: number | null;
  /** What the steps trip, by the limits and acknowledgements in force now. */
  readonly findings: readonly Finding[];
};

type Choice =
  | (Chosen & { readonly diagnostics: readonly Diagnostic[] })
  | ({ readonly plan: null } & Pick<Refusal, "by" | "diagnostics" | "unexpected">);

/** The saved plan, or a new one, where it is the expected plan and belongs to this server and this state. */
async function choose(
  { request, plan: saved, expected, progress, planned }: Order,
  session: Session,
  recalled: Recalled,
): Promise<Choice> {
  const before = recalled.snapshot?.applying ?? null;
  if (saved !== null) {
    const refused = refusals(saved, request, recalled.snapshot);
    const sources = refused.length > 0 ? [] : await otherSources(saved.plan, request, recalled, session);
    const faults = [...refused, ...sources, ...unexpected(saved.plan, before, expected)];
    if (faults.length > 0) return { plan: null, ...refusal("check", faults) };
    const done = await confirmedDone(saved.plan, before, session);
    const continued = continuationOf(saved.plan, done, true);
    const impact = await recount(continued.plan, request, session.client);
    const more = grown(continued.plan, impact);
    if (more.length > 0) return { plan: null, ...refusal("check", more) };
    const findings = findingsNow({ ...continued.plan, impact }, kinds, { ...request, ...recalled });
    return { ...continued, plannedAt: null, findings, diagnostics: [] };
  }
  const plannedAt = session.clock.elapsed();
  const planning = {
    ...(progress !== undefined && { progress }),
    ...(planned !== undefined && { planned }),
  };
  const { value: plan, diagnostics } = await planFrom(request, recalled, session, planning, "at once");
  if (plan === null) return { plan, ...refusal("planning", diagnostics) };
  const faults = unexpected(plan, before, expected);
  if (faults.length > 0) return { plan: null, ...refusal("check", [...diagnostics, ...faults], plan) };
  return { ...continuationOf(plan, before, false), plannedAt, findings: plan.findings, diagnostics };
}

function carryOut(
  { request, lineage, run, listener, interrupt }: Order,
  { store, client, clock, requestTimeout }: Session,
  {
    isOwn,
    ...candidate
  }: Omit<Chosen, "findings"> & {
    readonly snapshot: Snapshot | null;
    /** Whether a person said that the state is this project's. */
    readonly isOwn: boolean;
  },
  lock: Lock,
): Promise<Applied> {
  if (client === null) throw new Error("an apply needs a client");
  const { acknowledgements } = request;
  const mayReplaceUnseen = (address: Address) =>
    mayBeAcknowledged("unknown-current", address, acknowledgements, request);
  const ports = { client, clock, rhythm: store.rhythm, patience: requestTimeout, listener, interrupt };
  const project = isOwn ? request.project : nameFor(request, candidate.plan, candidate.snapshot);
  return applyPlan({ ...candidate, ...ports, project, mayReplaceUnseen, lineage, run }, lock);
}
