import schema from "../../schemas/resource.json" with { type: "json" };
import type { Call } from "../model/call.js";
import type { Json } from "../model/json.js";
import { outlineSpec } from "../schema/outline.js";
import type { Kind, Observed } from "./kind.js";
import { normalise } from "./normalise.js";
import { notCompared } from "./notCompared.js";
import { ownersSent, unshownOwners } from "./owners.js";
import { api, hasSameName, inside, isGone, keyBy, mask, pick, textOf, timesOf } from "./spelling.js";

const shape = outlineSpec(schema);
const FIELDS = ["displayName", "description"];
const CLEARED = { description: "" };

/** A thing in an app that people keep up to date, such as a group; without an id only the state knows which one is meant. */
export const resource = {
  name: "Resource",
  noun: { one: "resource", many: "resources" },
  schema,
  shape,
  verbs: { core: [], full: ["create", "update", "delete"] },
  isPointedAt: true,
  isMasked: true,
  holdsOthers: true,
  rank: 2,
  key: keyBy(shape),
  matches: hasSameName,
  namesRepeat: true,
  isBuiltIn: ({ fields }) => fields.displayName === "Credential",
  resourceOf: ({ key }) => key.at(-1) ?? "",
  reads: {
    one: ([app = "", type = "", id = ""]) => ({
      method: "GET",
      path: pathOf(app, type, id),
      effect: "read",
      expects: ["appResourceView"],
    }),
    observe: (body) => resourceIn(inside(body, "appResourceView") ?? body),
    list: {
      of: ([app = "", type = ""]) => ({
        method: "GET",
        path: pathOf(app, type),
        effect: "read",
        expects: ["list"],
      }),
      row: (row) => resourceIn(row),
    },
  },
  concern: { as: "holdings", of: ([appId = "", , id = ""]) => ({ as: "resource", appId, id }) },
  inventory: {
    trails: [
      {
        noun: "resources",
        per: "tenant",
        on: ["full"],
        call: () => searchResources(),
        keys: (row) => [resourceIn(row)?.key ?? []].filter((key) => key.length > 0),
        shows: "the object",
        isRequired: true,
      },
    ],
    gaps: [unshownOwners("resource")],
  },
  // docs/service/more-kinds.md, section 10; docs/service/live-reads.md, section H.
  writers: { every: ["Super Admin"], own: ["App Admin"] },
  terraform: {
    type: "conductorone_app_resource",
    key: ["app_id", "app_resource_type_id", "id"],
    unseen: {},
  },
  calls: ({ verb, key, identity, after, fields }): readonly Call[] => {
    const [app, type, id] = key ?? [textOf(identity, "appId"), textOf(identity, "appResourceTypeId")];
    if (verb === "create")
      return [
        {
          method: "POST",
          path: pathOf(app ?? "", type ?? ""),
          body: { ...pick(after, FIELDS), ...ownersSent(identity, "resourceOwnerUserIds") },
          effect: "once",
          expects: ["appResource"],
        },
      ];
    const path = pathOf(app ?? "", type ?? "", id ?? "");
    if (verb === "delete") return [{ method: "DELETE", path, body: {}, effect: "repeatable" }];
    const body = {
      appResource: { ...pick(CLEARED, fields), ...pick(after, fields) },
      updateMask: mask(fields),
    };
    return [{ method: "POST", path, body, effect: "repeatable", expects: ["appResourceView"] }];
  },
  // The reply to a create has no view around the resource.
  answer: (_, replies) => {
    const body = replies.at(-1) ?? null;
    return resourceIn(inside(body, "appResourceView") ?? body);
  },
} as const satisfies Kind;

/** The search that shows the resources of an app, or of all apps. */
export function searchResources(app?: string): Call {
  const body = app === undefined ? {} : { appIds: [app] };
  return { method: "POST", path: api("search", "app_resources"), body, effect: "read", expects: ["list"] };
}

function pathOf(app: string, type: string, ...id: readonly string[]) {
  return api("apps", app, "resource_types", type, "resources", ...id);
}

function resourceIn(body: Json): Observed | undefined {
  const record = inside(body, "appResource");
  if (record === undefined || isGone(record)) return undefined;
  const key = ["appId", "appResourceTypeId", "id"].map((name) => textOf(record, name));
  if (key.includes("")) return undefined;
  return {
    key,
    fields: normalise(pick(record, FIELDS), shape),
    // docs/service/more-kinds.md, section 2: nothing else says that a connector made it.
    ...(textOf(record, "externalId") === "" ? {} : { isConnected: true as const }),
    ...timesOf(record),
    ...notCompared([record], (name) => !shape.fields.has(name)),
  };
}
