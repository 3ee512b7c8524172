import type { JsonObject } from "../../model/json.js";
import type { Operation, World } from "../answer/operation.js";
import { Refusal } from "../answer/refusal.js";
import {
  createWebhookRequest,
  deleteWebhookReply,
  listWebhooksReply,
  listWebhooksRequest,
  updateWebhookRequest,
  WRITABLE,
  webhookReply,
  webhookRequest,
} from "../messages/webhook.js";
import { makeId } from "../tenant/identity.js";
import { ROOT } from "../tenant/store.js";
import { omit, part, pick, text } from "../wire/member.js";
import { writeTimestamp } from "../wire/moment.js";
import { born, existing, isDeleted, readable } from "./existing.js";
import { maskOf } from "./mask.js";
import { pageOf } from "./page.js";

const COLLECTION = "/api/v1/webhooks";
const ITEM = `${COLLECTION}/{id}`;

/** How long an answer is waited for where nothing else was said: eight days. */
const USUAL_TIMEOUT = "691200s";

/** The addresses that the service calls. Names repeat. */
export const webhooks = [
  {
    name: "ListWebhooks",
    summary: "Lists the webhooks.",
    method: "GET",
    path: COLLECTION,
    request: listWebhooksRequest,
    response: listWebhooksReply,
    answer(request, world) {
      const page = pageOf(request, world, [world.store.webhooks.of(ROOT)], (row) => !isDeleted(row));
      return { list: page.rows, nextPageToken: page.nextPageToken };
    },
  },
  {
    name: "CreateWebhook",
    summary: "Makes a webhook, also where another one has its name.",
    method: "POST",
    path: COLLECTION,
    request: createWebhookRequest,
    response: webhookReply,
    answer(request, world) {
      const sent = { callbackTimeout: USUAL_TIMEOUT, ...pick(request, WRITABLE) };
      return put(sent, { id: makeId(world.now, world.random), ...born(world) }, world);
    },
  },
  {
    name: "GetWebhook",
    summary: "Gives a webhook.",
    method: "GET",
    path: ITEM,
    request: webhookRequest,
    response: webhookReply,
    answer: (request, world) => ({ webhook: readable(find(request, world), world) }),
  },
  {
    name: "UpdateWebhook",
    summary: "Changes the masked fields of a webhook.",
    method: "POST",
    path: ITEM,
    request: updateWebhookRequest,
    response: webhookReply,
    answer(request, world) {
      const mask = maskOf(request, WRITABLE);
      if (mask.length === 0) throw new Refusal("invalidArgument", "update_mask is required");
      const before = existing(find(request, world));
      const sent = pick(part(request, "webhook") ?? {}, mask);
      const { id } = before;
      return put({ ...omit(before, mask), ...sent }, { id, updatedAt: writeTimestamp(world.now) }, world);
    },
  },
  {
    name: "DeleteWebhook",
    summary: "Deletes a webhook.",
    method: "DELETE",
    path: ITEM,
    request: webhookRequest,
    response: deleteWebhookReply,
    answer(request, world) {
      const row = existing(find(request, world));
      world.store.webhooks.put(ROOT, row.id, { ...row, deletedAt: writeTimestamp(world.now) });
      return {};
    },
  },
] as const satisfies readonly Operation[];

function find(request: JsonObject, { store }: World) {
  return store.webhooks.get(ROOT, text(request, "id"));
}

function put(fields: JsonObject, own: JsonObject & { readonly id: string }, { store }: World): JsonObject {
  for (const name of ["displayName", "url"])
    if (text(fields, name) === "") throw new Refusal("invalidArgument", `${name} is required`);
  return { webhook: store.webhooks.put(ROOT, own.id, { ...fields, ...own }) };
}
