import schema from "../../schemas/resource-type.json" with { type: "json" };
import type { Call, Segment } from "../model/call.js";
import { isObject, type Json, type JsonObject } from "../model/json.js";
import type { Key } from "../model/key.js";
import { outlineSpec } from "../schema/outline.js";
import { isConnected } from "./app.js";
import type { Kind, Observed, Work } from "./kind.js";
import { normalise } from "./normalise.js";
import { notCompared } from "./notCompared.js";
import { api, hasSameName, inside, isGone, keyBy, mask, pick, textOf, timesOf } from "./spelling.js";

const shape = outlineSpec(schema);
const DEFAULTS: JsonObject = { displayName: "", traitIds: [] };

/** A manually managed resource type of an app; without an id it is found by its display name. */
export const resourceType = {
  name: "ResourceType",
  noun: { one: "resource type", many: "resource types" },
  schema,
  shape,
  verbs: { core: ["update"], full: ["create", "update", "delete"] },
  isPointedAt: true,
  isMasked: true,
  holdsOthers: true,
  isPrunedByName: true,
  rank: 1,
  key: keyBy(shape),
  matches: hasSameName,
  // An app has at most one type of each other class.
  mayRepeat: ({ resourceType: type }) => type === "CUSTOM",
  // Every app has it from its first moment.
  isBuiltIn: ({ fields }) => fields.displayName === "Credential",
  reads: {
    one: ([app = "", id = ""]) => ({
      method: "GET",
      path: api("apps", app, "resource_types", id),
      effect: "read",
      expects: ["appResourceTypeView"],
    }),
    observe: (body, [app = ""]) => typeIn(inside(body, "appResourceTypeView") ?? body, app),
    // Ids of every class but CUSTOM are the same in all apps (docs/service/live.md, section 1C).
    parents: {
      of: (ids) => ({
        method: "POST",
        path: api("search", "app_resource_types"),
        body: { resourceTypeIds: [...ids] },
        effect: "read",
        expects: ["list"],
      }),
      row: (row) => typeIn({ appResourceType: row }, "")?.key,
    },
    list: {
      of: ([app = ""]) => typesOf(app),
      row: (row, [app = ""]) => typeIn(row, app),
    },
  },
  concern: { as: "holdings", of: ([appId = "", id = ""]) => ({ as: "type", appId, id }) },
  inventory: {
    trails: [
      {
        noun: "resource types",
        per: "app",
        on: ["full"],
        call: (app) => typesOf(app),
        keys: (row, app) => [typeIn(row, app)?.key ?? []].filter((key) => key.length > 0),
        shows: "the object",
        isRequired: true,
        isConnected,
      },
    ],
    gaps: [
      {
        misses: "fields",
        message:
          "The service does not show the field `resourceType`, which is used only to create the object.",
        hint: "Leave it out of the manifest. Write it only to create the type again after a delete.",
      },
    ],
  },
  // docs/service/live-reads.md, section H.
  terraform: {
    type: "conductorone_app_resource_type",
    key: ["app_id", "id"],
    unseen: { resourceType: "resource_type" },
  },
  calls: (work): readonly Call[] => {
    const [app = "", id = ""] = work.key ?? [textOf(work.identity, "appId")];
    if (work.verb === "delete")
      return [
        { method: "DELETE", path: api("apps", app, "resource_types", id), body: {}, effect: "repeatable" },
      ];
    if (work.verb === "create") return creation(work, app);
    return [update(app, id, work.after, work.fields)];
  },
  // Something other than the documented envelope may be the type itself.
  answer: ({ key, identity }, replies) => {
    const body = replies.at(-1) ?? null;
    const isBare = isObject(body) && typeof body.id === "string";
    return typeIn(isBare ? { appResourceType: body } : body, key?.[0] ?? textOf(identity, "appId"));
  },
} as const satisfies Kind;

function typesOf(app: string): Call {
  return { method: "GET", path: api("apps", app, "resource_types"), effect: "read", expects: ["list"] };
}

// A create takes no traits, so they follow in an update of what was just made.
function creation({ identity, after, fields }: Work, app: string): readonly Call[] {
  const create: Call = {
    method: "POST",
    path: api("apps", app, "resource_types"),
    body: { displayName: textOf(after, "displayName"), ...pick(identity, ["resourceType"]) },
    effect: "once",
    expects: ["appResourceType"],
  };
  const rest = fields.filter((name) => name !== "displayName" && after[name] !== undefined);
  return rest.length === 0
    ? [create]
    : [create, update(app, { reply: ["appResourceType", "id"] }, after, rest)];
}

function update(app: string, id: Segment, after: JsonObject, fields: readonly string[]): Call {
  return {
    method: "POST",
    path: api("apps", app, "resource_types", id),
    body: {
      appResourceType: { ...pick(DEFAULTS, fields), ...pick(after, fields) },
      updateMask: mask(fields),
    },
    effect: "repeatable",
    expects: ["appResourceType"],
  };
}

function typeIn(body: Json, app: string): Observed | undefined {
  const record = inside(body, "appResourceType");
  if (record === undefined || isGone(record)) return undefined;
  const key: Key = [textOf(record, "appId") || app, textOf(record, "id")];
  const fields = normalise(pick(record, ["displayName", "traitIds"]), shape);
  return { key, fields, ...timesOf(record), ...notCompared([record], (name) => !shape.fields.has(name)) };
}
