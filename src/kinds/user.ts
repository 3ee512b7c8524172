import type { Call } from "../model/call.js";
import type { Json } from "../model/json.js";
import type { Named } from "./named.js";
import { api, inside, isGone, textOf } from "./spelling.js";

/** The search for users with an e-mail address: the list of all users may be very long. */
export function searchUsers(email: string): Call {
  return { method: "POST", path: api("search", "users"), body: { email }, effect: "read", expects: ["list"] };
}

/** What one row of that search shows; undefined when the user is deleted. */
export function readUser(row: Json): Named | undefined {
  const user = inside(row, "user");
  if (user === undefined || isGone(user)) return undefined;
  return { id: textOf(user, "id"), name: textOf(user, "displayName"), email: textOf(user, "email") };
}
