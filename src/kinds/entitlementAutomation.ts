import schema from "../../schemas/entitlement-automation.json" with { type: "json" };
import type { Call } from "../model/call.js";
import { isObject, type Json, type JsonObject } from "../model/json.js";
import type { Key } from "../model/key.js";
import { outlineSpec, setByService } from "../schema/outline.js";
import type { Group } from "../schema/shape.js";
import type { Kind, Observed } from "./kind.js";
import { normalise } from "./normalise.js";
import { notCompared } from "./notCompared.js";
import { api, inside, isGone, keyBy, pick, textOf, timesOf } from "./spelling.js";
import { unnamedChoice } from "./unnamed.js";

const shape = outlineSpec(schema);
const isSetByService = setByService(schema.$defs.spec);
const CONDITIONS: Group = shape.groups[0] ?? { name: "conditions", members: [], open: [] };
const FIELDS = ["displayName", "description", "none", "entitlements", "cel", "basic"];

/** The automation of an app entitlement; an entitlement has at most one. */
export const entitlementAutomation = {
  name: "EntitlementAutomation",
  noun: { one: "entitlement automation", many: "entitlement automations" },
  schema,
  shape,
  verbs: { core: ["create"], full: ["create", "update", "delete"] },
  isPointedAt: false,
  isMasked: false,
  holdsOthers: false,
  isOwnAppOnly: true,
  rank: 4,
  key: keyBy(shape),
  reads: {
    existsBy: {
      list: "entitlement",
      says: ({ automated }) => automated ?? null,
      search: { most: 100, call: searchKeys, row: existingIn },
    },
    one: (key) => ({
      method: "GET",
      path: automation(key),
      effect: "read",
      expects: ["AppEntitlementAutomation"],
    }),
    observe,
  },
  concern: {
    as: "members",
    entitlement: ([appId = "", id = ""]) => ({ appId, id }),
    rule: (object) => pick(object, [...CONDITIONS.members, CONDITIONS.name]),
  },
  inventory: {
    trails: [
      {
        noun: "automated entitlements",
        per: "tenant",
        on: ["full"],
        call: searchAutomated,
        keys: automatedIn,
        shows: "the key",
        isRequired: true,
      },
    ],
    gaps: [
      {
        misses: "objects",
        // docs/service/live-reads.md, section J, question 9.
        message:
          "The documentation does not say whether the search for automated entitlements shows automations whose condition is `none`.",
        hint: "Write the ids of the app and the entitlement to import such an automation.",
      },
    ],
  },
  // docs/service/live.md, section 2.
  writers: { every: ["Super Admin"], own: [] },
  // docs/service/live-reads.md, section H.
  terraform: {
    type: "conductorone_app_entitlement_automation",
    key: ["app_id", "app_entitlement_id"],
    unseen: {},
  },
  calls: ({ verb, key, after }): readonly Call[] => {
    const path = automation(key ?? []);
    if (verb === "delete") return [{ method: "DELETE", path, body: {}, effect: "repeatable" }];
    if (verb === "create")
      return [
        {
          method: "POST",
          path: [...path, "create"],
          body: { automation: whole(after) },
          effect: "once",
          expects: ["automation"],
        },
      ];
    // Without a mask the whole object is replaced; a mask's way to the condition is documented nowhere.
    return [
      {
        method: "POST",
        path: [...path, "update"],
        body: whole(after),
        effect: "repeatable",
        expects: ["AppEntitlementAutomation"],
      },
    ];
  },
  // Something other than the documented envelope may be the automation itself.
  answer: ({ key }, replies) => {
    const body = replies.at(-1) ?? null;
    const isBare = isObject(body) && typeof body.appEntitlementId === "string";
    return observe(isBare ? { automation: body } : body, key ?? []);
  },
} as const satisfies Kind;

function automation([app = "", entitlement = ""]: Key) {
  return api("apps", app, "entitlements", entitlement, "automation");
}

function searchAutomated(): Call {
  return {
    method: "POST",
    path: api("search", "entitlements"),
    body: { isAutomated: true },
    effect: "read",
    expects: ["list"],
  };
}

// A search by keys shows new entitlements, too: only its texts lag behind (docs/service/live.md, section 1C).
function searchKeys(keys: readonly Key[]): Call {
  const refs = keys.map(([appId = "", id = ""]) => ({ appId, id }));
  return {
    method: "POST",
    path: api("search", "entitlements"),
    body: { refs },
    effect: "read",
    expects: ["list"],
  };
}

function existingIn(row: Json) {
  const entitlement = inside(row, "appEntitlement");
  if (entitlement === undefined || isGone(entitlement)) return undefined;
  const { isAutomationEnabled: automated } = entitlement;
  const key: Key = [textOf(entitlement, "appId"), textOf(entitlement, "id")];
  return { key, exists: typeof automated === "boolean" ? automated : null };
}

function automatedIn(row: Json): readonly Key[] {
  const entitlement = inside(row, "appEntitlement");
  if (entitlement === undefined || isGone(entitlement) || entitlement.isAutomationEnabled !== true) return [];
  return [[textOf(entitlement, "appId"), textOf(entitlement, "id")]];
}

function whole(after: JsonObject): JsonObject {
  const unnamed = after[CONDITIONS.name];
  const fields = { displayName: "", description: "", ...pick(after, FIELDS) };
  return isObject(unnamed) ? { ...fields, ...unnamed } : fields;
}

// The message is the service's, and may be as long as it likes.
const LONGEST = 200;

/** Why the service's last run of the rule failed; nothing where it did not. */
function lastRunOf(record: JsonObject): { readonly trouble?: string } {
  const run = inside(record, "lastRunStatus") ?? {};
  if (textOf(run, "status") !== "APP_ENTITLEMENT_AUTOMATION_RUN_STATUS_FAILED") return {};
  const [message, at] = [textOf(run, "errorMessage").slice(0, LONGEST), textOf(run, "lastCompletedAt")];
  const when = at === "" ? "" : ` at ${at}`;
  return {
    trouble: `the service's last run of the rule${when} failed${message === "" ? "" : `: ${message}`}`,
  };
}

// A read and an update answer with a capital letter, a create without.
function observe(body: Json, key: Key): Observed | undefined {
  const record = inside(body, "AppEntitlementAutomation") ?? inside(body, "automation");
  if (record === undefined || isGone(record)) return undefined;
  const managedBy = textOf(record, "managedByRequestCatalogId");
  const isKnown = (name: string, value: Json) => shape.fields.has(name) || isSetByService(name, value);
  const condition = unnamedChoice(record, CONDITIONS, isKnown);
  const fields = normalise({ ...pick(record, FIELDS), ...condition }, shape);
  const chosen = condition[CONDITIONS.name];
  const isLeftOut = (name: string) =>
    !shape.fields.has(name) && !(isObject(chosen) && Object.hasOwn(chosen, name));
  const own = { ...timesOf(record), ...lastRunOf(record) };
  const observed = { key, fields, ...own, ...notCompared([record], isLeftOut) };
  return managedBy === "" ? observed : { ...observed, managedBy };
}
