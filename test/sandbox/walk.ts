import type { JsonObject } from "../../src/model/json.js";
import { BUILT_IN_TYPES } from "../../src/sandbox/collections/attributes.js";
import {
  ADMIN,
  ANA,
  C1,
  CAMPAIGN,
  CONFLICT,
  DESK,
  FRAMEWORK,
  GITHUB,
  HIGH,
  idOf,
  MEMBER,
  PROFILE,
  QUARTERLY,
  REPOSITORY,
  RULE,
  RULED,
} from "./visit.js";

/** One request of a walk: the operation it is for, and where and what it is. */
export interface Stop {
  readonly operation: string;
  readonly method: string;
  /** The template of the path, as the description has it. */
  readonly path: string;
  readonly parameters?: Readonly<Record<string, string>>;
  readonly query?: string;
  readonly body?: JsonObject;
}

const AUTOMATION = "/api/v1/apps/{app_id}/entitlements/{app_entitlement_id}/automation";
const TEMPLATE = "/api/v1/access_review_template";
const SETUP = `${TEMPLATE}/{access_review_template_id}`;
const TYPES = "/api/v1/apps/{app_id}/resource_types";
const RESOURCES = `${TYPES}/{app_resource_type_id}/resources`;
const POLICY = idOf("policy");
const RULES = "/api/v1/apps/{app_id}/entitlement_configuration_rules";
const CONFLICTS = "/api/v1/accessconflict";
const BINDINGS = "/api/v1/appentitlementmonitorbinding";
const WEBHOOKS = "/api/v1/webhooks";
const ATTRIBUTES = "/api/v1/attributes";
const ENTITLEMENTS = "/api/v1/apps/{app_id}/entitlements";

const CATALOGS = "/api/v1/catalogs";
const PARTS = `${CATALOGS}/{catalog_id}`;
const BUNDLE = `${CATALOGS}/{request_catalog_id}/bundle_automation`;
const ENROLLING = "REQUEST_CATALOG_ENROLLMENT_BEHAVIOR_";

const employees = { catalog_id: PROFILE };
const bundled = { request_catalog_id: PROFILE };
const everything = { paths: ["*"] };
const ruled = { app_id: C1, app_entitlement_id: RULED };
const quarterly = { access_review_template_id: QUARTERLY };
const ofType = { app_id: GITHUB, app_resource_type_id: REPOSITORY };
const thing = { ...ofType, id: idOf("resource") };
const desk = { id: DESK };
const conflict = { id: CONFLICT };
const bound = {
  monitorId: CONFLICT,
  appId: GITHUB,
  appEntitlementId: ADMIN,
  entitlementGroup: "ENTITLEMENT_GROUP_A",
};
const ownedBy = [
  ["App", "apps/{app_id}", { app_id: GITHUB }],
  ["Entitlement", "apps/{app_id}/entitlements/{entitlement_id}", { app_id: GITHUB, entitlement_id: MEMBER }],
  [
    "Resource",
    "apps/{app_id}/resource_types/{resource_type_id}/resources/{resource_id}",
    { app_id: GITHUB, resource_type_id: REPOSITORY, resource_id: idOf("resource") },
  ],
] as const;
const repository = { app_id: GITHUB, id: REPOSITORY };

const scope = {
  specificResources: {},
  userCriteria: {
    groupAppEntitlementsRef: [{ appId: GITHUB, id: ADMIN }],
    multiUserProfileAttributes: { team: { values: [{ value: "blue" }] } },
    userStatus: ["ENABLED"],
  },
  accountCelExpression: { expression: "true" },
  grantsByCriteria: {
    accessProfileFilter: { filterType: "ACCESS_PROFILE_FILTER_TYPE_INCLUDE_ALL" },
    daysSinceLastUsed: "7776000s",
    grantsAddedBetween: { startDate: "2025-01-01T00:00:00Z" },
  },
  allAccessConflicts: {},
  resourceSelection: {},
  excludedSpecificResources: {},
  scopeRoleSelection: {},
};

const OWNERS: readonly Stop[] = ownedBy.flatMap(([noun, place, of]) => {
  const at = `/api/v2/${place}/owners`;
  const user = {
    path: `${at}/users/{role_slug}/{user_ref_id}`,
    parameters: { ...of, role_slug: "owner", user_ref_id: ANA },
  };
  const group = {
    path: `${at}/entitlements/{role_slug}/{app_entitlement_ref_app_id}/{app_entitlement_ref_id}`,
    parameters: {
      ...of,
      role_slug: "owner",
      app_entitlement_ref_app_id: GITHUB,
      app_entitlement_ref_id: ADMIN,
    },
  };
  return [
    { operation: `Add${noun}OwnerUser`, method: "POST", ...user, body: { userRef: { id: ANA } } },
    { operation: `Add${noun}OwnerEntitlement`, method: "POST", ...group, body: {} },
    { operation: `List${noun}OwnerUsers`, method: "GET", path: `${at}/users`, parameters: of },
    { operation: `List${noun}OwnerEntitlements`, method: "GET", path: `${at}/entitlements`, parameters: of },
    { operation: `Remove${noun}OwnerUser`, method: "DELETE", ...user, body: {} },
    { operation: `Remove${noun}OwnerEntitlement`, method: "DELETE", ...group, body: {} },
  ];
});

/** The operations of the documented contract, with every kind of field. */
export const DOCUMENTED_WALK: readonly Stop[] = [
  {
    operation: "SetScopeAndEntitlements",
    method: "POST",
    path: `${SETUP}/scope_and_entitlements`,
    parameters: quarterly,
    body: {
      scope,
      entitlements: [{ appId: GITHUB, appEntitlementId: ADMIN }],
      expandMask: everything,
    },
  },
  {
    operation: "CreateAutomation",
    method: "POST",
    path: `${AUTOMATION}/create`,
    parameters: ruled,
    body: { automation: { displayName: "R", cel: { expression: "true" }, lastRunStatus: {} } },
  },
  {
    operation: "UpdateResourceType",
    method: "POST",
    path: `${TYPES}/{id}`,
    parameters: repository,
    body: { appResourceType: { displayName: "R", traitIds: ["t"] }, updateMask: "displayName,traitIds" },
  },
  {
    operation: "ListEntitlements",
    method: "GET",
    path: ENTITLEMENTS,
    parameters: { app_id: GITHUB },
    query: "page_size=10",
  },
];

/** A walk past every operation of the larger contract, in an order in which each succeeds. */
export const WALK: readonly Stop[] = [
  ...DOCUMENTED_WALK,
  {
    operation: "CreateTemplate",
    method: "POST",
    path: TEMPLATE,
    body: {
      displayName: "New",
      ownerIds: ["u"],
      scope,
      accessReviewDuration: "86400s",
      recurrenceRule: { frequency: "FREQUENCY_DAILY", interval: 2, endDate: "2026-01-01T00:00:00Z" },
      notificationConfig: { sendClose: true },
      annotations: { a: "b" },
    },
  },
  { operation: "GetTemplate", method: "GET", path: `${TEMPLATE}/{id}`, parameters: { id: QUARTERLY } },
  {
    operation: "UpdateTemplate",
    method: "POST",
    path: `${TEMPLATE}/{id}`,
    parameters: { id: QUARTERLY },
    body: { accessReviewTemplate: { displayName: "Q" }, updateMask: "displayName" },
  },
  {
    operation: "GetScopeAndEntitlements",
    method: "GET",
    path: `${SETUP}/scope_and_entitlements`,
    parameters: quarterly,
  },
  {
    operation: "SetScopeByResourceType",
    method: "POST",
    path: `${SETUP}/scope_by_resource_type`,
    parameters: quarterly,
    body: { resourceTypeSelections: [{ appId: GITHUB, resourceTypeId: REPOSITORY }], scope: null },
  },
  { operation: "GetAutomation", method: "GET", path: AUTOMATION, parameters: ruled },
  {
    operation: "UpdateAutomation",
    method: "POST",
    path: `${AUTOMATION}/update`,
    parameters: ruled,
    body: { entitlements: { entitlementRefs: [{ appId: GITHUB, id: MEMBER }] }, updateMask: null },
  },
  {
    operation: "AddExclusions",
    method: "POST",
    path: `${AUTOMATION}/exclusions`,
    parameters: ruled,
    body: { userIds: ["u"] },
  },
  { operation: "ListExclusions", method: "GET", path: `${AUTOMATION}/exclusions`, parameters: ruled },
  {
    operation: "RemoveExclusions",
    method: "DELETE",
    path: `${AUTOMATION}/exclusions`,
    parameters: ruled,
    body: { userIds: ["u"] },
  },
  { operation: "ListResourceTypes", method: "GET", path: TYPES, parameters: { app_id: GITHUB } },
  {
    operation: "CreateResourceType",
    method: "POST",
    path: TYPES,
    parameters: { app_id: GITHUB },
    body: { displayName: "Team", resourceType: "GROUP" },
  },
  { operation: "GetResourceType", method: "GET", path: `${TYPES}/{id}`, parameters: repository },
  {
    operation: "SearchResourceTypes",
    method: "POST",
    path: "/api/v1/search/app_resource_types",
    body: { appIds: [GITHUB] },
  },
  { operation: "ListApps", method: "GET", path: "/api/v1/apps" },
  { operation: "GetApp", method: "GET", path: "/api/v1/apps/{id}", parameters: { id: GITHUB } },
  {
    operation: "CreateApp",
    method: "POST",
    path: "/api/v1/apps",
    body: { displayName: "Badges", owners: [ANA] },
  },
  {
    operation: "UpdateApp",
    method: "POST",
    path: "/api/v1/apps/{id}",
    parameters: { id: GITHUB },
    body: { app: { monthlyCostUsd: 5 }, updateMask: "monthlyCostUsd" },
  },
  {
    operation: "SetAppRequestDefaults",
    method: "POST",
    path: "/api/v1/apps/{app_id}/access_request_defaults",
    parameters: { app_id: GITHUB },
    body: { defaultsEnabled: true, durationUnset: {} },
  },
  {
    operation: "GetAppRequestDefaults",
    method: "GET",
    path: "/api/v1/apps/{app_id}/access_request_defaults",
    parameters: { app_id: GITHUB },
  },
  {
    operation: "SetAppUsageControls",
    method: "POST",
    path: "/api/v1/apps/{app_id}/usage_controls",
    parameters: { app_id: GITHUB },
    body: { appUsageControls: { notify: true }, updateMask: "notify" },
  },
  {
    operation: "GetAppUsageControls",
    method: "GET",
    path: "/api/v1/apps/{app_id}/usage_controls",
    parameters: { app_id: GITHUB },
  },
  {
    operation: "ReorderConfigurationRules",
    method: "POST",
    path: `${RULES}/reorder`,
    parameters: { app_id: GITHUB },
    body: { ruleIds: [RULE] },
  },
  {
    operation: "UpdateConfigurationRule",
    method: "POST",
    path: `${RULES}/{id}`,
    parameters: { app_id: GITHUB, id: RULE },
    body: { displayName: "Rest", enabled: true },
  },
  {
    operation: "DeleteConfigurationRule",
    method: "DELETE",
    path: `${RULES}/{id}`,
    parameters: { app_id: GITHUB, id: RULE },
    body: {},
  },
  {
    operation: "CreateConfigurationRule",
    method: "POST",
    path: RULES,
    parameters: { app_id: GITHUB },
    body: { displayName: "Rest", enabled: false, settings: { maxGrantDuration: "28800s" } },
  },
  {
    operation: "GetAppConfigurationRules",
    method: "GET",
    path: RULES,
    parameters: { app_id: GITHUB },
  },
  { operation: "SearchApps", method: "POST", path: "/api/v1/search/apps", body: { displayName: "github" } },
  {
    operation: "GetEntitlement",
    method: "GET",
    path: `${ENTITLEMENTS}/{id}`,
    parameters: { app_id: GITHUB, id: ADMIN },
  },
  {
    operation: "ListEntitlementsOfResource",
    method: "GET",
    path: `${ENTITLEMENTS}/resource_types/{app_resource_type_id}/resources/{app_resource_id}`,
    parameters: { app_id: GITHUB, app_resource_type_id: REPOSITORY, app_resource_id: ADMIN },
  },
  {
    operation: "SearchEntitlements",
    method: "POST",
    path: "/api/v1/search/entitlements",
    body: { alias: "github-admin", expandMask: everything },
  },
  { operation: "ListCampaigns", method: "GET", path: "/api/v1/access_reviews" },
  {
    operation: "GetCampaign",
    method: "GET",
    path: "/api/v1/access_review/{id}",
    parameters: { id: CAMPAIGN },
  },
  {
    operation: "GetCampaignScopeAndEntitlements",
    method: "GET",
    path: "/api/v1/access_review/{access_review_id}/scope_and_entitlements",
    parameters: { access_review_id: CAMPAIGN },
  },
  { operation: "ListWorkflows", method: "GET", path: "/api/v1/automations" },
  { operation: "ListUsers", method: "GET", path: "/api/v1/users" },
  { operation: "GetUser", method: "GET", path: "/api/v1/users/{id}", parameters: { id: ANA } },
  {
    operation: "SearchUsers",
    method: "POST",
    path: "/api/v1/search/users",
    body: { refs: [{ id: ANA }], userStatuses: ["ENABLED"], expandMask: everything },
  },
  { operation: "ListCatalogs", method: "GET", path: "/api/v1/catalogs" },
  { operation: "GetCatalog", method: "GET", path: "/api/v1/catalogs/{id}", parameters: { id: PROFILE } },
  {
    operation: "CreateCatalog",
    method: "POST",
    path: CATALOGS,
    body: { displayName: "New", enrollmentBehavior: `${ENROLLING}BYPASS_ENTITLEMENT_REQUEST_POLICY` },
  },
  {
    operation: "UpdateCatalog",
    method: "POST",
    path: `${CATALOGS}/{id}`,
    parameters: { id: PROFILE },
    body: { catalog: { published: true }, updateMask: "published" },
  },
  {
    operation: "SetCatalogEntries",
    method: "POST",
    path: `${PARTS}/requestable_entitlements/update`,
    parameters: employees,
    body: { appEntitlements: [{ appId: GITHUB, id: ADMIN }] },
  },
  {
    operation: "AddCatalogEntries",
    method: "POST",
    path: `${PARTS}/requestable_entries`,
    parameters: employees,
    body: { appEntitlements: [{ appId: GITHUB, id: MEMBER }], createRequests: true },
  },
  {
    operation: "ListCatalogEntryIds",
    method: "GET",
    path: `${PARTS}/requestable_entitlementIDs`,
    parameters: employees,
  },
  {
    operation: "ListCatalogEntries",
    method: "GET",
    path: `${PARTS}/requestable_entitlements`,
    parameters: employees,
  },
  {
    operation: "RemoveCatalogEntries",
    method: "DELETE",
    path: `${PARTS}/requestable_entries`,
    parameters: employees,
    body: { appEntitlements: [{ appId: GITHUB, id: MEMBER }] },
  },
  {
    operation: "AddCatalogBindings",
    method: "POST",
    path: `${PARTS}/visibility_bindings`,
    parameters: employees,
    body: { accessEntitlements: [{ appId: GITHUB, id: ADMIN }] },
  },
  {
    operation: "ListCatalogBindings",
    method: "GET",
    path: `${PARTS}/visibility_entitlements`,
    parameters: employees,
  },
  {
    operation: "RemoveCatalogBindings",
    method: "DELETE",
    path: `${PARTS}/visibility_bindings`,
    parameters: employees,
    body: { accessEntitlements: [{ appId: GITHUB, id: ADMIN }] },
  },
  {
    operation: "CreateBundleAutomation",
    method: "POST",
    path: `${BUNDLE}/create`,
    parameters: bundled,
    body: { enabled: true, entitlements: { entitlementRefs: [{ appId: GITHUB, id: ADMIN }] } },
  },
  {
    operation: "SetBundleAutomation",
    method: "POST",
    path: BUNDLE,
    parameters: bundled,
    body: { enabled: true, removedMembersThresholdPercent: "30", cel: { expression: "true" } },
  },
  { operation: "GetBundleAutomation", method: "GET", path: BUNDLE, parameters: bundled },
  { operation: "DeleteBundleAutomation", method: "DELETE", path: BUNDLE, parameters: bundled, body: {} },
  {
    operation: "DeleteCatalog",
    method: "DELETE",
    path: `${CATALOGS}/{id}`,
    parameters: { id: PROFILE },
    body: {},
  },
  { operation: "ListRiskLevels", method: "GET", path: `${ATTRIBUTES}/risk_levels` },
  { operation: "ListComplianceFrameworks", method: "GET", path: `${ATTRIBUTES}/compliance_frameworks` },
  {
    operation: "CreateRiskLevel",
    method: "POST",
    path: `${ATTRIBUTES}/risk_levels`,
    body: { value: "New" },
  },
  {
    operation: "GetRiskLevel",
    method: "GET",
    path: `${ATTRIBUTES}/risk_levels/{id}`,
    parameters: { id: HIGH },
  },
  {
    operation: "CreateComplianceFramework",
    method: "POST",
    path: `${ATTRIBUTES}/compliance_frameworks`,
    body: { value: "New" },
  },
  {
    operation: "GetComplianceFramework",
    method: "GET",
    path: `${ATTRIBUTES}/compliance_frameworks/{id}`,
    parameters: { id: FRAMEWORK },
  },
  {
    operation: "GetAttributeValue",
    method: "GET",
    path: `${ATTRIBUTES}/{id}`,
    parameters: { id: HIGH },
  },
  { operation: "ListAttributeTypes", method: "GET", path: `${ATTRIBUTES}/types` },
  {
    operation: "ListAttributeValues",
    method: "GET",
    path: `${ATTRIBUTES}/types/{attribute_type_id}/values`,
    parameters: { attribute_type_id: BUILT_IN_TYPES.riskLevel },
  },
  {
    operation: "SearchAttributeValues",
    method: "POST",
    path: "/api/v1/search/attributes",
    body: { value: "high" },
  },
  {
    operation: "DeleteRiskLevel",
    method: "DELETE",
    path: `${ATTRIBUTES}/risk_levels/{id}`,
    parameters: { id: HIGH },
    body: {},
  },
  {
    operation: "DeleteComplianceFramework",
    method: "DELETE",
    path: `${ATTRIBUTES}/compliance_frameworks/{id}`,
    parameters: { id: FRAMEWORK },
    body: {},
  },
  { operation: "ListPolicies", method: "GET", path: "/api/v1/policies" },
  {
    operation: "SearchPolicies",
    method: "POST",
    path: "/api/v1/search/policies",
    body: { displayName: "manager" },
  },
  {
    operation: "CreatePolicy",
    method: "POST",
    path: "/api/v1/policies",
    body: {
      displayName: "New",
      policyType: "POLICY_TYPE_GRANT",
      policySteps: { grant: { steps: [{ approval: { manager: {} } }] } },
    },
  },
  { operation: "GetPolicy", method: "GET", path: "/api/v1/policies/{id}", parameters: { id: POLICY } },
  {
    operation: "UpdatePolicy",
    method: "POST",
    path: "/api/v1/policies/{id}",
    parameters: { id: POLICY },
    body: { policy: { description: "Asks the manager" }, updateMask: "description" },
  },
  {
    operation: "DeletePolicy",
    method: "DELETE",
    path: "/api/v1/policies/{id}",
    parameters: { id: POLICY },
    body: {},
  },
  {
    operation: "ListAccounts",
    method: "GET",
    path: "/api/v1/apps/{app_id}/app_users",
    parameters: { app_id: GITHUB },
  },
  {
    operation: "ListAccountsOfUser",
    method: "GET",
    path: "/api/v1/apps/{app_id}/users/{user_id}/app_users",
    parameters: { app_id: GITHUB, user_id: ANA },
  },
  {
    operation: "SearchAccounts",
    method: "POST",
    path: "/api/v1/search/app_users",
    body: { appUserStatuses: ["STATUS_ENABLED"], appUserDomains: ["APP_USER_DOMAIN_TRUSTED"] },
  },
  {
    operation: "SearchGrants",
    method: "POST",
    path: "/api/v1/search/grants",
    body: { entitlementRefs: [{ appId: GITHUB, id: ADMIN }], userId: ANA },
  },
  {
    operation: "ListGrantsOfEntitlement",
    method: "GET",
    path: `${ENTITLEMENTS}/{app_entitlement_id}/grants`,
    parameters: { app_id: GITHUB, app_entitlement_id: ADMIN },
  },
  {
    operation: "ListGrantsOfUser",
    method: "GET",
    path: `${ENTITLEMENTS}/{app_entitlement_id}/users/{identity_user_id}/grants`,
    parameters: { app_id: GITHUB, app_entitlement_id: ADMIN, identity_user_id: ANA },
  },
  {
    operation: "SearchGrantFeed",
    method: "POST",
    path: "/api/v1/grants/feed",
    body: { after: "2025-01-01T00:00:00Z", userRefs: [{ id: ANA }] },
  },
  {
    operation: "SearchResources",
    method: "POST",
    path: "/api/v1/search/app_resources",
    body: { resourceTypeIds: [REPOSITORY] },
  },
  { operation: "ListResources", method: "GET", path: RESOURCES, parameters: ofType },
  {
    operation: "CreateResource",
    method: "POST",
    path: RESOURCES,
    parameters: ofType,
    body: { displayName: "web", description: "The site" },
  },
  { operation: "GetResource", method: "GET", path: `${RESOURCES}/{id}`, parameters: thing },
  {
    operation: "UpdateResource",
    method: "POST",
    path: `${RESOURCES}/{id}`,
    parameters: thing,
    body: { appResource: { description: "Code" }, updateMask: "description" },
  },
  {
    operation: "CreateEntitlement",
    method: "POST",
    path: ENTITLEMENTS,
    parameters: { app_id: GITHUB },
    body: {
      displayName: "Reader",
      appResourceTypeId: REPOSITORY,
      appResourceId: thing.id,
      provisionPolicy: { manual: { instructions: "Ask" } },
    },
  },
  {
    operation: "UpdateEntitlement",
    method: "POST",
    path: `${ENTITLEMENTS}/{id}`,
    parameters: { app_id: GITHUB, id: MEMBER },
    body: { entitlement: { durationGrant: "3600s" }, updateMask: "durationGrant" },
  },
  ...OWNERS,
  {
    operation: "DeleteEntitlement",
    method: "DELETE",
    path: `${ENTITLEMENTS}/{id}`,
    parameters: { app_id: GITHUB, id: MEMBER },
    body: {},
  },
  {
    operation: "DeleteResource",
    method: "DELETE",
    path: `${RESOURCES}/{id}`,
    parameters: thing,
    body: {},
  },
  { operation: "ListWebhooks", method: "GET", path: WEBHOOKS },
  {
    operation: "CreateWebhook",
    method: "POST",
    path: WEBHOOKS,
    body: { displayName: "New", url: "https://new.example.com", callbackTimeout: "86400s" },
  },
  { operation: "GetWebhook", method: "GET", path: `${WEBHOOKS}/{id}`, parameters: desk },
  {
    operation: "UpdateWebhook",
    method: "POST",
    path: `${WEBHOOKS}/{id}`,
    parameters: desk,
    body: { webhook: { description: "Tickets" }, updateMask: "description" },
  },
  {
    operation: "CreateMonitor",
    method: "POST",
    path: CONFLICTS,
    body: { displayName: "Pays and approves" },
  },
  { operation: "GetMonitor", method: "GET", path: `${CONFLICTS}/{id}`, parameters: conflict },
  {
    operation: "UpdateMonitor",
    method: "POST",
    path: `${CONFLICTS}/{id}`,
    parameters: conflict,
    body: { displayName: "Pays, approves", negateGroupB: true },
  },
  {
    operation: "CreateAppEntitlementMonitorBinding",
    method: "POST",
    path: BINDINGS,
    body: { ...bound, entitlementGroup: "ENTITLEMENT_GROUP_B" },
  },
  { operation: "GetAppEntitlementMonitorBinding", method: "POST", path: `${BINDINGS}/get`, body: bound },
  { operation: "DeleteAppEntitlementMonitorBinding", method: "DELETE", path: BINDINGS, body: bound },
  { operation: "DeleteMonitor", method: "DELETE", path: `${CONFLICTS}/{id}`, parameters: conflict, body: {} },
  { operation: "DeleteWebhook", method: "DELETE", path: `${WEBHOOKS}/{id}`, parameters: desk, body: {} },
  { operation: "DeleteAutomation", method: "DELETE", path: AUTOMATION, parameters: ruled, body: {} },
  {
    operation: "DeleteResourceType",
    method: "DELETE",
    path: `${TYPES}/{id}`,
    parameters: repository,
    body: {},
  },
  {
    operation: "DeleteTemplate",
    method: "DELETE",
    path: `${TEMPLATE}/{id}`,
    parameters: { id: QUARTERLY },
    body: {},
  },
  {
    operation: "DeleteApp",
    method: "DELETE",
    path: "/api/v1/apps/{id}",
    parameters: { id: GITHUB },
    body: {},
  },
];

/** Where a stop's request goes. */
export function placeOf(stop: Stop): string {
  const path = stop.path.replace(/\{(\w+)\}/g, (_, name: string) => stop.parameters?.[name] ?? "");
  return stop.query === undefined ? path : `${path}?${stop.query}`;
}
