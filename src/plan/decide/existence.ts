import type { Seen } from "../../current/known.js";
import type { Existence } from "../step.js";

/** Whether an object is in the tenant, by what is known of it now; a recorded object is there until a read shows otherwise. */
export function existenceOf(seen: Seen): Existence {
  switch (seen.as) {
    case "present":
      return "yes";
    case "absent":
      return "no";
    case "recorded":
      return seen.fields === null ? "unknown" : "yes";
    case "unread":
      return "not read";
    default:
      return seen satisfies never;
  }
}
