import { isLive } from "../kinds/interface.js";
import { refName } from "../kinds/people.js";
import { policy } from "../kinds/policy.js";
import { type Approvers, approversIn } from "../kinds/policyApprovers.js";
import { textOf } from "../kinds/spelling.js";
import { formatPath } from "../model/path.js";
import { writes } from "../plan/calls.js";
import { NO_GUARD_FACTS, ownFindings } from "../plan/guards/own/findings.js";
import { readPolicies } from "../plan/guards/policies.js";
import type { Look } from "../plan/look.js";
import { nameIds } from "../plan/names/nameIds.js";
import { type Learned, NOTHING_MORE, namesIn } from "../plan/observed.js";
import type { Plan, PolicyDecides } from "../plan/plan.js";
import type { Request } from "../plan/request.js";
import { unappliedBefore } from "../plan/since/unapplied.js";
import { totalOf } from "../tenant/known.js";
import { readPeople } from "../tenant/people.js";
import type { Tenant } from "../tenant/tenant.js";
import { conflictsOf } from "./conflicts.js";
import { countPeople, countsPeople, notCounted } from "./count.js";
import { guardAsking } from "./guardAsking.js";
import { leftOutOf } from "./leftOut.js";
import { withSeen } from "./withSeen.js";

/** What is drawn while a plan is made. */
export interface Drawing {
  /** Shows how many calls were made. */
  readonly progress?: (done: number, total: number) => void;
  /** Hears what is known before people are counted, where there is something to count. */
  readonly early?: (learned: Learned) => void;
}

/** What the policies decide that a plan writes, and how many calls it took to read that. */
interface Read {
  readonly decides: readonly PolicyDecides[];
  readonly calls: number;
}

/** Asks for what is known beside the steps of a plan: names of ids, merged changes, people. */
export async function observe(
  plan: Plan,
  look: Look,
  request: Request,
  tenant: Tenant | null,
  { progress, early }: Drawing,
): Promise<Learned> {
  const { counting, nameCalls } = request.optional;
  const { manifests } = request.project;
  const { resources } = look.project;
  const { current, snapshot } = look.known;
  const unapplied = await unappliedBefore(plan, request, snapshot);
  const policies = await readPolicies(plan, look, tenant);
  const beside = { ...NOTHING_MORE, context: manifests.contexts?.current ?? null, unapplied, policies };
  if (tenant === null || counting === null) {
    const impact = notCounted(plan, conflictsIn(plan));
    const own = ownFindings({ ...plan, impact }, NO_GUARD_FACTS, look.rules);
    return { ...beside, names: await named(), impact, own };
  }
  // A rule that stays may ask for what a changed one gives.
  const all = withSeen(plan, current.objects);
  const [names, decides, { impact, facts }] = await Promise.all([
    naming(),
    policiesDecide(plan, tenant, counting.calls),
    countPeople(all, tenant, counting, {
      ...(progress !== undefined && { progress }),
      guards: guardAsking(request, resources),
      leftOut: leftOutOf(resources, all, snapshot, manifests.apps ?? {}),
      conflicts: conflictsIn(all),
    }),
  ]);
  return { ...beside, names, decides, impact, own: ownFindings({ ...plan, impact }, facts, look.rules) };

  function conflictsIn(steps: Pick<Plan, "steps">) {
    return conflictsOf(steps, resources, snapshot, manifests.apps ?? {});
  }

  async function named(): Promise<Learned["names"]> {
    if (tenant === null) return null;
    return nameIds({ ...plan, names: namesIn(plan, look) }, tenant, nameCalls);
  }

  async function naming(): Promise<Learned["names"]> {
    const names = await named();
    if (countsPeople(plan)) early?.({ ...beside, names });
    return names;
  }
}

/**
 * For how many entitlements each policy decides that a plan writes, and which of its steps then have no one who may answer,
 * within a number of calls.
 */
async function policiesDecide(
  { steps, interface: { kinds } }: Pick<Plan, "steps" | "interface">,
  tenant: Tenant,
  most: number,
): Promise<Read> {
  const written = steps.flatMap((step) =>
    step.address.kind === policy.name && writes(step) && step.after !== null
      ? [{ step, approvers: approversIn(step.after) }]
      : [],
  );
  if (written.length === 0 || !isLive(kinds, policy.name)) return { decides: [], calls: 0 };
  const reader = tenant.reader();
  const reads = readPeople(reader, most);
  const asked = written.flatMap(({ approvers }) => approvers.map(({ ask }) => ask));
  const ids = new Set(asked.flatMap((ask) => (ask.as === "users" ? ask.ids : [])));
  const groups = asked.flatMap((ask) => (ask.as === "group" ? [ask.of] : []));
  const [users, held, entitlements] = await Promise.all([
    reads.usersOf([...ids]),
    reads.held(groups),
    Promise.all(written.map(({ step: { key } }) => reads.decidedBy(key?.at(-1) ?? null))),
  ]);
  const status = new Map(users.map((user) => [textOf(user, "id"), textOf(user, "status")]));
  /** Whether someone may answer; null where that is not known. */
  const hasSomeone = ({ ask }: Approvers): boolean | null => {
    if (ask.as === "not known") return null;
    if (ask.as === "group") {
      const grants = held.get(refName(ask.of));
      return grants === undefined ? null : grants > 0;
    }
    const known = ask.ids.map((id) => status.get(id));
    if (known.includes("ENABLED")) return true;
    return known.includes(undefined) ? null : false;
  };
  const decides = written.map(({ step: { address }, approvers }, at) => {
    const pathsWhere = (answer: boolean | null) =>
      approvers.filter((one) => hasSomeone(one) === answer).map(({ path }) => formatPath(path));
    return {
      address,
      entitlements: entitlements[at] ?? null,
      noApprover: pathsWhere(false),
      notKnown: pathsWhere(null),
    };
  });
  return { decides, calls: totalOf(reader.calls()) };
}
