import { isLive } from "../kinds/interface.js";
import { refName } from "../kinds/people.js";
import { policy } from "../kinds/policy.js";
import { type Approvers, approversIn } from "../kinds/policyApprovers.js";
import { textOf } from "../kinds/spelling.js";
import { formatPath } from "../model/path.js";
import { writes } from "../plan/calls.js";
import type { Plan, PolicyDecides } from "../plan/plan.js";
import { totalOf } from "../tenant/known.js";
import { readPeople } from "../tenant/people.js";
import type { Tenant } from "../tenant/tenant.js";

/** What the policies decide that a plan writes, and how many calls it took to read that. */
interface Read {
  readonly decides: readonly PolicyDecides[];
  readonly calls: number;
}

/**
 * For how many entitlements each policy decides that a plan writes, and which of its steps then have no one who may answer,
 * within a number of calls.
 */
export async function policiesDecide(
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
