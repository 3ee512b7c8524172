import type { Event } from "./event.js";

/** The version of the stream of events; raised when a member changes its meaning or goes away. */
const STREAM_FORMAT = 1;

/** An event as one line of the stream, without its end; `at` is when it happened, RFC 3339. */
export function eventLine(event: Event, at: string): string {
  // `set` is a way to send an update: readers know only the update.
  const shown = "action" in event && event.action === "set" ? { ...event, action: "update" } : event;
  return JSON.stringify({ formatVersion: STREAM_FORMAT, at, ...shown });
}
