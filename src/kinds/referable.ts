import type { Call } from "../model/call.js";
import type { Json } from "../model/json.js";
import type { Target } from "../schema/shape.js";
import {
  accessProfile,
  accessProfileCall,
  accessProfileIn,
  listAccessProfiles,
  readAccessProfile,
} from "./accessProfile.js";
import { listApps, readApp, searchApps, searchNamedApps } from "./app.js";
import { listComplianceFrameworks, listRiskLevels, readAttributeValue } from "./attributeValue.js";
import { listEntitlements, readEntitlement, searchEntitlements } from "./entitlement.js";
import type { Interface } from "./interface.js";
import type { Kind, Noun, Observed } from "./kind.js";
import type { Finder, Named } from "./named.js";
import { listUsers, searchHeld } from "./people.js";
import { listPolicies, readPolicy, searchPoliciesById } from "./policy.js";
import { list } from "./reads.js";
import { resource, searchResources } from "./resource.js";
import { resourceType } from "./resourceType.js";
import { reviewTemplate } from "./reviewTemplate.js";
import { listCampaigns, readTemplate, templateCall, templateIn } from "./template.js";
import { readUser, searchUsers, searchUsersById } from "./user.js";

/** What an id points at; the app is empty where objects of that sort belong to none. */
export interface IdInApp {
  readonly app: string;
  readonly id: string;
}

/** The read of one object by its id, and what its reply shows. */
export interface Single {
  readonly call: (id: string) => Call;
  readonly read: (body: Json) => Named | undefined;
}

/** The list that shows the objects of one sort by name. */
export interface Listing {
  /** Whether the list belongs to one app, whose id the call needs. */
  readonly within: "tenant" | "app";
  /** Whether one list shows every object, or each name is searched by a call of its own. */
  readonly shows: "every object" | "one name";
  /** The interfaces that have it. */
  readonly on: readonly Interface[];
  /** A list of every object does not use the name. */
  readonly call: (app: string, name: string) => Call;
  /** The list of every object, where each name is searched by a call of its own; null where `call` is that list. */
  readonly whole: (() => Call) | null;
  /** Shows every object of the app with exactly that name, and may show others; null where no search knows such names. */
  readonly search: ((app: string, by: Finder, text: string) => Call | null) | null;
  /** What one row shows; undefined where the object is deleted. */
  readonly row: (row: Json, app: string) => Named | undefined;
  /** The read that shows an object's name, where the row shows only its id. */
  readonly one: Single | null;
  /** The search for objects by their ids, and how many it takes; null where the list or `one` shows them. */
  readonly byId: { readonly most: number; readonly call: (objects: readonly IdInApp[]) => Call } | null;
  /** The read of one object by its id, where neither `one` nor `byId` shows it; null where its list is short anyway. */
  readonly again: Single | null;
  /** What the list leaves out, as a sentence; null where it is complete. */
  readonly leavesOut: string | null;
}

/** One sort of object that an id can point at, and how it is found by name. */
export interface Referable {
  readonly noun: Noun;
  /** What a manifest may write in place of its id. */
  readonly finders: readonly Finder[];
  /** Null where the service offers no list. */
  readonly list: Listing | null;
  /** The kind that manages objects of this sort; null where remit manages none. */
  readonly kind: Kind | null;
}

// The searches answer at most a hundred rows a page.
const MOST_IDS = 100;

const IN_TENANT = {
  within: "tenant",
  shows: "every object",
  on: ["full"],
  whole: null,
  search: null,
  one: null,
  byId: null,
  again: null,
  leavesOut: null,
} as const;
const IN_APP = { ...IN_TENANT, within: "app" } as const;

/** Everything that an id can point at: the one table of what can be referenced by name. */
export const REFERABLE = {
  app: {
    noun: { one: "app", many: "apps" },
    finders: ["name"],
    list: {
      ...IN_TENANT,
      call: listApps,
      search: searchNamedApps,
      row: readApp,
      byId: { most: MOST_IDS, call: (apps) => searchApps(apps.map(({ id }) => id)) },
    },
    kind: null,
  },
  entitlement: {
    noun: { one: "entitlement", many: "entitlements" },
    finders: ["name", "alias", "slug"],
    list: {
      ...IN_APP,
      on: ["core", "full"],
      call: listEntitlements,
      search: searchEntitlements,
      byId: {
        most: MOST_IDS,
        call: (objects) => searchHeld(objects.map(({ app, id }) => ({ appId: app, id }))),
      },
      row: readEntitlement,
    },
    kind: null,
  },
  resourceType: {
    noun: resourceType.noun,
    finders: ["name"],
    list: {
      ...IN_APP,
      call: (app) => list("apps", app, "resource_types"),
      row: (row, app) => namedBy(resourceType.reads.list?.row(row, [app])),
    },
    kind: resourceType,
  },
  resource: {
    noun: resource.noun,
    finders: ["name"],
    list: {
      ...IN_APP,
      call: (app) => searchResources(app),
      row: (row) => namedBy(resource.reads.list?.row(row, [])),
    },
    kind: resource,
  },
  template: {
    noun: { one: "access review template", many: "access review templates" },
    finders: ["name"],
    list: {
      ...IN_TENANT,
      call: listCampaigns,
      row: readTemplate,
      one: { call: templateCall, read: templateIn },
      leavesOut: "A template that never started a campaign is in no list of the service: write its id.",
    },
    kind: reviewTemplate,
  },
  user: {
    noun: { one: "user", many: "users" },
    finders: ["email"],
    list: {
      ...IN_TENANT,
      shows: "one name",
      call: (_, email) => searchUsers(email),
      whole: listUsers,
      row: readUser,
      byId: { most: MOST_IDS, call: (users) => searchUsersById(users.map(({ id }) => id)) },
      leavesOut: "remit finds no deleted user.",
    },
    kind: null,
  },
  accessProfile: {
    noun: { one: "access profile", many: "access profiles" },
    finders: ["name"],
    list: {
      ...IN_TENANT,
      call: listAccessProfiles,
      row: readAccessProfile,
      again: { call: accessProfileCall, read: accessProfileIn },
    },
    kind: accessProfile,
  },
  policy: {
    noun: { one: "policy", many: "policies" },
    finders: ["name"],
    list: {
      ...IN_TENANT,
      call: listPolicies,
      row: readPolicy,
      byId: { most: MOST_IDS, call: (policies) => searchPoliciesById(policies.map(({ id }) => id)) },
    },
    kind: null,
  },
  riskLevel: {
    noun: { one: "risk level", many: "risk levels" },
    finders: ["name"],
    list: { ...IN_TENANT, call: listRiskLevels, row: readAttributeValue },
    kind: null,
  },
  complianceFramework: {
    noun: { one: "compliance framework", many: "compliance frameworks" },
    finders: ["name"],
    list: { ...IN_TENANT, call: listComplianceFrameworks, row: readAttributeValue },
    kind: null,
  },
  other: { noun: { one: "object", many: "objects" }, finders: [], list: null, kind: null },
} as const satisfies Readonly<Record<Target, Referable>>;

/** How objects of that sort are found by name. */
export function referable(target: Target): Referable {
  return REFERABLE[target];
}

/** What a plan calls an object: the name that a manifest can write for it, so of a user the e-mail address. */
export function shownName(target: Target, named: Named): string {
  const [by = "name"] = referable(target).finders;
  return named[by] ?? "";
}

/** The sort of object that a kind manages, where ids can point at it. */
export function targetOf(kind: Kind): Target | undefined {
  return TARGETS.find((target) => referable(target).kind?.name === kind.name);
}

/** The list that every service with the full interface has: reading its first page finds the interface. */
export const LIST_OF_FULL = "app" satisfies Target;

/** The call of that list. */
export function listOfApps(): Call {
  return REFERABLE[LIST_OF_FULL].list.call();
}

/** The names of an object that was read for its own sake; undefined where it shows none. */
export function namedBy(observed: Observed | undefined): Named | undefined {
  const [name, id] = [observed?.fields.displayName, observed?.key.at(-1)];
  return typeof name === "string" && id !== undefined ? { id, name } : undefined;
}

const TARGETS = Object.keys(REFERABLE) as readonly Target[];
