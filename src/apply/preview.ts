import type { Current } from "../current/known.js";
import { kinds } from "../kinds/index.js";
import { kindFinder } from "../kinds/kindOf.js";
import type { Resource } from "../manifest/resource.js";
import { type Checked, type Diagnostic, hasErrors, strictly } from "../model/diagnostic.js";
import { countPeople, countsPeople, notCounted } from "../people/count.js";
import { readPeopleAhead } from "../people/editedRules.js";
import { guardAsking } from "../people/guardAsking.js";
import { leftOutOf } from "../people/leftOut.js";
import { listsAhead } from "../people/listsAhead.js";
import { withSeen } from "../people/withSeen.js";
import type { AppliedWhen } from "../plan/estimate.js";
import { finish, withFound } from "../plan/finish.js";
import { NO_GUARD_FACTS, ownFindings } from "../plan/guards/own/findings.js";
import { hearNames } from "../plan/names/heardNames.js";
import { NAMED_SORTS, nameIds } from "../plan/names/nameIds.js";
import type { Plan } from "../plan/plan.js";
import type { Recalled, Request } from "../plan/request.js";
import { type Unmanaged, unmanagedIn } from "../plan/unmanaged/unmanaged.js";
import { plan as makePlan, type PlanOptions } from "../reconcile.js";
import { belongingOf, foreignIn, namingOf } from "./belonging.js";
import { unappliedBefore } from "./lastApplied.js";
import { recall } from "./recall.js";
import type { Session } from "./session.js";
import { stoppable, untilAborted } from "./stop.js";

/** What a caller of `plan` may listen to and stop. */
export interface Planning {
  /** Hears how many calls were made. */
  readonly progress?: (done: number, total: number) => void;
  /** Hears the plan before its people are counted, where there is something to count; it is waited for. */
  readonly planned?: (plan: Plan) => Promise<void>;
  /** Hears what is not managed among the lists that the plan reads anyway; never where a part of the project is planned. */
  readonly foundUnmanaged?: (found: Unmanaged) => void;
  /** Hears what was seen of each object that the plan is about. */
  readonly seen?: PlanOptions["seen"];
  /** Ends the plan: it rejects with the signal's reason, and no further call is sent. */
  readonly signal?: AbortSignal;
}

/** Of a request for the steps alone: without the history, the people and the names of ids. */
export const STEPS_ALONE = {
  history: { since: null, reviewed: null, mainline: null },
  optional: { counting: null, nameCalls: 0 },
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
    const says = (made: Plan | null) => {
      const foreign =
        naming === null || made === null ? [] : foreignIn(belongingOf(made, snapshot), snapshot, "warning");
      return [...before, ...(foreign.length > 0 ? foreign : (naming?.notes ?? []))];
    };
    const planned = { ...planning, stateSays: says };
    const made = await planFrom(naming?.request ?? request, state.value, reading, planned, "later");
    return { value: made.value, diagnostics: [...says(made.value), ...made.diagnostics] };
  });
}

/** A plan from a state that is known. With `strict`, a warning is an error, and an error leaves no plan. */
export async function planFrom(
  request: Request,
  recalled: Recalled,
  { client }: Pick<Session, "client">,
  {
    progress = () => undefined,
    planned,
    foundUnmanaged,
    seen,
    stateSays = () => [],
  }: Omit<Planning, "signal"> & {
    /** What the state says of a plan. */
    readonly stateSays?: (plan: Plan) => readonly Diagnostic[];
  },
  appliedWhen: AppliedWhen,
): Promise<Checked<Plan | null>> {
  const kindOf = kindFinder(kinds);
  let isMade = false;
  let objects: Current["objects"] = new Map();
  let resources: readonly Resource[] = [];
  const shown = client === null ? null : hearNames(client, NAMED_SORTS);
  const people = client === null ? null : listsAhead(client);
  const made = await makePlan(request, recalled, shown === null ? null : shown.client, {
    appliedWhen,
    // Where manifests have mistakes, reads that began before may end after the plan.
    progress(done, total) {
      if (!isMade) progress(done, total);
    },
    ...(foundUnmanaged && { foundUnmanaged: (found) => foundUnmanaged(unmanagedIn(found)) }),
    loaded(manifests) {
      if (people !== null) readPeopleAhead(manifests, request, recalled.snapshot, people);
    },
    seen(found, project) {
      [objects, resources] = [found, project];
      seen?.(found, project);
    },
  });
  isMade = true;
  const judged = judgedAs(made, request);
  if (judged.value === null) return judged;
  const { rules } = request;
  const { counting, nameCalls } = request.optional;
  const { found = [] } = request.project;
  const steps = judged.value;
  const unapplied = await unappliedBefore(steps, request, recalled.snapshot);
  const context = request.project.manifests.contexts?.current ?? null;
  const isCounted = people !== null && counting !== null;
  // A rule that stays may ask for what a changed one gives.
  const all = withSeen(steps, objects);
  let facts = NO_GUARD_FACTS;
  const guards = guardAsking(request, resources, (heard) => {
    facts = heard;
  });
  const naming = async () => {
    const names = shown === null ? null : await nameIds(steps, kindOf, shown.client, nameCalls, shown);
    const learned = { context, unapplied, names, impact: null };
    if (isCounted && countsPeople(steps, kindOf))
      await planned?.(finish(steps, learned, kindOf, rules).value);
    return learned;
  };
  const [learned, impact] = await Promise.all([
    naming(),
    isCounted
      ? countPeople(all, kindOf, people.client, counting, {
          ...{ progress, guards },
          leftOut: leftOutOf(resources, all, recalled.snapshot, request.project.manifests.apps ?? {}),
        })
      : notCounted(steps, kindOf),
  ]);
  const own = ownFindings({ ...steps, impact }, facts, kindOf, rules);
  const finished = finish(steps, { ...learned, impact }, kindOf, rules, own.findings);
  const diagnostics = [...judged.diagnostics, ...finished.diagnostics, ...own.notes];
  const value = withFound(finished.value, [...stateSays(finished.value), ...found, ...diagnostics]);
  return judgedAs({ value, diagnostics }, request);
}

/** With `strict`, a warning is an error. An error leaves no plan. */
function judgedAs(
  { value, diagnostics: found }: Checked<Plan | null>,
  { project: { manifests } }: Request,
): Checked<Plan | null> {
  const diagnostics = manifests.strict === true ? strictly(found) : found;
  return { value: hasErrors(diagnostics) ? null : value, diagnostics };
}
