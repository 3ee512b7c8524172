import { customEntitlement } from "../kinds/customEntitlement.js";
import { kindOf } from "../kinds/index.js";
import { managedApp } from "../kinds/managedApp.js";
import { OWNERS } from "../kinds/owners.js";
import { refIn } from "../kinds/people.js";
import type { Answerers, OwnersOf } from "../kinds/policyApprovers.js";
import { resource } from "../kinds/resource.js";
import { inside, listOf, textOf } from "../kinds/spelling.js";
import { type Address, formatAddress } from "../model/address.js";
import { isObject, type Json } from "../model/json.js";
import { idOf, policyFields } from "../plan/guards/policies.js";
import type { Step } from "../plan/step.js";

/** An object whose owners a policy asks, and who they are; null where that is not known. */
export interface Owned {
  readonly address: string;
  readonly owners: readonly Answerers[] | null;
}

/** The steps of objects that name a policy. */
export function stepsNaming(policy: Step, steps: readonly Step[]): readonly Step[] {
  const id = idOf(policy);
  return steps.filter((step) =>
    [...policyFields(fieldsOf(step), kindOf(step.address).shape).values()].includes(id),
  );
}

/** The objects whose owners a step of a policy asks, each once, as far as a plan has them. */
export function ownersAsked(of: OwnersOf, naming: readonly Step[], steps: readonly Step[]): readonly Owned[] {
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
