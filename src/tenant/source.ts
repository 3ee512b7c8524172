import { lastSeen } from "../diff/recorded.js";
import { blind, isAskedBlind, type KindSource, LIVE, OFFLINE } from "../kinds/interface.js";
import type { Kind } from "../kinds/kind.js";
import type { Checked } from "../model/diagnostic.js";
import type { Snapshot } from "../state/snapshot.js";
import { failedRun } from "./failedRun.js";
import type { Seen } from "./known.js";
import { type Live, readLive } from "./live.js";
import type { Origin } from "./origin.js";
import type { Wanted } from "./reads.js";

/** What is there of one kind, and what that was taken from. */
interface Sourced {
  readonly source: KindSource;
  readonly objects: ReadonlyMap<string, Seen>;
}

/**
 * The objects of each kind: live where the service reads and may be asked, as recorded where not. Reads that failed
 * and that the plan cannot do without are the one error.
 */
export async function sourcesOf(
  wanted: ReadonlyMap<Kind, readonly Wanted[]>,
  { asked, reader, directory, snapshot }: Pick<Origin, "asked" | "reader" | "directory" | "snapshot">,
): Promise<Checked<ReadonlyMap<Kind, Sourced>>> {
  const isLive = (kind: Kind) => reader !== null && !isAskedBlind(asked, kind.name);
  const isUnknown = ({ name }: Wanted) =>
    snapshot?.entries[name] === undefined && snapshot?.existing[name] === undefined;
  const live =
    reader === null
      ? { kinds: new Map<Kind, Live>(), failures: [] }
      : await readLive(new Map([...wanted].filter(([kind]) => isLive(kind))), {
          asked,
          reader,
          directory,
          wasRead: snapshot?.wasRead ?? false,
          isUnknown,
        });
  const sourceOf = (kind: Kind, ofKind: readonly Wanted[]): Sourced => {
    const found = live.kinds.get(kind);
    if (found?.offered) return { source: LIVE, objects: found.objects };
    const why = found?.why ?? null;
    const source = found === undefined && !isAskedBlind(asked, kind.name) ? OFFLINE : blind(why);
    return { source, objects: recorded(ofKind, snapshot) };
  };
  const [first, ...more] = live.failures;
  return {
    value: new Map([...wanted].map(([kind, ofKind]) => [kind, sourceOf(kind, ofKind)])),
    diagnostics: first === undefined ? [] : [failedRun(first, more)],
  };
}

/** What the state says of the wanted objects: as a run last saw them, or as last sent where the service answered nothing. */
function recorded(wanted: readonly Wanted[], snapshot: Snapshot | null): ReadonlyMap<string, Seen> {
  return new Map(
    wanted.map(({ name }) => {
      const entry = snapshot?.entries[name];
      return [name, { as: "recorded", fields: entry === undefined ? null : lastSeen(entry) }];
    }),
  );
}
