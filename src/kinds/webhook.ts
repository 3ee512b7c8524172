import schema from "../../schemas/webhook.json" with { type: "json" };
import { kindFrom } from "./table.js";

/** An address that the service calls; without an id only the state knows which webhook is meant. */
export const webhook = kindFrom({
  name: "Webhook",
  noun: ["webhook", "webhooks"],
  schema,
  at: "webhooks/{id}",
  replies: { read: "webhook", row: "" },
  sends: { update: "webhook" },
  found: [{ per: "tenant" }],
  // docs/service/more-kinds.md, section 10.
  writers: { every: ["Super Admin"], own: [] },
  terraform: { type: "conductorone_webhook", key: ["id"] },
});
