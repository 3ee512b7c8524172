import type { JsonObject } from "../../model/json.js";
import { type Operation, Refusal, type World } from "../answer/operation.js";
import { page, paging, times } from "../messages/members.js";
import { makeId } from "../tenant/identity.js";
import { ROOT } from "../tenant/store.js";
import type { AppRow } from "../tenant/tenant.js";
import { list, message } from "../wire/descriptor.js";
import { flag, parts, pick, text, texts } from "../wire/member.js";
import { writeTimestamp } from "../wire/moment.js";
import { appOf, born, existing } from "./owned.js";

const APP = "c1.api.app.v1.";
const AT = "/api/v1/apps/{app_id}/entitlement_configuration_rules";

const settings = message(`${APP}AppEntitlementRoutingRuleSettings`, {
  requestPolicyId: "string",
  requestSchemaId: "string",
  emergencyGrantEnabled: "bool",
  emergencyGrantPolicyId: "string",
  maxGrantDuration: "duration",
});
const written = {
  displayName: "string",
  description: "string",
  condition: "string",
  enabled: "bool",
  settings,
} as const;
const rule = message(`${APP}AppEntitlementRoutingRule`, {
  id: "string",
  appId: "string",
  ...written,
  priority: "int32",
  ...times,
});
const one = message(`${APP}AppEntitlementRoutingRuleResponse`, { routingRule: rule });

/** The rules of an app, in order: the place of each is its priority, from 1 on. */
export const configurationRules: readonly Operation[] = [
  {
    name: "GetAppConfigurationRules",
    summary: "Lists the rules of an app, all of them in one page.",
    method: "GET",
    path: AT,
    request: message(`${APP}ListAppEntitlementRoutingRulesRequest`, { appId: "string", ...paging }),
    response: page(`${APP}ListAppEntitlementRoutingRulesResponse`, rule),
    answer: (request, world) => ({
      list: shown(appOf(request, world)),
      nextPageToken: world.quirks.cutRules === true ? "more" : "",
    }),
  },
  {
    name: "CreateConfigurationRule",
    summary: "Makes a rule at its priority, or at the end.",
    method: "POST",
    path: AT,
    request: message(`${APP}CreateAppEntitlementRoutingRuleRequest`, {
      appId: "string",
      ...written,
      priority: "int32",
    }),
    response: one,
    answer(request, world) {
      const app = appOf(request, world);
      const made = { id: makeId(world.now, world.random), ...checked(request), ...born(world) };
      const rules = rowsOf(app);
      const place = Number(request.priority ?? 0);
      rules.splice(place === 0 ? rules.length : place - 1, 0, made);
      return ruleIn(put(app, rules, world), made.id);
    },
  },
  {
    name: "ReorderConfigurationRules",
    summary: "Puts the rules of an app in another order; takes each exactly once.",
    method: "POST",
    path: `${AT}/reorder`,
    request: message(`${APP}ReorderAppEntitlementRoutingRulesRequest`, {
      appId: "string",
      ruleIds: list("string"),
    }),
    response: message(`${APP}ReorderAppEntitlementRoutingRulesResponse`, { list: list(rule) }),
    answer(request, world) {
      const app = appOf(request, world);
      const ids = texts(request, "ruleIds");
      const rules = rowsOf(app);
      const ordered = ids.flatMap((id) => rules.filter((row) => row.id === id));
      if (ordered.length !== rules.length || new Set(ids).size !== rules.length)
        throw new Refusal("invalidArgument", "rule_ids must contain every rule exactly once");
      return { list: shown(put(app, ordered, world)) };
    },
  },
  {
    name: "UpdateConfigurationRule",
    summary: "Replaces a rule, but for its priority.",
    method: "POST",
    path: `${AT}/{id}`,
    request: message(`${APP}UpdateAppEntitlementRoutingRuleRequest`, {
      appId: "string",
      id: "string",
      ...written,
      priority: "int32",
    }),
    response: one,
    answer(request, world) {
      const [app, old] = found(request, world);
      const kept = { ...pick(old, ["id", "createdAt"]), updatedAt: writeTimestamp(world.now) };
      const changed = { ...checked(request), ...kept };
      return ruleIn(
        put(
          app,
          rowsOf(app).map((row) => (row === old ? changed : row)),
          world,
        ),
        text(old, "id"),
      );
    },
  },
  {
    name: "DeleteConfigurationRule",
    summary: "Deletes a rule.",
    method: "DELETE",
    path: `${AT}/{id}`,
    request: message(`${APP}DeleteAppEntitlementRoutingRuleRequest`, { appId: "string", id: "string" }),
    response: message(`${APP}DeleteAppEntitlementRoutingRuleResponse`, {}),
    answer(request, world) {
      const [app, old] = found(request, world);
      put(
        app,
        rowsOf(app).filter((row) => row !== old),
        world,
      );
      return {};
    },
  },
];

function rowsOf(app: AppRow): JsonObject[] {
  return [...parts(app, "configurationRules")];
}

function found(request: JsonObject, world: World): readonly [AppRow, JsonObject] {
  const app = appOf(request, world);
  return [app, existing(rowsOf(app).find((row) => row.id === text(request, "id")))];
}

function put(app: AppRow, configurationRules: readonly JsonObject[], { store }: World): AppRow {
  return store.apps.put(ROOT, app.id, { ...app, configurationRules } as AppRow);
}

function shown(app: AppRow): readonly JsonObject[] {
  return rowsOf(app).map((row, at) => ({ ...row, appId: app.id, priority: at + 1 }));
}

function ruleIn(app: AppRow, id: string): JsonObject {
  return { routingRule: shown(app).find((row) => row.id === id) ?? null };
}

/** What a write keeps: all of the rule, also what is not sent. */
function checked(request: JsonObject): JsonObject {
  if (text(request, "displayName") === "") throw new Refusal("invalidArgument", "display_name is required");
  return { ...pick(request, Object.keys(written)), enabled: flag(request, "enabled") };
}
