import type { Call } from "../model/call.js";
import type { Json, JsonObject } from "../model/json.js";
import type { Named } from "./named.js";
import { api, inside, isGone, textOf } from "./spelling.js";

/** The search for users with an e-mail address: the list of all users may be very long. */
export function searchUsers(email: string): Call {
  return search({ email });
}

/** The search for the users of some ids; a page shows at most a hundred. */
export function searchUsersById(ids: readonly string[]): Call {
  return search({ refs: ids.map((id) => ({ id })) });
}

/** What one row of those searches shows; undefined when the user is deleted. */
export function readUser(row: Json): Named | undefined {
  const user = inside(row, "user");
  if (user === undefined || isGone(user) || user.status === "DELETED") return undefined;
  const email = textOf(user, "email");
  const { emails } = user;
  const others = Array.isArray(emails)
    ? emails.filter((one) => typeof one === "string" && one !== email)
    : [];
  return {
    id: textOf(user, "id"),
    name: textOf(user, "displayName"),
    email,
    ...(others.length === 0 ? {} : { emails: others as readonly string[] }),
  };
}

// No document says whether a search without a status shows disabled users. docs/service/live-reads.md, section C1.
function search(filter: JsonObject): Call {
  const body = { ...filter, userStatuses: ["ENABLED", "DISABLED"] };
  return { method: "POST", path: api("search", "users"), body, effect: "read", expects: ["list"] };
}
