import fc from "fast-check";
import type { Json, JsonObject } from "../../../src/model/json.js";
import { idOf } from "../../fakes/many.js";
import * as access from "./access.js";
import { PEOPLE, ROLE } from "./owners.js";
import { APP, type Place, ROLES } from "./places.js";

/** A value of a manifest, and how the service keeps it (docs/service/interface.md §2, docs/service/live.md §6); undefined where it keeps nothing. */
export interface Written {
  readonly says: Json;
  readonly kept: Json | undefined;
}

/** The units of one manifest that are written, by name; of a condition, the member that is chosen. */
export type Spec = Readonly<Record<string, Written>>;

const same = (value: Json): Written => ({ says: value, kept: value });
const cleared = (value: Json): Written => ({ says: value, kept: undefined });
const but = (says: Json, kept: Json): Written => ({ says, kept });

const users = [1, 2].map((number) => idOf("user", number));
const text = (expression: string): JsonObject => ({ expression });

/** What a scope may say, one line for each group of docs/service/interface.md §2.5. */
const MEMBERS: Readonly<Record<string, readonly Written[]>> = {
  appAccess: [same({})],
  specificResources: [same({})],
  appSelectionCriteria: [same({ riskLevelAttributeValueIds: [idOf("risk", 1)] })],
  allUsers: [same({})],
  selectedUsers: [same({ userIds: users })],
  userCriteria: [
    same({ userStatus: ["ENABLED"] }),
    same({ multiUserProfileAttributes: { team: { values: [{ value: "red" }] } } }),
    same({ managerUserIds: users, groupAppEntitlementsRef: [{ appId: APP, id: ROLES[0] ?? "" }] }),
  ],
  celExpression: [same(text('subject.department == "Risk"')), same(text('subject.department  ==  "Law"'))],
  allAccounts: [same({})],
  accountCriteria: [same({ accountDomain: "APP_USER_DOMAIN_EXTERNAL", noAccountOwner: true })],
  allGrants: [same({})],
  grantsByCriteria: [
    but(
      { daysSinceLastUsed: "90d", typeFilter: "GRANT_FILTER_TYPE_PERMANENT" },
      { daysSinceLastUsed: "7776000s", typeFilter: "GRANT_FILTER_TYPE_PERMANENT" },
    ),
    but({ daysSinceAdded: "PT12H30M" }, { daysSinceAdded: "45000s" }),
    but(
      { grantsAddedBetween: { startDate: "2026-01-31T02:00:00+02:00" } },
      { grantsAddedBetween: { startDate: "2026-01-31T00:00:00Z" } },
    ),
    same({
      accessProfileFilter: {
        filterType: "ACCESS_PROFILE_FILTER_TYPE_INCLUDE_SPECIFIC",
        includedAccessProfileIds: [idOf("profile", 1)],
      },
    }),
  ],
  principalTypeFilter: [
    same("PRINCIPAL_TYPE_FILTER_USERS"),
    same("PRINCIPAL_TYPE_FILTER_USERS_AND_RESOURCES"),
  ],
  scopeRoleSelection: [same({})],
};

const GROUPS: readonly (readonly string[])[] = [
  ["appAccess", "specificResources", "appSelectionCriteria"],
  ["allUsers", "selectedUsers", "userCriteria", "celExpression"],
  ["allAccounts", "accountCriteria"],
  ["allGrants", "grantsByCriteria"],
  ["principalTypeFilter"],
  ["scopeRoleSelection"],
];

const memberOf = (name: string) =>
  fc.constantFrom(...(MEMBERS[name] ?? [])).map((value) => [name, value] as const);

const someScope: fc.Arbitrary<Written> = fc
  .tuple(...GROUPS.map((group) => fc.option(fc.constantFrom(...group).chain(memberOf), { freq: 2 })))
  .map((members) => {
    const chosen = members.filter((member) => member !== null);
    const kept = chosen.flatMap(([name, { kept }]) => (kept === undefined ? [] : [[name, kept] as const]));
    return {
      says: Object.fromEntries(chosen.map(([name, { says }]) => [name, says])),
      kept: Object.fromEntries(kept),
    };
  });

const scope = fc.oneof(
  { weight: 9, arbitrary: someScope },
  { weight: 1, arbitrary: fc.constant(cleared(null)) },
);

const rows = fc.subarray([...ROLES]).map((roles): Written => {
  const list = roles.map((appEntitlementId) => ({ appId: APP, appEntitlementId }));
  return list.length === 0 ? cleared([]) : same(list);
});

const displayName = fc.constantFrom("One", "Two", "Three").map(same);
const description = fc.constantFrom(same("Everyone."), same("Two\nlines."), cleared(""));
const traitIds = fc
  .subarray([1, 2].map((number) => idOf("trait", number)))
  .map((ids) => (ids.length === 0 ? cleared([]) : same(ids)));

const url = fc.constantFrom("https://a.example/", "https://b.example/").map(same);
const callbackTimeout = fc.constantFrom(but("2d", "172800s"), same("86400s"));
const purpose = fc
  .constantFrom("ASSIGNMENT", "OWNERSHIP")
  .map((name) => same(`APP_ENTITLEMENT_PURPOSE_VALUE_${name}`));
const slug = fc.constantFrom(same("member"), cleared(""));
const durationGrant = fc.constantFrom(but("30d", "2592000s"), same("3600s"), cleared(null));
const provisionPolicy = fc.constantFrom(
  same({ manual: { instructions: "Ask Ana." } }),
  same({ webhook: { webhookId: idOf("hook", 1) } }),
  cleared(null),
);
/** What people set of every entitlement. */
const GOVERNED = {
  grantPolicyId: access.somePolicy,
  revokePolicyId: access.somePolicy,
  emergencyGrantEnabled: access.isOnInEmergencies,
  riskLevelValueId: access.someRisk,
  complianceFrameworkValueIds: access.someFrameworks,
};
const accessReviewDuration = fc.constantFrom(but("14d", "1209600s"), same("86400s"));
const owners = fc
  .subarray<Json>([
    ...PEOPLE.map((user) => ({ user, role: ROLE })),
    ...ROLES.slice(0, 2).map((id) => ({ entitlement: { appId: APP, id }, role: ROLE })),
  ])
  .map((all) => (all.length === 0 ? cleared([]) : same(all)));
const autoStartCampaign = fc.constantFrom(same(true), cleared(false));

const requestBundle = fc.constantFrom(same(true), cleared(false));
const requestableEntries = fc.subarray([...ROLES]).map((roles): Written => {
  const list = roles.map((id) => ({ appId: APP, id }));
  return list.length === 0 ? cleared([]) : same(list);
});
// The service takes visibility only for a profile that is published.
const visibility = fc.constantFrom<Spec[]>(
  {},
  { published: cleared(false), visibilityBindings: cleared([]) },
  { published: same(true), visibilityBindings: cleared([]) },
  ...ROLES.map((id) => ({ published: same(true), visibilityBindings: same([{ appId: APP, id }]) })),
);

const condition = fc.constantFrom(
  { cel: same(text('subject.department == "Engineering"')) },
  { cel: same(text('subject.department  == "Sales"')) },
  { basic: same(text("subject.title == 'Lead'")) },
  { none: same({}) },
  { entitlements: same({ entitlementRefs: [{ appId: APP, id: ROLES[1] ?? "" }] }) },
);

/** What a manifest may say of an object of a kind, besides which object it is. */
export function specOf(place: Place): fc.Arbitrary<Spec> {
  const { kind, path, isConnected } = place;
  switch (kind) {
    case "TemplateScope":
      return partly({ scope, entitlements: rows }, []);
    case "ResourceType":
      return path === null ? partly({ traitIds }, []) : partly({ displayName, traitIds }, []);
    case "Webhook":
      return partly({ displayName, url, description, callbackTimeout }, ["displayName", "url"]);
    case "Resource":
      return partly({ displayName, description, owners }, ["displayName"]);
    case "Entitlement":
      if (isConnected) return partly({ ...GOVERNED, durationGrant, owners }, []);
      return partly(
        { displayName, description, purpose, slug, durationGrant, provisionPolicy, owners, ...GOVERNED },
        ["displayName"],
      );
    case "ReviewTemplate":
      return partly({ displayName, description, accessReviewDuration, autoStartCampaign }, ["displayName"]);
    case "AccessProfile":
      return fc
        .tuple(
          partly({ displayName, description, requestBundle, requestableEntries }, ["displayName"]),
          visibility,
        )
        .map(([fields, seen]): Spec => ({ ...fields, ...seen }));
    case "App":
      return partly(
        {
          displayName,
          description,
          grantPolicyId: access.somePolicy,
          certifyPolicyId: access.somePolicy,
          requestDefaults: access.requestDefaults,
          usageControls: access.usageControls,
          owners,
        },
        ["displayName"],
      );
    case "AppConfigurationRules":
      return partly({ rules: access.rules }, ["rules"]);
    case "Policy":
      return fc
        .tuple(partly({ displayName, description }, ["displayName"]), access.wayOf(place))
        .map(([texts, way]): Spec => ({ ...texts, ...way }));
    // The service never changes a value.
    case "RiskLevel":
    case "ComplianceFramework":
      return partly({ value: fc.constant(same(place.name)) }, ["value"]);
    case "AccessConflict":
      return partly(
        {
          displayName,
          description,
          negateGroupB: autoStartCampaign,
          groupA: access.group,
          groupB: access.group,
        },
        ["displayName"],
      );
    case "EntitlementAutomation":
      return fc
        .tuple(partly({ displayName, description }, ["displayName"]), fc.option(condition, { freq: 4 }))
        .map(([texts, chosen]): Spec => ({ ...texts, ...chosen }));
  }
}

function partly(
  units: Record<string, fc.Arbitrary<Written>>,
  required: readonly string[],
): fc.Arbitrary<Spec> {
  return fc.record(units, { requiredKeys: [...required] });
}
