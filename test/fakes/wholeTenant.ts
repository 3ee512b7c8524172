import type { JsonObject } from "../../src/model/json.js";
import { BUILT_IN_TYPES } from "../../src/sandbox/collections/attributes.js";
import {
  C1_APP_ID,
  EMPTY_TENANT,
  type NamedRow,
  type Rows,
  type Tenant,
} from "../../src/sandbox/tenant/tenant.js";

/** How many there are of each; entitlements are spread over the apps. */
export interface Sizes {
  readonly apps: number;
  readonly policies: number;
  /** Entitlements with settings that people wrote. */
  readonly set: number;
  /** Entitlements as their connector made them. */
  readonly untouched: number;
}

/** A tenant as a company has it after some years in the browser: every third app is made by hand, the others by connectors. */
export function wholeTenant({ apps, policies, set, untouched }: Sizes): Tenant {
  const rows = {
    apps: Array.from({ length: apps }, (_, at) => appRow(at, policies)),
    policies: [BUILT_IN, ...Array.from({ length: policies }, (_, at) => policyRow(at))],
    entitlements: Array.from({ length: set + untouched }, (_, at) =>
      entitlementRow(at, apps, at < set, policies),
    ),
  };
  const own = { id: C1_APP_ID, displayName: "C1" };
  return {
    ...EMPTY_TENANT,
    open: false,
    users: PEOPLE.map((id, at) => ({
      id,
      displayName: `Person ${at}`,
      email: `p${at}@example.com`,
      status: "ENABLED",
    })),
    ...rows,
    apps: [own, ...rows.apps],
    attributes: VALUES,
    resourceTypes: rows.apps.map(({ id }, at) => ({
      appId: id,
      id: typeOf(at),
      displayName: "Team",
      resourceType: "CUSTOM",
    })),
    resources: rows.apps.map(({ id }, at) => ({
      appId: id,
      appResourceTypeId: typeOf(at),
      id: thingOf(at),
      displayName: "Core",
      ...(isByHand(at) ? { isManuallyManaged: true } : {}),
    })),
    owners: rows.apps
      .slice(0, Math.ceil(apps / 4))
      .map(({ id }, at) => ownerRow(id, PEOPLE[at % PEOPLE.length] ?? "")),
  };
}

/** What `terraform show -json` says of a tenant's apps, policies, set entitlements and values. */
export function terraformOf(tenant: Tenant): JsonObject {
  const resource = (type: string, name: string, values: JsonObject): JsonObject => {
    return { address: `${type}.${name}`, mode: "managed", type, name, values };
  };
  const { apps, policies, entitlements, attributes } = tenant;
  const resources = [
    ...apps.slice(1).map(({ id }, at) => resource("conductorone_app", `a${at}`, { id })),
    ...policies.slice(1).map(({ id }, at) => resource("conductorone_policy", `p${at}`, { id })),
    ...entitlements
      .filter(isSet)
      .map(({ appId, id }, at) => resource("conductorone_app_entitlement", `e${at}`, { app_id: appId, id })),
    ...attributes.map(({ id, attributeTypeId }, at) =>
      attributeTypeId === BUILT_IN_TYPES.riskLevel
        ? resource("conductorone_risk_level", `v${at}`, { id })
        : resource("conductorone_compliance_framework", `v${at}`, { id }),
    ),
  ];
  return { format_version: "1.0", values: { root_module: { resources } } };
}

/** Whether people wrote settings of it. */
export function isSet(row: JsonObject): boolean {
  if (row.defaultValuesApplied === true) return false;
  return (
    row.isManuallyManaged === true || SETTINGS.some((name) => row[name] !== undefined && row[name] !== NONE)
  );
}

const id = (word: string, at: number): string => `2${word}${String(at).padStart(26 - word.length, "0")}`;
const appOf = (at: number) => id("app", at);
const typeOf = (at: number) => id("type", at);
const thingOf = (at: number) => id("thing", at);
const policyOf = (at: number) => id("policy", at);
const isByHand = (at: number) => at % 3 === 0;
const PEOPLE = Array.from({ length: 5 }, (_, at) => id("person", at));
const RISKS = ["Low", "Medium", "High", "Crown jewels"];
const FRAMEWORKS = ["SOX", "PCI"];
const VALUES: readonly NamedRow[] = [
  ...RISKS.map((value, at) => ({ id: id("risk", at), attributeTypeId: BUILT_IN_TYPES.riskLevel, value })),
  ...FRAMEWORKS.map((value, at) => {
    return { id: id("frame", at), attributeTypeId: BUILT_IN_TYPES.complianceFramework, value };
  }),
];
const TYPES = ["GRANT", "GRANT", "REVOKE", "CERTIFY"];
const BUILT_IN: NamedRow = {
  id: id("builtin", 0),
  displayName: "Default request policy",
  policyType: "POLICY_TYPE_GRANT",
  policySteps: { grant: { steps: [{ approval: { manager: { assignedUserIds: [] } } }] } },
  systemBuiltin: true,
};
const NONE: JsonObject = { unconfigured: {} };
/** What people write of an entitlement that a connector made. */
const SETTINGS = [
  "grantPolicyId",
  "durationGrant",
  "riskLevelValueId",
  "provisionerPolicy",
  "emergencyGrantEnabled",
];

function typeNameOf(at: number): string {
  return TYPES[at % TYPES.length] ?? "GRANT";
}

/** A policy, by its place: each fourth leads elsewhere by a rule, each fifth has a second sort of steps. */
function policyRow(at: number): NamedRow {
  const type = typeNameOf(at);
  const word = type.toLowerCase();
  const person = PEOPLE[at % PEOPLE.length] ?? "";
  const asked: readonly JsonObject[] = [
    { manager: { fallback: true, fallbackUserIds: [person] } },
    { users: { userIds: [person], requireDistinctApprovers: true } },
    { group: { appId: appOf(0), appGroupId: id("seat", 0) } },
    { expression: { expressions: ["appOwners"], fallback: true, fallbackUserIds: [person] } },
    { appOwners: { allowSelfApproval: false } },
  ];
  const approval = { ...asked[at % asked.length], requireApprovalReason: at % 2 === 0, assigned: true };
  const wait = { name: "A day", duration: { duration: "86400s" } };
  const isTwofold = at % 5 === 0;
  return {
    id: policyOf(at),
    displayName: `${word} policy ${at}`,
    description: at % 2 === 0 ? `What is done about ${word} ${at}` : "",
    policyType: `POLICY_TYPE_${type}`,
    policySteps: {
      [word]: { steps: [...(at % 3 === 0 ? [{ wait }] : []), { approval }] },
      ...(isTwofold ? { other: { steps: [{ accept: { acceptMessage: "Fine" } }] } } : {}),
    },
    rules: [
      ...(isTwofold
        ? [{ condition: 'subject.department == "Tax"', stepKey: "other", policyKey: "other" }]
        : []),
      ...(at % 4 === 0 && at >= 4
        ? [{ condition: "entitlement.slug == 'a'", policyId: policyOf(at - 4) }]
        : []),
    ],
    postActions: type === "CERTIFY" ? [{ certifyRemediateImmediately: true }] : [],
    reassignTasksToDelegates: false,
    ...(at % 8 === 1
      ? { scope: { appId: appOf(at % 3), appEntitlementId: "", slot: "POLICY_SCOPE_SLOT_UNSPECIFIED" } }
      : {}),
  };
}

/** The policy of a type nearest to a place. */
function policyFor(type: string, at: number, policies: number): string {
  const all = Array.from({ length: policies }, (_, each) => each).filter(
    (each) => typeNameOf(each) === type && each % 8 !== 1,
  );
  const one = all[at % Math.max(1, all.length)];
  return one === undefined ? "" : policyOf(one);
}

function appRow(at: number, policies: number): Rows["apps"] {
  const grant = policyFor("GRANT", at, policies);
  return {
    id: appOf(at),
    displayName: `App ${at}`,
    description: "",
    ...(isByHand(at) ? { isManuallyManaged: true } : { connectorVersion: 3 }),
    grantPolicyId: at % 2 === 0 ? grant : "",
    revokePolicyId: policyFor("REVOKE", at, policies),
    monthlyCostUsd: at,
    identityMatching: "APP_USER_IDENTITY_MATCHING_STRICT",
    ...(at % 5 === 0
      ? {
          requestDefaults: {
            defaultsEnabled: true,
            resourceTypeIds: [typeOf(at)],
            requestPolicyId: grant,
            durationGrant: "2592000s",
            state: "APP_ACCESS_REQUEST_DEFAULTS_LAST_APPLY_STATE_SUCCESS",
          },
        }
      : {}),
    ...(at % 7 === 0
      ? { usageControls: { notify: true, notifyAfterDays: 30, revoke: false, revokeAfterDays: 0 } }
      : {}),
    ...(at % 10 === 1
      ? {
          configurationRules: ["Admins", "Rest"].map((displayName, place) => ({
            id: id(`rule${place}x`, at),
            appId: appOf(at),
            displayName,
            condition: place === 0 ? 'entitlement.slug == "admin"' : "",
            enabled: true,
            priority: place + 1,
            settings: { requestPolicyId: grant, maxGrantDuration: "28800s" },
          })),
        }
      : {}),
  };
}

function entitlementRow(
  at: number,
  apps: number,
  isWritten: boolean,
  policies: number,
): Rows["entitlements"] {
  const app = at % apps;
  const settings: readonly JsonObject[] = [
    { grantPolicyId: policyFor("GRANT", at, policies), durationGrant: "86400s" },
    { riskLevelValueId: id("risk", at % RISKS.length), complianceFrameworkValueIds: [id("frame", 0)] },
    {
      provisionerPolicy: {
        manual: {
          instructions: "Add them",
          userIds: [],
          assignee: { appOwners: { allowReassignment: false } },
        },
      },
    },
    { emergencyGrantEnabled: true, emergencyGrantPolicyId: policyFor("GRANT", at + 1, policies) },
    { grantPolicyId: policyFor("GRANT", at, policies), overrideAccessRequestsDefaults: true },
  ];
  const row = {
    appId: appOf(app),
    id: id("seat", at),
    displayName: `Seat ${at}`,
    description: "As the connector says",
    slug: at % 4 === 0 ? "admin" : "member",
    purpose: "APP_ENTITLEMENT_PURPOSE_VALUE_PERMISSION",
    appResourceTypeId: typeOf(app),
    appResourceId: thingOf(app),
    grantCount: String(at % 9),
    provisionerPolicy: NONE,
    defaultValuesApplied: false,
  };
  const duration = (more: JsonObject) => (more.durationGrant === undefined ? { durationUnset: {} } : {});
  // What the service wrote by itself: no one set it.
  const given =
    app % 5 === 0
      ? {
          grantPolicyId: policyFor("GRANT", app, policies),
          durationGrant: "2592000s",
          defaultValuesApplied: true,
        }
      : {};
  const more = isWritten ? (settings[at % settings.length] ?? {}) : given;
  return {
    ...row,
    ...more,
    ...duration(more),
    ...(isWritten && isByHand(app) ? { isManuallyManaged: true, description: "" } : {}),
  };
}

function ownerRow(appId: string, userRefId: string): NamedRow {
  const of = { appId, roleSlug: "owner", userRefId };
  return {
    id: ["App", "User", ...Object.values(of)].join("/"),
    of: "App",
    sort: "users",
    ...of,
    createdAt: "2025-01-01T00:00:00Z",
  };
}
