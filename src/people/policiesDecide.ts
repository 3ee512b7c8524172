import { customEntitlement } from "../kinds/customEntitlement.js";
import { kindOf } from "../kinds/index.js";
import { managedApp } from "../kinds/managedApp.js";
import { OWNERS } from "../kinds/owners.js";
import { eachRefOnce, refIn, refName } from "../kinds/people.js";
import { resource } from "../kinds/resource.js";
import { inside, listOf, textOf } from "../kinds/spelling.js";
import { type Address, formatAddress } from "../model/address.js";
import { isObject, type Json } from "../model/json.js";
import { formatPath } from "../model/path.js";
import { idOf, policyFields } from "../plan/guards/policies.js";
import type { PolicyDecides } from "../plan/plan.js";
import type { Step } from "../plan/step.js";
import type { PeopleReads } from "../tenant/peopleReads.js";
import { type Answerers, type Approvers, approversIn, type OwnersOf } from "./approvers.js";

/** For how many entitlements policies decide that steps write, and which of their steps then have no one who may answer. */
export async function policiesDecide(
  steps: readonly Step[],
  all: readonly Step[],
  reads: PeopleReads,
): Promise<readonly PolicyDecides[]> {
  const written = steps.map((step) => {
    const naming = stepsNaming(step, all);
    const approvers = approversIn(step.after ?? {}).map(({ path, ask }) => ({
      path: formatPath(path),
      hasOwners: ask.as === "owners",
      asked: askedBy(ask, naming, all),
    }));
    return { step, naming, approvers };
  });
  const asked = written.flatMap(({ approvers }) =>
    approvers.flatMap((one) => one.asked.flatMap(({ owners }) => owners ?? [])),
  );
  const ids = new Set(asked.flatMap((ask) => (ask.as === "users" ? ask.ids : [])));
  const groups = asked.flatMap((ask) => (ask.as === "group" ? [ask.of] : []));
  const [users, held, entitlements] = await Promise.all([
    reads.usersOf([...ids]),
    reads.held(groups),
    Promise.all(written.map(({ step: { key } }) => reads.decidedBy(key?.at(-1) ?? null))),
  ]);
  // The service's own count may lag behind: an entitlement without grants by it may have some.
  const empty = eachRefOnce(groups).filter((of) => held.get(refName(of)) === 0);
  const holders = new Map(
    await Promise.all(empty.map(async (of) => [refName(of), await reads.holders(of)] as const)),
  );
  const status = new Map(users.map((user) => [textOf(user, "id"), textOf(user, "status")]));
  /** Whether there is someone; null where that is not known. */
  const isSomeone = (ask: Answerers): boolean | null => {
    if (ask.as === "group") {
      const name = refName(ask.of);
      const grants = held.get(name) ?? null;
      if (grants !== 0) return grants === null ? null : true;
      const found = holders.get(name) ?? null;
      return found === null ? null : found.size > 0;
    }
    const known = ask.ids.map((id) => status.get(id));
    if (known.includes("ENABLED")) return true;
    return known.includes(undefined) ? null : false;
  };
  const hasSomeone = ({ owners }: Owned): boolean | null => {
    const known = owners?.map(isSomeone) ?? [null];
    return known.includes(true) ? true : known.includes(null) ? null : false;
  };
  return written.map(({ step: { address, key }, naming, approvers }, at): PolicyDecides => {
    const extent = entitlements[at] ?? null;
    const isAll = key === null || (extent?.isAll === true && extent.low <= naming.length);
    const answered = approvers.map(({ path, hasOwners, asked }) => {
      const without = asked.filter((one) => hasSomeone(one) === false);
      const isKnown = asked.every((one) => hasSomeone(one) !== null) && (isAll || !hasOwners);
      return {
        noOne: without.map((one) => (hasOwners ? `${path} for ${one.address}` : path)),
        notKnown: isKnown || without.length > 0 ? [] : [path],
      };
    });
    return {
      as: "policy",
      address,
      uncounted: null,
      entitlements: extent,
      noApprover: answered.flatMap(({ noOne }) => noOne),
      notKnown: answered.flatMap(({ notKnown }) => notKnown),
    };
  });
}

/** Those whom a step of a policy asks: by the objects that name the policy where it asks their owners. */
function askedBy(ask: Approvers["ask"], naming: readonly Step[], steps: readonly Step[]): readonly Owned[] {
  if (ask.as === "owners") return ownersAsked(ask.of, naming, steps);
  return [{ address: "", owners: ask.as === "not known" ? null : [ask] }];
}

/** An object whose owners a policy asks, and who they are; null where that is not known. */
interface Owned {
  readonly address: string;
  readonly owners: readonly Answerers[] | null;
}

/** The steps of objects that name a policy. */
function stepsNaming(policy: Step, steps: readonly Step[]): readonly Step[] {
  const id = idOf(policy);
  return steps.filter((step) =>
    [...policyFields(fieldsOf(step), kindOf(step.address).shape).values()].includes(id),
  );
}

/** The objects whose owners a step of a policy asks, each once, as far as a plan has them. */
function ownersAsked(of: OwnersOf, naming: readonly Step[], steps: readonly Step[]): readonly Owned[] {
  const found = naming.map((step) => ownedBehind(of, step, steps));
  return found.filter(({ address }, at) => found.findIndex((other) => other.address === address) === at);
}

function ownedBehind(of: OwnersOf, step: Step, steps: readonly Step[]): Owned {
  const { kind } = step.address;
  const { identity } = step.managed;
  const named = (of: Address["kind"], member: string) =>
    steps.find((other) => other.address.kind === of && idOf(other) === textOf(identity, member));
  const isApp = kind === managedApp.name;
  const isEntitlement = kind === customEntitlement.name;
  if (of === "app") return ownedBy(isApp ? step : named(managedApp.name, "appId"), step);
  if (!isEntitlement) return { address: formatAddress(step.address), owners: null };
  return ownedBy(of === "entitlement" ? step : named(resource.name, "appResourceId"), step);
}

function ownedBy(owned: Step | undefined, { address }: Step): Owned {
  const isKnown = owned?.managed.owned.includes(OWNERS) === true;
  return {
    address: formatAddress((owned ?? { address }).address),
    owners: isKnown ? listOf(fieldsOf(owned), OWNERS).map(askOf) : null,
  };
}

function fieldsOf({ before, after }: Step) {
  return after ?? before ?? {};
}

/** Who is asked where an owner is: the person, or those who hold the entitlement. */
function askOf(owner: Json): Answerers {
  const entitlement = inside(owner, "entitlement");
  if (entitlement === undefined) return { as: "users", ids: [textOf(isObject(owner) ? owner : {}, "user")] };
  return { as: "group", of: refIn(entitlement) };
}
