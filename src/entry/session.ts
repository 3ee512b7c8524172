/* One run against one tenant. */

export { type Client, makeClient } from "../api/client.js";
export { timestamp } from "../apply/checkpoint.js";
export type { Event } from "../apply/event.js";
export { eventLine } from "../apply/stream.js";
