import { lastSeen } from "../diff/recorded.js";
import type { Snapshot } from "../state/snapshot.js";
import type { Wanted } from "./reads.js";
import type { Seen } from "./world.js";

/** What the state says of the wanted objects: as a run last saw them, or as last sent where the service answered nothing. */
export function recorded(wanted: readonly Wanted[], snapshot: Snapshot | null): ReadonlyMap<string, Seen> {
  return new Map(
    wanted.map(({ name }) => {
      const entry = snapshot?.entries[name];
      return [name, { as: "recorded", fields: entry === undefined ? null : lastSeen(entry) }];
    }),
  );
}
