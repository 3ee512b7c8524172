import type { JsonObject } from "../model/json.js";

/** What the state keeps of an object: what was last applied, and the whole that the service answered. */
export interface Recorded {
  readonly applied: JsonObject;
  readonly answered: JsonObject | null;
}

/** The fields of a recorded object: as the service last answered, or as last sent where it answered nothing. */
export function recordedFields({ answered, applied }: Recorded): JsonObject {
  return answered ?? applied;
}

/** The fields of a recorded object as they were last seen: as a run recorded its drift, and otherwise as recorded. */
export function lastSeen(entry: Recorded & { readonly drift?: JsonObject }): JsonObject {
  return entry.drift ?? recordedFields(entry);
}
