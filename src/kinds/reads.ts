import type { Call, Segment } from "../model/call.js";
import type { JsonObject } from "../model/json.js";
import { api } from "./spelling.js";

/** The read of one object, or of what the service keeps behind a path of its own. */
export function get(path: readonly Segment[], expects: readonly string[]): Call {
  return { method: "GET", path, effect: "read", expects };
}

/** The paged list of everything behind a path. */
export function list(...path: readonly string[]): Call {
  return get(api(...path), ["list"]);
}

/** The paged search of that name. */
export function search(what: string, body: JsonObject): Call {
  return { method: "POST", path: api("search", what), body, effect: "read", expects: ["list"] };
}
