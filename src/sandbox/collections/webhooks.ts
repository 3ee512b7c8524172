import { page, times } from "../messages/members.js";
import { message } from "../wire/descriptor.js";
import { operationsOf } from "./table.js";

const SERVICE = "c1.api.webhooks.v1.WebhooksService";

const written = {
  displayName: "string",
  description: "string",
  url: "string",
  callbackTimeout: "duration",
} as const;

const webhook = message("c1.api.webhooks.v1.Webhook", { id: "string", ...written, ...times });
const reply = message(`${SERVICE}Response`, { webhook });

/** The addresses that the service calls. Names repeat. */
export const webhooks = operationsOf({
  noun: ["Webhook", "Webhooks"],
  at: "/api/v1/webhooks",
  service: SERVICE,
  record: webhook,
  rows: (store) => store.webhooks,
  written,
  required: ["displayName", "url"],
  // An answer is waited for eight days where nothing else was said.
  defaults: { callbackTimeout: "691200s" },
  calls: {
    List: ["Lists the webhooks.", "ListRequest", page(`${SERVICE}ListResponse`, webhook)],
    Create: ["Makes a webhook, also where another one has its name.", "CreateRequest", reply],
    Get: ["Gives a webhook.", "GetRequest", reply],
    Update: [
      "Changes the masked fields of a webhook.",
      "UpdateRequest",
      reply,
      { webhook, updateMask: "mask" },
    ],
    Delete: ["Deletes a webhook.", "GetRequest", message(`${SERVICE}DeleteResponse`, {})],
  },
});
