import type { Json } from "../model/json.js";
import type { Target } from "../schema/shape.js";
import { accessProfile } from "./accessProfile.js";
import { complianceFramework, riskLevel } from "./attributeValue.js";
import type { IdInApp, Referable } from "./listing.js";
import { type Finder, type Named, namedIn } from "./named.js";
import { attributesOf, searchHeld, searchUsersBy } from "./people.js";
import { policy, searchPolicies } from "./policy.js";
import { resource, searchResources } from "./resource.js";
import { resourceType } from "./resourceType.js";
import { reviewTemplate } from "./reviewTemplate.js";
import { api, get, inside, list, recordIn, search, textOf, textsOf } from "./spelling.js";
import { listCampaigns, readTemplate } from "./template.js";

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
  attributes: null,
} as const;
const IN_APP = { ...IN_TENANT, within: "app" } as const;

type Objects = readonly IdInApp[];
const idsOf = (objects: Objects) => objects.map(({ id }) => id);
const refsOf = (objects: Objects) => objects.map(({ id }) => ({ id }));

/** Everything that an id can point at: the one table of what can be referenced by name. */
export const REFERABLE = {
  app: {
    noun: { one: "app", many: "apps" },
    finders: ["name"],
    list: {
      ...IN_TENANT,
      call: () => list("ListApps", "apps"),
      // It finds other spellings, too.
      search: (_: string, by: Finder, text: string) =>
        by === "name" ? search("apps", { displayName: text }) : null,
      row: (row) => namedIn(row, ""),
      byId: { most: MOST_IDS, call: (apps: Objects) => search("apps", { appIds: idsOf(apps) }) },
    },
    kind: null,
  },
  entitlement: {
    noun: { one: "entitlement", many: "entitlements" },
    finders: ["name", "alias", "slug"],
    list: {
      ...IN_APP,
      on: ["core", "full"],
      call: (app: string) => list("ListEntitlements", "apps", app, "entitlements"),
      // There is none for a slug.
      search: (app: string, by: Finder, text: string) =>
        by === "name" || by === "alias"
          ? search("entitlements", { appIds: [app], [by === "name" ? "displayName" : by]: text })
          : null,
      byId: {
        most: MOST_IDS,
        call: (objects: Objects) => searchHeld(objects.map(({ app, id }) => ({ appId: app, id }))),
      },
      row: entitlementIn,
    },
    kind: null,
  },
  resourceType: {
    noun: resourceType.noun,
    finders: ["name"],
    list: {
      ...IN_APP,
      call: (app) => list("ListResourceTypes", "apps", app, "resource_types"),
      row: (row) => namedIn(row, "appResourceType"),
    },
    kind: resourceType,
  },
  resource: {
    noun: resource.noun,
    finders: ["name"],
    list: { ...IN_APP, call: (app) => searchResources(app), row: (row) => namedIn(row, "appResource") },
    kind: resource,
  },
  template: {
    noun: { one: "access review template", many: "access review templates" },
    finders: ["name"],
    list: {
      ...IN_TENANT,
      call: listCampaigns,
      row: readTemplate,
      one: {
        call: (id) => get("GetReviewTemplate", api("access_review_template", id), ["accessReviewTemplate"]),
        read: (body) => namedIn(body, "accessReviewTemplate"),
      },
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
      // The list of all users may be very long.
      call: (_, email) => searchUsersBy({ email }),
      whole: () => list("ListUsers", "users"),
      row: userIn,
      attributes: (row) => attributesOf(inside(row, "user") ?? {}),
      byId: { most: MOST_IDS, call: (users: Objects) => searchUsersBy({ refs: refsOf(users) }) },
      leavesOut: "remit finds no deleted user.",
    },
    kind: null,
  },
  accessProfile: {
    noun: accessProfile.noun,
    finders: ["name"],
    list: {
      ...IN_TENANT,
      call: () => list("ListAccessProfiles", "catalogs"),
      row: (row) => namedIn(row, "requestCatalog"),
      again: {
        call: (id) => get("GetAccessProfile", api("catalogs", id), ["requestCatalogView"]),
        read: (body) => namedIn(body, "requestCatalogView.requestCatalog"),
      },
    },
    kind: accessProfile,
  },
  policy: {
    noun: policy.noun,
    finders: ["name"],
    list: {
      ...IN_TENANT,
      call: () => searchPolicies({}),
      row: (row) => namedIn(row, ""),
      byId: { most: MOST_IDS, call: (policies: Objects) => searchPolicies({ refs: refsOf(policies) }) },
    },
    kind: policy,
  },
  riskLevel: {
    noun: riskLevel.noun,
    finders: ["name"],
    list: valuesIn("ListRiskLevels", "risk_levels"),
    kind: riskLevel,
  },
  complianceFramework: {
    noun: complianceFramework.noun,
    finders: ["name"],
    list: valuesIn("ListComplianceFrameworks", "compliance_frameworks"),
    kind: complianceFramework,
  },
  other: { noun: { one: "object", many: "objects" }, finders: [], list: null, kind: null },
} as const satisfies Readonly<Record<Target, Referable>>;

/** The values of an attribute of the tenant. */
function valuesIn(operation: string, place: string) {
  return {
    ...IN_TENANT,
    call: () => list(operation, "attributes", place),
    row: (row: Json) => namedIn(row, "", "value"),
  };
}

/** An entitlement has an alias and a slug, too, and says whether it has an automation. */
function entitlementIn(row: Json, app = ""): Named | undefined {
  const [named, [record = {}]] = [namedIn(row, "appEntitlement"), recordIn(row, "appEntitlement")];
  const of = textOf(record, "appId");
  if (named === undefined || (app !== "" && of !== "" && of !== app)) return undefined;
  const { isAutomationEnabled: automated } = record;
  const names = { ...named, alias: textOf(record, "alias"), slug: textOf(record, "slug") };
  return typeof automated === "boolean" ? { ...names, automated } : names;
}

/** A user is named by e-mail addresses. */
function userIn(row: Json): Named | undefined {
  const [named, [record = {}]] = [namedIn(row, "user"), recordIn(row, "user")];
  if (named === undefined || record.status === "DELETED") return undefined;
  const email = textOf(record, "email");
  const emails = textsOf(record, "emails").filter((one) => one !== email);
  return { ...named, email, ...(emails.length === 0 ? {} : { emails }) };
}
