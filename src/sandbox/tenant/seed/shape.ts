import { CAMPAIGN_STATES } from "../../messages/campaign.js";
import { USER_STATUSES } from "../../messages/user.js";
import { ID } from "../identity.js";
import {
  anyObject,
  flag,
  listOf,
  number,
  object,
  oneOf,
  optional,
  type Read,
  text,
  textLike,
} from "../reading.js";

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
  /** The name of a risk level. */
  risk: optional(text),
  /** The names of compliance frameworks. */
  frameworks: listOf(text),
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
  deleted: optional(flag),
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
  deleted: optional(flag),
  /** The access profile that it belongs to. */
  managedBy: optional(text),
});

const publicKey = anyObject;
const client = object({
  id: text,
  /** The user that it acts for, by e-mail. */
  user: optional(text),
  roles: listOf(text),
  /** The operations that it may not use, as the description names them; `*` stands for any text. */
  denies: listOf(text),
  secret: optional(text),
  publicKey: optional(publicKey),
  trusts: optional(
    object({ issuer: optional(text), subject: optional(text), publicKey: optional(publicKey) }),
  ),
});

const user = object({
  name: text,
  id,
  email: optional(text),
  department: optional(text),
  jobTitle: optional(text),
  /** The e-mail of the manager. */
  manager: optional(text),
  status: optional(oneOf(...USER_STATUSES)),
  profile: optional(anyObject),
  /** Further fields of the service's User, in its own words. */
  fields: optional(anyObject),
});

const people = object({ count: number(1, 1_000_000), domain: optional(text), seed: optional(number(0)) });

const members = object({
  /** An app and an entitlement: `C1/c1-engineering-member`. */
  entitlement: text,
  /** Everybody of these holds it by the rule, or through the entitlement of `through`. */
  departments: listOf(text),
  jobTitles: listOf(text),
  employmentTypes: listOf(text),
  /** The part of them that holds it; all when absent. */
  share: optional(number(0, 1)),
  through: optional(text),
  /** E-mails of users that the rule leaves out. */
  excluded: listOf(text),
  byHand: optional(number(0)),
  byRequest: optional(number(0)),
  /** When grants that no rule gives end. */
  until: optional(text),
  /** E-mails of users that hold it for `reason`. */
  users: listOf(text),
  reason: optional(oneOf("rule", "hand", "request", "group")),
});

const account = object({
  /** The name of an app. */
  app: text,
  name: text,
  email: optional(text),
  /** The e-mail of the user that it belongs to; without an owner when absent. */
  owner: optional(text),
  type: optional(oneOf("USER", "SERVICE_ACCOUNT", "SYSTEM_ACCOUNT")),
  status: optional(oneOf("ENABLED", "DISABLED", "DELETED")),
  external: optional(flag),
});

const profile = object({ ...described, members: optional(number(0)), deleted: optional(flag) });

const value = object({ name: text, id, deleted: optional(flag) });

/** A value, by its name alone or in full. */
const anyValue: Read<ReturnType<typeof value>> = (each, path) =>
  value(typeof each === "string" ? { name: each } : each, path);

const policy = object({
  ...described,
  type: optional(oneOf("GRANT", "REVOKE", "CERTIFY", "ACCESS_REQUEST", "PROVISION")),
});

const workflow = object({
  name: text,
  id,
  description: optional(text),
  /** The template that it cuts campaigns from, by name or id. */
  template: optional(text),
  templateCel: optional(text),
  draft: optional(flag),
});

const campaign = object({
  name: text,
  id,
  /** The template that it was cut from, by name or id; an id may be that of a template that is gone. */
  template: optional(text),
  state: optional(oneOf(...CAMPAIGN_STATES)),
  /** How many tasks it was expected to make. */
  tasks: optional(number(0)),
  started: optional(text),
  closed: optional(text),
  /** The template's when absent. */
  scope: optional(anyObject),
  fields: optional(anyObject),
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
  users: listOf(user),
  /** Made-up people, beside the users that are written down. */
  people: optional(people),
  members: listOf(members),
  /** Accounts that no entry of `members` makes. */
  accounts: listOf(account),
  accessProfiles: listOf(profile),
  riskLevels: listOf(anyValue),
  complianceFrameworks: listOf(anyValue),
  policies: listOf(policy),
  workflows: listOf(workflow),
  campaigns: listOf(campaign),
  /** The e-mail of the user that the sandbox's own token stands for. */
  operator: optional(text),
  clients: listOf(client),
});

export type SeedShape = ReturnType<typeof readSeedShape>;
export type SeedApp = SeedShape["apps"][number];
export type SeedEntitlement = SeedApp["entitlements"][number];
export type SeedType = SeedApp["types"][number];
export type SeedTemplate = SeedShape["templates"][number];
export type SeedAutomation = SeedShape["automations"][number];
export type SeedUser = SeedShape["users"][number];
export type SeedMembers = SeedShape["members"][number];
export type SeedAccount = SeedShape["accounts"][number];
export type SeedProfile = SeedShape["accessProfiles"][number];
export type SeedValue = SeedShape["riskLevels"][number];
export type SeedPolicy = SeedShape["policies"][number];
export type SeedWorkflow = SeedShape["workflows"][number];
export type SeedCampaign = SeedShape["campaigns"][number];
export type SeedClient = SeedShape["clients"][number];
