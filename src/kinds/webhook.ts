import schema from "../../schemas/webhook.json" with { type: "json" };
import type { Call } from "../model/call.js";
import type { Json } from "../model/json.js";
import { outlineSpec } from "../schema/outline.js";
import type { Kind, Observed } from "./kind.js";
import { normalise } from "./normalise.js";
import { notCompared } from "./notCompared.js";
import { api, hasSameName, inside, isGone, keyBy, mask, pick, textOf, timesOf } from "./spelling.js";

const shape = outlineSpec(schema);
const FIELDS = ["displayName", "url", "description", "callbackTimeout"];
const CLEARED = { description: "" };

/** An address that the service calls; without an id only the state knows which webhook is meant. */
export const webhook = {
  name: "Webhook",
  noun: { one: "webhook", many: "webhooks" },
  schema,
  shape,
  verbs: { core: [], full: ["create", "update", "delete"] },
  isPointedAt: true,
  isMasked: true,
  holdsOthers: false,
  rank: 0,
  key: keyBy(shape),
  matches: hasSameName,
  namesRepeat: true,
  reads: {
    one: ([id = ""]) => ({ method: "GET", path: api("webhooks", id), effect: "read", expects: ["webhook"] }),
    observe: (body) => webhookIn(inside(body, "webhook")),
    list: { of: listWebhooks, row: webhookIn },
  },
  concern: { as: "nothing" },
  inventory: {
    trails: [
      {
        noun: "webhooks",
        per: "tenant",
        on: ["full"],
        call: listWebhooks,
        keys: (row) => [webhookIn(row)?.key ?? []].filter((key) => key.length > 0),
        shows: "the object",
        isRequired: true,
      },
    ],
    gaps: [],
  },
  // docs/service/more-kinds.md, section 10.
  writers: { every: ["Super Admin"], own: [] },
  terraform: { type: "conductorone_webhook", key: ["id"], unseen: {} },
  calls: ({ verb, key, after, fields }): readonly Call[] => {
    const path = api("webhooks", ...(key ?? []));
    if (verb === "delete") return [{ method: "DELETE", path, body: {}, effect: "repeatable" }];
    if (verb === "create")
      return [{ method: "POST", path, body: pick(after, FIELDS), effect: "once", expects: ["webhook"] }];
    const body = { webhook: { ...pick(CLEARED, fields), ...pick(after, fields) }, updateMask: mask(fields) };
    return [{ method: "POST", path, body, effect: "repeatable", expects: ["webhook"] }];
  },
  answer: (_, replies) => webhookIn(inside(replies.at(-1) ?? null, "webhook")),
} as const satisfies Kind;

function listWebhooks(): Call {
  return { method: "GET", path: api("webhooks"), effect: "read", expects: ["list"] };
}

function webhookIn(record: Json | undefined): Observed | undefined {
  const found = inside({ webhook: record ?? null }, "webhook");
  const id = found === undefined ? "" : textOf(found, "id");
  if (found === undefined || id === "" || isGone(found)) return undefined;
  const fields = normalise(pick(found, FIELDS), shape);
  return { key: [id], fields, ...timesOf(found), ...notCompared([found], (name) => !shape.fields.has(name)) };
}
