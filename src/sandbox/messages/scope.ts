import { list, map, message, names } from "../wire/descriptor.js";

const REVIEW = "c1.api.accessreview.v1";

/** An object whose presence is all it says. */
function marker(name: string) {
  return message(`${REVIEW}.${name}`, {});
}

/** The name of an entitlement: the app it belongs to, and its id there. */
export const entitlementRef = message("c1.api.app.v1.AppEntitlementRef", { appId: "string", id: "string" });

const appSelectionCriteria = message(`${REVIEW}.AppSelectionCriteriaScope`, {
  complianceFrameworkAttributeValueIds: list("string"),
  riskLevelAttributeValueIds: list("string"),
});

const celExpression = message(`${REVIEW}.CelExpressionScope`, { expression: "string" });

const profileAttributeValues = message(`${REVIEW}.UserProfileAttributeValues`, {
  values: list(message(`${REVIEW}.UserProfileAttributeValue`, { value: "string" })),
});

const userCriteria = message(`${REVIEW}.UserCriteriaScope`, {
  groupAppEntitlementsRef: list(entitlementRef),
  managerUserIds: list("string"),
  multiUserProfileAttributes: map(profileAttributeValues),
  userStatus: list(names("", "UNKNOWN", "ENABLED", "DISABLED", "DELETED")),
});

const accountCriteria = message(`${REVIEW}.AccountCriteriaScope`, {
  accountDomain: names("APP_USER_DOMAIN_", "UNSPECIFIED", "EXTERNAL", "TRUSTED"),
  accountTypes: list(names("APP_USER_TYPE_", "UNSPECIFIED", "USER", "SERVICE_ACCOUNT", "SYSTEM_ACCOUNT")),
  appUserStatuses: list(names("APP_USER_STATUS_", "UNSPECIFIED", "ENABLED", "DISABLED", "DELETED")),
  noAccountOwner: "bool",
});

const accessProfileFilter = message(`${REVIEW}.AccessProfileFilter`, {
  filterType: names(
    "ACCESS_PROFILE_FILTER_TYPE_",
    "UNSPECIFIED",
    "INCLUDE_ALL",
    "EXCLUDE_ALL",
    "EXCLUDE_SPECIFIC",
    "INCLUDE_SPECIFIC",
  ),
  excludedAccessProfileIds: list("string", 32),
  includedAccessProfileIds: list("string", 32),
});

const grantsByCriteria = message(
  `${REVIEW}.GrantsByCriteriaScope`,
  {
    accessProfileFilter,
    daysSinceAdded: "duration",
    daysSinceLastUsed: "duration",
    daysSinceReviewed: "duration",
    grantsAddedBetween: message(`${REVIEW}.GrantsAddedBetween`, {
      startDate: "timestamp",
      endDate: "timestamp",
    }),
    sourceFilter: names("GRANT_SOURCE_FILTER_", "UNSPECIFIED", "DIRECT", "INHERITED"),
    typeFilter: names("GRANT_FILTER_TYPE_", "UNSPECIFIED", "PERMANENT", "TEMPORARY"),
  },
  { criteria_filter: ["daysSinceAdded", "daysSinceReviewed", "grantsAddedBetween"] },
);

/** What a review goes by. */
export const SCOPE_TYPES = [
  "UNSPECIFIED",
  "BY_ENTITLEMENTS",
  "BY_ACCESS_CONFLICTS",
  "BY_RESOURCE",
  "BY_INHERITANCE",
  "BY_USERS",
] as const;

/** Who, what and which grants a review is about. */
export const scope = message(
  `${REVIEW}.AccessReviewScopeV2`,
  {
    appAccess: marker("AppAccessScope"),
    specificResources: marker("SpecificResourcesScope"),
    appSelectionCriteria,
    resourceTypeSelections: marker("ResourceTypeSelectionScope"),
    allUsers: marker("AllUsersScope"),
    selectedUsers: message(`${REVIEW}.SelectedUsersScope`, { userIds: list("string") }),
    userCriteria,
    celExpression,
    allAccounts: marker("AllAccountsScope"),
    accountCriteria,
    accountCelExpression: celExpression,
    allGrants: marker("AllGrantsScope"),
    grantsByCriteria,
    allAccessConflicts: marker("AllAccessConflictsScope"),
    specificAccessConflicts: marker("SpecificAccessConflictsScope"),
    resourceSelection: marker("ResourceSelectionScope"),
    excludedSpecificResources: marker("ExcludedSpecificResourcesScope"),
    excludedResourceTypeSelections: marker("ExcludedResourceTypeSelectionScope"),
    principalTypeFilter: names(
      "PRINCIPAL_TYPE_FILTER_",
      "UNSPECIFIED",
      "USERS",
      "RESOURCES",
      "USERS_AND_RESOURCES",
    ),
    scopeRoleSelection: marker("ScopeRoleSelectionScope"),
  },
  {
    apps_and_resources_scope: [
      "appAccess",
      "specificResources",
      "appSelectionCriteria",
      "resourceTypeSelections",
    ],
    users_scope: ["allUsers", "selectedUsers", "userCriteria", "celExpression"],
    accounts_scope: ["allAccounts", "accountCriteria", "accountCelExpression"],
    grants_scope: ["allGrants", "grantsByCriteria"],
    access_conflicts_scope: ["allAccessConflicts", "specificAccessConflicts"],
    resource_scope: ["resourceSelection"],
    excluded_apps_and_resources_scope: ["excludedSpecificResources", "excludedResourceTypeSelections"],
  },
);
