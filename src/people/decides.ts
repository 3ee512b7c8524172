import { isLive } from "../kinds/interface.js";
import { refName } from "../kinds/people.js";
import { policy } from "../kinds/policy.js";
import { type Approvers, approversIn } from "../kinds/policyApprovers.js";
import { textOf } from "../kinds/spelling.js";
import { formatPath } from "../model/path.js";
import { writes } from "../plan/calls.js";
import type { Counting } from "../plan/people/counting.js";
import type { Decides, Plan, PolicyDecides } from "../plan/plan.js";
import type { Step } from "../plan/step.js";
import { totalOf } from "../tenant/known.js";
import { readPeople } from "../tenant/people.js";
import type { PeopleReads } from "../tenant/peopleReads.js";
import type { Tenant } from "../tenant/tenant.js";
import { changesRules, rulesDecide } from "./rulesDecide.js";

/** What the policies and rules decide that a plan writes, and how many calls it took to read that. */
interface Read {
  readonly decides: readonly Decides[];
  readonly calls: number;
}

/** What is decided by what a plan writes, counted within a number of calls. */
export async function countDecided(
  plan: Plan,
  tenant: Tenant | null,
  counting: Counting | null,
): Promise<Read> {
  const { steps, interface: found } = plan;
  const ofPolicies = steps.filter(writesPolicy);
  const ofRules = steps.filter(changesRules);
  const isShown = ({ address }: Step) => isLive(found.kinds, address.kind);
  const unseen = [...ofPolicies, ...ofRules].filter((step) => counting === null || !isShown(step));
  const why = plan.mode.offline ? OFFLINE : counting === null ? NOT_ASKED : NOT_SHOWN;
  const notCounted = unseen.map((step) => uncounted(step, why));
  if (tenant === null || counting === null || unseen.length === ofPolicies.length + ofRules.length)
    return { decides: notCounted, calls: 0 };
  const reader = tenant.reader();
  const reads = readPeople(reader, counting.calls);
  const [policies, rules] = await Promise.all([
    policiesDecide(ofPolicies.filter(isShown), reads),
    Promise.all(ofRules.filter(isShown).map((step) => rulesDecide(step, steps, reads, counting.evaluate))),
  ]);
  return { decides: [...policies, ...rules, ...notCounted], calls: totalOf(reader.calls()) };
}

const OFFLINE = "an offline plan reads nothing";
const NOT_ASKED = "`--impact off` counts nothing";
const NOT_SHOWN = "the interface `core` does not show them";

function uncounted(step: Step, why: string): Decides {
  const { address } = step;
  return changesRules(step)
    ? { as: "rules", address, uncounted: why, isOpen: false, rules: [] }
    : { as: "policy", address, uncounted: why, entitlements: null, noApprover: [], notKnown: [] };
}

/** Whether a step writes a policy. */
function writesPolicy(step: Step): boolean {
  return step.address.kind === policy.name && writes(step) && step.after !== null;
}

/** For how many entitlements policies decide that steps write, and which of their steps then have no one who may answer. */
async function policiesDecide(steps: readonly Step[], reads: PeopleReads): Promise<readonly PolicyDecides[]> {
  const written = steps.map((step) => ({ step, approvers: approversIn(step.after ?? {}) }));
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
  return written.map(({ step: { address }, approvers }, at): PolicyDecides => {
    const pathsWhere = (answer: boolean | null) =>
      approvers.filter((one) => hasSomeone(one) === answer).map(({ path }) => formatPath(path));
    return {
      as: "policy",
      address,
      uncounted: null,
      entitlements: entitlements[at] ?? null,
      noApprover: pathsWhere(false),
      notKnown: pathsWhere(null),
    };
  });
}
