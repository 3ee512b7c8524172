import { accessProfile } from "./accessProfile.js";
import { customEntitlement } from "./customEntitlement.js";
import { entitlementAutomation } from "./entitlementAutomation.js";
import type { Kind } from "./kind.js";
import { resource } from "./resource.js";
import { resourceType } from "./resourceType.js";
import { reviewTemplate } from "./reviewTemplate.js";
import { templateScope } from "./templateScope.js";
import { webhook } from "./webhook.js";

/** Every kind of resource, in the order it is applied. */
export const kinds: readonly Kind[] = [
  webhook,
  resourceType,
  resource,
  customEntitlement,
  entitlementAutomation,
  accessProfile,
  reviewTemplate,
  templateScope,
];

/** The kind of that name; undefined when there is none. */
export function kindNamed(name: string): Kind | undefined {
  return kinds.find((kind) => kind.name === name);
}
