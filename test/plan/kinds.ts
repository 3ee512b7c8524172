import type { Kind } from "../../src/kinds/kind.js";
import type { JsonObject } from "../../src/model/json.js";
import { flag, id, keyed, list, marker, object, spec, text } from "../diff/shapes.js";

const appId = id({ of: "app" });
const ent = id({ of: "entitlement", within: "appId" });
const reads = {
  one: () => {
    throw new Error("no");
  },
  observe: () => undefined,
} as unknown as Kind["reads"];
const key = (names: readonly string[]) => (s: JsonObject) =>
  names.every((n) => typeof s[n] === "string") ? names.map((n) => String(s[n])) : null;
export const templateScope: Kind = {
  name: "TemplateScope",
  noun: { one: "template scope", many: "template scopes" },
  schema: {},
  rank: 30,
  reads,
  shape: spec(
    {
      templateId: id({ of: "template" }),
      entitlements: keyed(["appId", "appEntitlementId"], { appId, appEntitlementId: ent }),
      scope: object(
        {
          allUsers: marker,
          userCriteria: object({ userStatus: list(text()) }),
          celExpression: object({ expression: text("expression") }),
          noAccountOwner: flag,
        },
        { users_scope: ["allUsers", "userCriteria", "celExpression"] },
      ),
    },
    {},
    ["templateId"],
  ),
  verbs: { core: ["set"], full: ["set"] },
  key: key(["templateId"]),
  calls: (w) => [
    {
      method: "POST",
      path: ["t", ...(w.key ?? [])],
      body: { scope: w.after.scope ?? null, entitlements: w.after.entitlements ?? [] },
      effect: "repeatable",
    },
  ],
  answer: () => undefined,
};
export const entitlementAutomation: Kind = {
  name: "EntitlementAutomation",
  noun: { one: "automation", many: "automations" },
  schema: {},
  rank: 20,
  reads,
  shape: spec(
    {
      appId,
      appEntitlementId: ent,
      displayName: text(),
      description: text("text"),
      none: marker,
      cel: object({ expression: text("expression") }),
      basic: object({ expression: text("expression") }),
    },
    { conditions: ["none", "cel", "basic"] },
    ["appId", "appEntitlementId"],
  ),
  verbs: { core: ["create"], full: ["create", "update", "delete"] },
  key: key(["appId", "appEntitlementId"]),
  calls: (w) => [
    {
      method: w.verb === "delete" ? "DELETE" : "POST",
      path: ["a", ...(w.key ?? []), w.verb],
      body: w.after,
      effect: w.verb === "create" ? "once" : "repeatable",
    },
  ],
  answer: () => undefined,
};
export const resourceType: Kind = {
  name: "ResourceType",
  noun: { one: "resource type", many: "resource types" },
  schema: {},
  rank: 10,
  reads,
  shape: spec(
    {
      appId,
      id: id({ of: "resourceType", within: "appId" }),
      resourceType: text(),
      displayName: text(),
      traitIds: list(text()),
    },
    {},
    ["appId", "id"],
    ["resourceType"],
  ),
  verbs: { core: ["update"], full: ["create", "update", "delete"] },
  key: key(["appId", "id"]),
  matches: () => false,
  calls: (w) => [
    {
      method: w.verb === "delete" ? "DELETE" : "POST",
      path: ["r", ...(w.key ?? [])],
      body: { ...Object.fromEntries(w.fields.map((f) => [f, w.after[f] ?? null])), mask: w.fields.join() },
      effect: w.verb === "create" ? "once" : "repeatable",
    },
  ],
  answer: () => undefined,
};
export const kinds = [resourceType, entitlementAutomation, templateScope];
