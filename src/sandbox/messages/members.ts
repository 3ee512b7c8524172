import { type Fields, list, type Message, message, type Type } from "../wire/descriptor.js";

// What many messages of the service have.

/** The times of an object. */
export const times = { createdAt: "timestamp", updatedAt: "timestamp", deletedAt: "timestamp" } as const;

/** Asks for one page of a list. */
export const paging = { pageSize: "int32", pageToken: "string" } as const;

/** The objects that the paths of rows lead to. */
export const expanded = { expanded: list("any") } as const;

/** A page of a list. */
export function page(name: string, row: Type, beside: Fields = {}): Message {
  return message(name, { list: list(row), ...beside, nextPageToken: "string" });
}

/** Says which objects that rows refer to are wanted in the reply. */
export function expansion(name: string): Message {
  return message(name, { paths: list("string") });
}

/** A reply that says nothing but that it was done. */
export const empty = message("c1.api.accessreview.v1.EmptyResponse", {});
