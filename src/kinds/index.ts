import type { Address } from "../model/address.js";
import { accessConflict } from "./accessConflict.js";
import { accessProfile } from "./accessProfile.js";
import { complianceFramework, riskLevel } from "./attributeValue.js";
import { configurationRules } from "./configurationRules.js";
import { customEntitlement } from "./customEntitlement.js";
import { entitlementAutomation } from "./entitlementAutomation.js";
import type { Kind } from "./kind.js";
import { managedApp } from "./managedApp.js";
import { policy } from "./policy.js";
import { resource } from "./resource.js";
import { resourceType } from "./resourceType.js";
import { reviewTemplate } from "./reviewTemplate.js";
import { templateScope } from "./templateScope.js";
import { webhook } from "./webhook.js";

/**
 * Every kind of resource. They are applied in this order, and deleted in reverse: each stands behind those that its
 * manifests refer to. Among kinds that refer to each other, the order of their objects is decided object by object.
 */
export const kinds: readonly Kind[] = [
  webhook,
  riskLevel,
  complianceFramework,
  policy,
  managedApp,
  configurationRules,
  resourceType,
  resource,
  customEntitlement,
  entitlementAutomation,
  accessProfile,
  reviewTemplate,
  templateScope,
  accessConflict,
];

/** The place of a kind in that order, by its name. */
export function placeOf(name: string): number {
  return PLACES.get(name) ?? -1;
}

const PLACES: ReadonlyMap<string, number> = new Map(kinds.map(({ name }, place) => [name, place]));

const BY_NAME: ReadonlyMap<string, Kind> = new Map(kinds.map((kind) => [kind.name, kind]));

/** The kind of that name; undefined when there is none. */
export function kindNamed(name: string): Kind | undefined {
  return BY_NAME.get(name);
}

/** The kind of an address; an address of no kind is a bug by then. */
export function kindOf({ kind }: Pick<Address, "kind">): Kind {
  const found = kindNamed(kind);
  if (found === undefined) throw new Error(`no kind ${kind}`);
  return found;
}
