import type { Call, Segment } from "../model/call.js";
import type { JsonObject } from "../model/json.js";
import { api } from "./spelling.js";

/** The read of one object, or of what the service keeps behind a path of its own. */
export function get(operation: string, path: readonly Segment[], expects: readonly string[]): Call {
  return { operation, method: "GET", path, effect: "read", expects };
}

/** The paged list of everything behind a path. */
export function list(operation: string, ...path: readonly string[]): Call {
  return get(operation, api(...path), ["list"]);
}

/** The paged search of that name: `app_users` is `SearchAppUsers`. */
export function search(what: string, body: JsonObject): Call {
  const operation = `Search${what.split("_").map(capitalised).join("")}`;
  return { operation, method: "POST", path: api("search", what), body, effect: "read", expects: ["list"] };
}

function capitalised(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
