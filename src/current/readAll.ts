import type { Kind } from "../kinds/kind.js";
import { type KindOf, kindFinder } from "../kinds/kindOf.js";
import { formatAddress } from "../model/address.js";
import type { Checked } from "../model/diagnostic.js";
import { formatKey } from "../model/key.js";
import type { Snapshot } from "../state/snapshot.js";
import { parentOf } from "./desire.js";
import { existsByList } from "./directory.js";
import type { Origin } from "./origin.js";
import type { Wanted } from "./reads.js";
import type { Resolution } from "./resolveAll.js";
import { sourcesOf } from "./source.js";
import { unreadable } from "./unreadable.js";
import type { Current, Desired, KindSource, Seen } from "./world.js";

/** Which objects a plan has to know. */
export interface ReadRequest extends Resolution {
  /** Those of the desired that the plan looks at: the others are not read. */
  readonly selected: readonly Desired[];
  /** Whether objects whose manifest was removed are read as well. */
  readonly orphans: boolean;
}

/** What the tenant contains, and what is desired with the keys that were found by reading. */
export interface ReadResult {
  readonly desired: readonly Desired[];
  readonly selected: readonly Desired[];
  readonly current: Current;
}

/**
 * Reads every object that a plan has to know: live where the service reads, as recorded where not. Where the service
 * gave no answer at all, that is the one diagnostic.
 */
export async function readAll(
  { desired, unresolved, selected, orphans }: ReadRequest,
  origin: Origin,
): Promise<Checked<ReadResult>> {
  const { kinds, reader, directory, snapshot } = origin;
  const kindOf = kindFinder(kinds);
  const wanted = [
    ...wantedOf(selected, unresolved, kindOf, snapshot),
    ...(orphans ? orphansOf(desired, snapshot, kinds) : []),
  ];
  const byKind = new Map(kinds.map((kind) => [kind, wanted.filter((one) => one.kind === kind)]));
  const sourced = await sourcesOf(byKind, origin);
  const objects = new Map<string, Seen>(unresolved);
  const from: Record<string, KindSource> = {};
  for (const [{ name: kind }, { source, objects: ofKind }] of sourced.value) {
    from[kind] = source;
    for (const [name, seen] of ofKind) objects.set(name, seen);
  }

  const found = new Map(desired.map((one) => [one, placed(one, kindOf(one.resource.address), objects)]));
  const silence = reader?.silence() ?? null;
  const isSilent = silence !== null && sourced.diagnostics.length === 0;
  return {
    value: {
      desired: [...found.values()],
      selected: selected.map((one) => found.get(one) ?? one),
      current: {
        from,
        objects,
        shown: new Set(
          wanted.flatMap(({ kind, key, name }) =>
            existsByList(kind, key, directory) === true ? [name] : [],
          ),
        ),
        names: directory.names,
        calls: reader?.calls() ?? {},
        unknown: reader?.unknown() ?? [],
      },
    },
    diagnostics: isSilent ? [unreadable(silence, [])] : sourced.diagnostics,
  };
}

function wantedOf(
  desired: readonly Desired[],
  unresolved: Resolution["unresolved"],
  kindOf: KindOf,
  snapshot: Snapshot | null,
): readonly Wanted[] {
  return desired
    .filter(({ resource }) => !unresolved.has(formatAddress(resource.address)))
    .map(({ resource, key, identity, fields }) => {
      const kind = kindOf(resource.address);
      const name = key === null ? formatAddress(resource.address) : formatKey(kind.name, key);
      const expected = snapshot?.entries[name]?.answered ?? null;
      return {
        kind,
        key,
        parent: parentOf(kind, identity),
        name,
        spec: { ...identity, ...fields },
        expected,
      };
    });
}

function orphansOf(
  desired: readonly Desired[],
  snapshot: Snapshot | null,
  kinds: readonly Kind[],
): readonly Wanted[] {
  const held = new Set(
    desired.flatMap(({ resource, key }) => (key === null ? [] : formatKey(resource.address.kind, key))),
  );
  return Object.entries(snapshot?.entries ?? {}).flatMap(([name, { address, key, answered: expected }]) => {
    // A state may hold kinds of a later version.
    const kind = kinds.find((one) => one.name === address.kind);
    if (kind === undefined || held.has(name)) return [];
    return [{ kind, key, parent: key.slice(0, -1), name, spec: null, expected }];
  });
}

// The service chooses the key: an object that was found has one from now on, and one that is gone has none.
function placed(desired: Desired, kind: Kind, objects: Map<string, Seen>): Desired {
  const { identity, resource, key } = desired;
  if (kind.key(identity) !== null) return desired;
  const name = formatAddress(resource.address);
  const seen = objects.get(key === null ? name : formatKey(kind.name, key));
  if (seen?.as === "present") {
    objects.set(formatKey(kind.name, seen.key), seen);
    return { ...desired, key: seen.key };
  }
  if (seen?.as !== "absent") return desired;
  objects.set(name, seen);
  return { ...desired, key: null };
}
