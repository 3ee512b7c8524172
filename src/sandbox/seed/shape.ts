import { ID } from "../identity.js";
import { anyObject, flag, listOf, object, oneOf, optional, type Read, text, textLike } from "../reading.js";

const id = optional(textLike(ID, "an id: 27 letters and digits"));
const alias = optional(textLike(/^[a-z0-9._-]{1,63}$/, "1 to 63 of lower-case letters, digits, -, _ and ."));
const described = { name: text, id, description: optional(text), fields: optional(anyObject) };

const KINDS = [
  "ROLE",
  "GROUP",
  "LICENSE",
  "PROJECT",
  "CATALOG",
  "CUSTOM",
  "VAULT",
  "PROFILE_TYPE",
  "SESSION_POLICY",
  "CLAW_AGENT",
] as const;

const entitlement = object({
  ...described,
  alias,
  slug: optional(text),
  /** The name of a resource type of the app. */
  type: optional(text),
  /** The name of the resource that it is an entitlement of. */
  resource: optional(text),
});

const resourceType = object({
  name: text,
  id,
  kind: optional(oneOf(...KINDS)),
  traits: listOf(text),
  /** Things of the type: each has every one of the entitlements. */
  resources: listOf(text),
  entitlements: listOf(text),
});

/** An entitlement, by its name alone or in full. */
const anyEntitlement: Read<ReturnType<typeof entitlement>> = (value, path) =>
  entitlement(typeof value === "string" ? { name: value } : value, path);

const app = object({ ...described, types: listOf(resourceType), entitlements: listOf(anyEntitlement) });

const template = object({
  ...described,
  scope: optional(anyObject),
  /** Each an app and an entitlement: `GitHub/github-admin`. */
  entitlements: listOf(text),
  /** Each an app and a resource type: `GitHub/Team`. */
  resourceTypes: listOf(text),
});

const automation = object({
  /** An app and an entitlement: `C1/c1-engineering-member`. */
  entitlement: text,
  name: optional(text),
  description: optional(text),
  cel: optional(text),
  basic: optional(text),
  none: optional(flag),
  /** Everybody who has any of these has it. */
  entitlements: optional(listOf(text)),
  excludedUsers: listOf(text),
  /** Further fields of the service's AppEntitlementAutomation, in its own words. */
  fields: optional(anyObject),
  /** The access profile that it belongs to. */
  managedBy: optional(text),
});

const publicKey = anyObject;
const client = object({
  id: text,
  secret: optional(text),
  publicKey: optional(publicKey),
  trusts: optional(
    object({ issuer: optional(text), subject: optional(text), publicKey: optional(publicKey) }),
  ),
});

/** A seed file as it is written: names where the service has ids. */
export const readSeedShape = object({
  tenant: optional(text),
  /** Whether a write makes what it names and the tenant does not have. */
  open: optional(flag),
  /** Whether the service knows members whose names begin with `future`. */
  laterVersion: optional(flag),
  apps: listOf(app),
  templates: listOf(template),
  automations: listOf(automation),
  clients: listOf(client),
});

export type SeedShape = ReturnType<typeof readSeedShape>;
export type SeedApp = SeedShape["apps"][number];
export type SeedEntitlement = SeedApp["entitlements"][number];
export type SeedType = SeedApp["types"][number];
export type SeedTemplate = SeedShape["templates"][number];
export type SeedAutomation = SeedShape["automations"][number];
export type SeedClient = SeedShape["clients"][number];
