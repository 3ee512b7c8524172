import type { Client } from "../../api/client.js";
import { kinds } from "../../kinds/index.js";
import { kindFinder } from "../../kinds/kindOf.js";
import { type Checked, type Diagnostic, hasErrors, strictly } from "../../model/diagnostic.js";
import type { AppliedWhen } from "../../plan/estimate.js";
import { guardPeople } from "../../plan/guards/guards.js";
import type { Counting } from "../../plan/people/counting.js";
import { type Plan, pendingIn } from "../../plan/plan.js";
import { type Unmanaged, unmanagedIn } from "../../plan/unmanaged/unmanaged.js";
import { plan as makePlan, type Recalled, type Request } from "../../reconcile.js";
import { belongingOf, foreignIn, namingOf } from "../apply/belonging.js";
import { withUnapplied } from "../lastApplied.js";
import { countPeople, countsPeople } from "../people/count.js";
import { recall } from "../recall.js";
import type { Session } from "../session.js";
import { stoppable, untilAborted } from "../stop.js";
import { nameIds } from "./nameIds.js";

/** What a caller of `plan` may listen to and stop. */
export interface Planning {
  /** Hears how many calls were made. */
  readonly progress?: (done: number, total: number) => void;
  /** Hears the plan before its people are counted, where there is something to count; it is waited for. */
  readonly planned?: (plan: Plan) => Promise<void>;
  /** Hears what is not managed among the lists that the plan reads anyway; never where a part of the project is planned. */
  readonly foundUnmanaged?: (found: Unmanaged) => void;
  /** Ends the plan: it rejects with the signal's reason, and no further call is sent. */
  readonly signal?: AbortSignal;
}

/** Of a request for the steps alone: without the history, the people and the names of ids. */
export const STEPS_ALONE = {
  since: null,
  mainline: null,
  counting: null,
  nameCalls: 0,
} as const satisfies Partial<Request>;

/**
 * What an apply would change. Takes no lock and writes nothing to the store. Null where an error leaves no whole plan.
 * Throws a `StateError` for a store that cannot be read.
 */
export async function plan(
  request: Request,
  session: Session,
  planning: Planning = {},
): Promise<Checked<Plan | null>> {
  return untilAborted(planning.signal, async () => {
    const { mode } = request;
    const reading = stoppable(mode.offline ? { ...session, client: null } : session, planning.signal);
    reading.client?.signIn();
    const state = await recall(reading, request);
    if (hasErrors(state.diagnostics)) return { value: null, diagnostics: state.diagnostics };
    const { snapshot } = state.value;
    const naming = namingOf(request, snapshot);
    const before = [...state.diagnostics, ...(naming?.refused ?? [])];
    if (hasErrors(before)) return { value: null, diagnostics: before };
    const made = await planFrom(naming?.request ?? request, state.value, reading, planning, "later");
    const foreign =
      naming === null || made.value === null
        ? []
        : foreignIn(belongingOf(made.value, snapshot), snapshot, "warning");
    const notes = foreign.length > 0 ? foreign : (naming?.notes ?? []);
    const found = [...before, ...notes];
    const value = made.value === null ? null : withFound(made.value, found);
    return { value, diagnostics: [...found, ...made.diagnostics] };
  });
}

/** A plan from a state that is known. With `strict`, a warning is an error, and an error leaves no plan. */
export async function planFrom(
  request: Request,
  recalled: Recalled,
  { client }: Pick<Session, "client">,
  { progress = () => undefined, planned, foundUnmanaged }: Omit<Planning, "signal">,
  appliedWhen: AppliedWhen,
): Promise<Checked<Plan | null>> {
  const kindOf = kindFinder(kinds);
  let isMade = false;
  const made = await makePlan(request, recalled, client, {
    appliedWhen,
    // Where manifests have mistakes, reads that began before may end after the plan.
    progress(done, total) {
      if (!isMade) progress(done, total);
    },
    ...(foundUnmanaged && { foundUnmanaged: (found) => foundUnmanaged(unmanagedIn(found)) }),
  });
  isMade = true;
  const judged = judgedAs(made, request);
  if (judged.value === null) return judged;
  const { counting } = request;
  const isCounted = client !== null && counting !== null;
  const withHistory = await withUnapplied(judged.value, request, recalled.snapshot);
  const named = client === null ? withHistory : await nameIds(withHistory, kindOf, client, request.nameCalls);
  if (isCounted && countsPeople(named, kindOf)) await planned?.(named);
  const counted = isCounted ? await withImpact(named, client, counting, progress) : named;
  const guarded = guardPeople(counted.steps, counted.impact, {
    interface: counted.interface,
    mode: counted.mode,
    kindOf,
    rules: request.rules,
    pending: pendingIn(counted),
  });
  const diagnostics = [...judged.diagnostics, ...guarded.diagnostics];
  const value = { ...counted, findings: [...counted.findings, ...guarded.value] };
  return judgedAs(
    { value: withFound(value, [...(request.found ?? []), ...diagnostics]), diagnostics },
    request,
  );
}

/** The plan with what was found on the way to it, before what it says already. */
function withFound(plan: Plan, found: readonly Diagnostic[]): Plan {
  const diagnostics = [...found, ...(plan.diagnostics ?? [])];
  return diagnostics.length === 0 ? plan : { ...plan, diagnostics };
}

/** With `strict`, a warning is an error. An error leaves no plan. */
function judgedAs(
  { value, diagnostics: found }: Checked<Plan | null>,
  { manifests }: Request,
): Checked<Plan | null> {
  const diagnostics = manifests.strict === true ? strictly(found) : found;
  return { value: hasErrors(diagnostics) ? null : value, diagnostics };
}

/** The plan with what it means for people. Counting changes nothing else but the number of calls that were made. */
async function withImpact(
  plan: Plan,
  client: Client,
  counting: Counting,
  progress: NonNullable<Planning["progress"]>,
): Promise<Plan> {
  const impact = await countPeople(plan, kindFinder(kinds), client, counting, progress);
  if (impact === null) return plan;
  const { made, ahead } = plan.calls;
  const people = Object.values(impact.calls).reduce((sum, calls) => sum + calls, 0);
  return { ...plan, impact, calls: { made: { ...made, people }, ahead } };
}
