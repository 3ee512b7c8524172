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

/** The rows of lists that have fields of their own. */
interface OwnRows {
  readonly apps: AppRow;
  readonly entitlements: EntitlementRow;
  readonly resourceTypes: ResourceTypeRow;
  readonly templates: TemplateRow;
  readonly setups: SetupRow;
  readonly automations: AutomationRow;
  readonly exclusions: ExclusionRow;
  readonly resources: ResourceRow;
  readonly accounts: AccountRow;
  readonly grants: GrantRow;
  readonly campaigns: CampaignRow;
}

/**
 * The lists of a tenant, each with the fields that name a row: its own last, behind those of what it belongs to. Access
 * profiles are the `catalogs`.
 */
const IDENTITY = {
  apps: ["id"],
  entitlements: ["appId", "id"],
  resourceTypes: ["appId", "id"],
  templates: ["id"],
  setups: ["templateId"],
  automations: ["appId", "appEntitlementId"],
  exclusions: ["appId", "appEntitlementId"],
  resources: ["appId", "id"],
  accounts: ["appId", "id"],
  grants: ["appId", "appEntitlementId", "appUserId"],
  campaigns: ["id"],
  users: ["id"],
  workflows: ["id"],
  catalogs: ["id"],
  attributeTypes: ["id"],
  attributes: ["id"],
  policies: ["id"],
  webhooks: ["id"],
  conflicts: ["id"],
  owners: ["id"],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type ListName = keyof typeof IDENTITY;

/** The same, by any list. */
export const NAMES: Readonly<Record<ListName, readonly string[]>> = IDENTITY;

/** What a row of each list is. */
export type Rows = { readonly [List in ListName]: List extends keyof OwnRows ? OwnRows[List] : NamedRow };

/** All lists of a tenant, by their names. */
export const LIST_NAMES = Object.keys(NAMES) as readonly ListName[];

/** Something of each list. */
export function forLists<T>(make: (name: ListName) => T): { readonly [List in ListName]: T } {
  return Object.fromEntries(LIST_NAMES.map((name) => [name, make(name)])) as { [List in ListName]: T };
}

type Lists = { readonly [List in ListName]: readonly Rows[List][] };

/** All that the sandbox knows, as plain data: what a data file holds and a seed file is made into. */
export interface Tenant extends Lists {
  readonly id: string;
  /** The tenant's own app, the only one whose entitlements may be automated. */
  readonly c1AppId: string;
  /** An open tenant makes what a write names and it does not have; a seeded one answers 404. */
  readonly open: boolean;
  /** Whether the service knows members whose names begin with `future`; it does not when absent. */
  readonly laterVersion?: boolean;
  /** The user that the sandbox's own token stands for. */
  readonly operatorId?: string;
}

/** The id of the tenant's own app, the same in every tenant seen. */
export const C1_APP_ID = "2fsgTvxP0DVTsNXEUBI7hOe0l5A";

/** A tenant with nothing in it, that makes what it is asked to write to. */
export const EMPTY_TENANT: Tenant = {
  id: "2fsgTvxP0DVTsNXEUBI7hOe0l5T",
  c1AppId: C1_APP_ID,
  open: true,
  ...forLists(() => []),
};
