import { recordedFields } from "../diff/recorded.js";
import type { Snapshot } from "../state/snapshot.js";
import type { Wanted } from "./reads.js";
import type { Seen } from "./world.js";

/** What the state says of the wanted objects: as the service last answered, or as last sent where it answered nothing. */
export function recorded(wanted: readonly Wanted[], snapshot: Snapshot | null): ReadonlyMap<string, Seen> {
  return new Map(
    wanted.map(({ name }) => {
      const entry = snapshot?.entries[name];
      return [name, { as: "recorded", fields: entry === undefined ? null : recordedFields(entry) }];
    }),
  );
}
