import { list, message } from "../wire/descriptor.js";

const WEBHOOKS = "c1.api.webhooks.v1";

const written = {
  displayName: "string",
  description: "string",
  url: "string",
  callbackTimeout: "duration",
} as const;

/** The fields of a webhook that a client may write. */
export const WRITABLE: readonly string[] = Object.keys(written);

const webhook = message(`${WEBHOOKS}.Webhook`, {
  id: "string",
  ...written,
  createdAt: "timestamp",
  updatedAt: "timestamp",
  deletedAt: "timestamp",
});

/** Asks for the webhooks. */
export const listWebhooksRequest = message(`${WEBHOOKS}.WebhooksServiceListRequest`, {
  pageSize: "int32",
  pageToken: "string",
});

/** A page of webhooks. */
export const listWebhooksReply = message(`${WEBHOOKS}.WebhooksServiceListResponse`, {
  list: list(webhook),
  nextPageToken: "string",
});

/** A request that names one webhook and nothing else. */
export const webhookRequest = message(`${WEBHOOKS}.WebhooksServiceGetRequest`, { id: "string" });

/** Makes a webhook. */
export const createWebhookRequest = message(`${WEBHOOKS}.WebhooksServiceCreateRequest`, written);

/** Changes the masked fields of a webhook. */
export const updateWebhookRequest = message(`${WEBHOOKS}.WebhooksServiceUpdateRequest`, {
  id: "string",
  webhook,
  updateMask: "mask",
});

/** One webhook. */
export const webhookReply = message(`${WEBHOOKS}.WebhooksServiceResponse`, { webhook });

/** The reply to a delete. */
export const deleteWebhookReply = message(`${WEBHOOKS}.WebhooksServiceDeleteResponse`, {});
