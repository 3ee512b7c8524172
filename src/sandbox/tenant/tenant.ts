import type { JsonObject } from "../../model/json.js";

/** An app; any further field of the service's App may stand in it. */
export interface AppRow extends JsonObject {
  readonly id: string;
  readonly displayName: string;
}

/** An entitlement of one app; any further field of the service's AppEntitlement may stand in it. */
export interface EntitlementRow extends JsonObject {
  readonly appId: string;
  readonly id: string;
  readonly displayName: string;
}

/** A resource type of one app, with the word that is written once and never read back. */
export interface ResourceTypeRow extends JsonObject {
  readonly appId: string;
  readonly id: string;
  readonly displayName: string;
}

/** A template; any further field of the service's AccessReviewTemplate may stand in it. */
export interface TemplateRow extends JsonObject {
  readonly id: string;
}

/** The automation of one entitlement; key is (appId, appEntitlementId). */
export interface AutomationRow extends JsonObject {
  readonly appId: string;
  readonly appEntitlementId: string;
}

/** The entitlements chosen in one template's setup, and its resource type selections. */
export interface SetupRow {
  readonly templateId: string;
  readonly entitlements: readonly JsonObject[];
  readonly resourceTypeSelections: readonly JsonObject[];
}

/** The users that the automation of one entitlement leaves out. */
export interface ExclusionRow {
  readonly appId: string;
  readonly appEntitlementId: string;
  readonly userIds: readonly string[];
}

/** A row that its id names; any further field of the service's message may stand in it. */
export interface NamedRow extends JsonObject {
  readonly id: string;
}

/** A campaign; `entitlements` are the rows of its setup. */
export interface CampaignRow extends NamedRow {
  readonly entitlements: readonly JsonObject[];
}

/** An account of one app. */
export interface AccountRow extends NamedRow {
  readonly appId: string;
  /** The user that it belongs to; empty without an owner. */
  readonly identityUserId: string;
}

/** That an account holds an entitlement, and why. */
export interface GrantRow extends JsonObject {
  readonly appId: string;
  readonly appEntitlementId: string;
  readonly appUserId: string;
  readonly createdAt: string;
}

/** A thing in an app that entitlements are about. */
export interface ResourceRow extends NamedRow {
  readonly appId: string;
  readonly appResourceTypeId: string;
  readonly displayName: string;
}

/** The lists of a tenant whose rows belong to no other row and are kept as they come. */
export const NAMED_LISTS = [
  "users",
  "workflows",
  "catalogs",
  "attributeTypes",
  "attributes",
  "policies",
  "webhooks",
] as const;
export type NamedList = (typeof NAMED_LISTS)[number];

/** Access profiles are the `catalogs`. */
type NamedRows = { readonly [List in NamedList]: readonly NamedRow[] };

/** All that the sandbox knows, as plain data: what a data file holds and a seed file is made into. */
export interface Tenant extends NamedRows {
  readonly id: string;
  /** The tenant's own app, the only one whose entitlements may be automated. */
  readonly c1AppId: string;
  /** An open tenant makes what a write names and it does not have; a seeded one answers 404. */
  readonly open: boolean;
  /** Whether the service knows members whose names begin with `future`; it does not when absent. */
  readonly laterVersion?: boolean;
  readonly apps: readonly AppRow[];
  readonly entitlements: readonly EntitlementRow[];
  readonly resourceTypes: readonly ResourceTypeRow[];
  readonly templates: readonly TemplateRow[];
  readonly setups: readonly SetupRow[];
  readonly automations: readonly AutomationRow[];
  readonly exclusions: readonly ExclusionRow[];
  readonly resources: readonly ResourceRow[];
  readonly accounts: readonly AccountRow[];
  readonly grants: readonly GrantRow[];
  readonly campaigns: readonly CampaignRow[];
  /** The user that the sandbox's own token stands for. */
  readonly operatorId?: string;
}

/** The id of the tenant's own app, the same in every tenant seen. */
export const C1_APP_ID = "2fsgTvxP0DVTsNXEUBI7hOe0l5A";

/** The lists that a tenant may have without rows. */
export const EMPTY_LISTS = {
  ...(Object.fromEntries(NAMED_LISTS.map((name) => [name, []])) as unknown as NamedRows),
  resources: [],
  accounts: [],
  grants: [],
  campaigns: [],
} satisfies Partial<Tenant>;

/** A tenant with nothing in it, that makes what it is asked to write to. */
export const EMPTY_TENANT: Tenant = {
  id: "2fsgTvxP0DVTsNXEUBI7hOe0l5T",
  c1AppId: C1_APP_ID,
  open: true,
  apps: [],
  entitlements: [],
  resourceTypes: [],
  templates: [],
  setups: [],
  automations: [],
  exclusions: [],
  ...EMPTY_LISTS,
};
