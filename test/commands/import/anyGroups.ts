import fc from "fast-check";
import { customEntitlement } from "../../../src/kinds/customEntitlement.js";
import type { Kind } from "../../../src/kinds/kind.js";
import { normaliseWritten } from "../../../src/kinds/normalise.js";
import { resource } from "../../../src/kinds/resource.js";
import { webhook } from "../../../src/kinds/webhook.js";
import { isObject, type Json, type JsonObject } from "../../../src/model/json.js";
import { typeIdOf } from "../../../src/sandbox/tenant/builtin.js";
import { C1_APP_ID, type Tenant } from "../../../src/sandbox/tenant/tenant.js";
import { anySpec, withoutEmpty } from "../../kinds/specs.js";

type Written = Pick<Kind, "shape" | "schema">;

/** What an object may hold beside those fields, as the service would show what an author wrote. */
function contentsOf({ shape, schema }: Written, without: readonly string[]): fc.Arbitrary<JsonObject> {
  return anySpec(shape, without).map((spec) => normaliseWritten(withoutEmpty(spec, schema), shape));
}

const isSometimes = fc.integer({ min: 0, max: 5 }).map((number) => number === 0);
const WEBHOOK = contentsOf(webhook, ["id", "displayName", "url"]);
const RESOURCE = contentsOf(resource, ["appId", "appResourceTypeId", "id", "displayName", "owners"]);
const ENTITLEMENT = contentsOf(customEntitlement, [
  "appId",
  "appResourceTypeId",
  "appResourceId",
  "id",
  "displayName",
  "alias",
  "owners",
]);

/** Webhooks, and groups with their entitlements, as people and connectors leave them behind. */
export interface Groups {
  readonly hooks: readonly {
    readonly displayName: string;
    readonly fields: JsonObject;
    isDeleted: boolean;
  }[];
  readonly groups: readonly {
    readonly displayName: string;
    readonly fields: JsonObject;
    readonly isDeleted: boolean;
    readonly isSynced: boolean;
    readonly isCredential: boolean;
    readonly members: readonly Member[];
  }[];
}

interface Member {
  readonly displayName: string;
  readonly fields: JsonObject;
  readonly madeBy: "people" | "people" | "a connector" | "the service";
  readonly isDeleted: boolean;
  readonly isAliased: boolean;
  /** What people changed of what a connector wrote. */
  readonly edited: readonly string[];
  /** The rule that fills it; null without one. */
  readonly rule: string | null;
}

/** Any few of them, with those names. */
export function anyGroups(name: fc.Arbitrary<string>): fc.Arbitrary<Groups> {
  // The service wants a name of each.
  const displayName = name.map((text) => (text === "" ? "Thing" : text));
  const member: fc.Arbitrary<Member> = fc.record({
    displayName,
    fields: ENTITLEMENT,
    madeBy: fc.constantFrom("people", "people", "people", "a connector", "the service"),
    isDeleted: isSometimes,
    isAliased: fc.boolean(),
    edited: fc.subarray(NAMES),
    rule: fc.option(fc.constantFrom("true", 'subject.department == "IT"'), { freq: 2 }),
  });
  const group = fc.record({
    displayName,
    fields: RESOURCE,
    isDeleted: isSometimes,
    isSynced: isSometimes,
    isCredential: isSometimes,
    members: fc.array(member, { maxLength: 2 }),
  });
  return fc.record({
    hooks: fc.array(fc.record({ displayName, fields: WEBHOOK, isDeleted: isSometimes }), { maxLength: 2 }),
    groups: fc.array(group, { maxLength: 3 }),
  });
}

type GroupRows = Pick<Tenant, "webhooks" | "resources" | "entitlements" | "automations">;

/** Their rows in the tenant's own app, and the objects that an import has to take. */
export function rowsOfGroups({ hooks, groups }: Groups, idOf: (letter: string, number: number) => string) {
  const deleted = (isDeleted: boolean): JsonObject => (isDeleted ? { deletedAt: TIME } : {});
  const place = { appId: C1_APP_ID, appResourceTypeId: typeIdOf("GROUP") };
  const resources = groups.map(({ displayName, fields, isDeleted, isSynced, isCredential }, at) => ({
    ...fields,
    ...place,
    id: idOf("R", at),
    displayName: isCredential ? "Credential" : displayName,
    ...(isSynced ? { externalId: `synced-${at}` } : {}),
    ...deleted(isDeleted),
  }));
  const members = groups.flatMap(({ members, isDeleted }, group) =>
    members.map((member, at) => ({
      ...member,
      group: idOf("R", group),
      id: idOf("M", group * 10 + at),
      // The service deletes the entitlements of a resource with it.
      isDeleted: member.isDeleted || isDeleted,
    })),
  );
  const ruled = members.filter(({ rule, isDeleted }) => rule !== null && !isDeleted);
  const rows: GroupRows = {
    webhooks: hooks.map(({ displayName, fields, isDeleted }, at) => ({
      callbackTimeout: "691200s",
      ...fields,
      id: idOf("H", at),
      displayName,
      url: `https://hooks.example.com/${at}`,
      ...deleted(isDeleted),
    })),
    resources,
    entitlements: members.map(({ displayName, fields, madeBy, isDeleted, isAliased, edited, group, id }) => ({
      ...shownOf(fields),
      ...place,
      appResourceId: group,
      id,
      displayName,
      ...(isAliased ? { alias: `alias-${id.toLowerCase()}` } : {}),
      ...(madeBy === "people" ? { isManuallyManaged: true } : {}),
      ...(madeBy === "a connector" ? { sourceConnectorIds: { [idOf("K", 1)]: "x" } } : {}),
      ...(madeBy === "people" ? {} : { userEditedMask: edited.join(",") }),
      ...(madeBy === "the service" ? { systemBuiltin: true } : {}),
      ...deleted(isDeleted),
    })),
    automations: ruled.map(({ id, rule }) => ({
      appId: C1_APP_ID,
      appEntitlementId: id,
      displayName: "Rule",
      cel: { expression: rule ?? "" },
    })),
  };
  return {
    rows,
    importable: [
      ...hooks.flatMap(({ isDeleted }, at) => (isDeleted ? [] : [`Webhook ${idOf("H", at)}`])),
      ...groups.flatMap(({ isDeleted, isSynced, isCredential }, at) =>
        isDeleted || isSynced || isCredential
          ? []
          : [`Resource ${C1_APP_ID}/${place.appResourceTypeId}/${idOf("R", at)}`],
      ),
      ...members.flatMap((member) =>
        member.isDeleted || (member.madeBy !== "people" && !isSetUp(member))
          ? []
          : [`Entitlement ${C1_APP_ID}/${member.id}`],
      ),
      ...ruled.map(({ id }) => `EntitlementAutomation ${C1_APP_ID}/${id}`),
    ],
    expressions: ruled.map(({ id, rule }) => [`${C1_APP_ID}/${id}`, rule ?? ""] as const),
  };
}

/** What a connector writes of an entitlement. */
const NAMES = ["displayName", "description", "alias", "slug", "purpose"];

/** Whether people set something of what a connector made. */
function isSetUp({ displayName, fields, isAliased, edited }: Member): boolean {
  const shown: JsonObject = { ...fields, displayName, alias: isAliased ? "alias" : "" };
  return Object.entries(shown).some(
    ([name, value]) => isFull(value) && (!NAMES.includes(name) || edited.includes(name)),
  );
}

function isFull(value: Json | undefined): boolean {
  return Array.isArray(value) ? value.length > 0 : Boolean(value ?? false);
}

const TIME = "2025-01-06T09:00:00Z";

/** The fields of an entitlement as the service shows them (more-kinds, section 3). */
function shownOf({ provisionPolicy = null, deprovisionerPolicy = null, ...fields }: JsonObject): JsonObject {
  return {
    ...(fields.durationGrant === undefined ? { durationUnset: {} } : {}),
    ...fields,
    provisionerPolicy: policyShown(provisionPolicy),
    deprovisionerPolicy: policyShown(deprovisionerPolicy),
  };
}

function policyShown(policy: Json): JsonObject {
  if (!isObject(policy)) return { unconfigured: {} };
  const { delegated = null } = policy;
  return isObject(delegated) ? { ...policy, delegated: { ...delegated, implicit: true } } : policy;
}
