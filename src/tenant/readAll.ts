import { lastSeen } from "../diff/kept.js";
import { kindOf, kinds } from "../kinds/index.js";
import { blind, isAskedBlind, type KindSource, LIVE, OFFLINE } from "../kinds/interface.js";
import type { Kind, Observed } from "../kinds/kind.js";
import { policy } from "../kinds/policy.js";
import { targetOf } from "../kinds/referable.js";
import { formatAddress } from "../model/address.js";
import type { Checked } from "../model/diagnostic.js";
import { type JsonObject, same } from "../model/json.js";
import { formatKey, type Key } from "../model/key.js";
import { pendingIn } from "../model/pending.js";
import type { Entry, Snapshot } from "../state/snapshot.js";
import { parentOf } from "./desire.js";
import { earlierAddress } from "./earlier.js";
import { failedRun } from "./fetched.js";
import type { Current, Desired, NotCompared, Seen } from "./known.js";
import { type Live, readLive } from "./live.js";
import { asSent } from "./madeBy.js";
import { existsByList } from "./names/directory.js";
import type { Resolution } from "./names/resolveAll.js";
import type { Origin } from "./origin.js";
import type { Reader } from "./reader.js";
import { expectedOf, type Wanted, wantedBy, writtenLate } from "./reads.js";

/** Which objects a plan has to know. */
interface ReadRequest extends Resolution {
  /** Objects whose manifest was removed. */
  readonly removed: readonly Entry[];
  /** What manifests of an earlier project asked for. */
  readonly earlier: readonly Desired[];
}

/** What the tenant contains, and what is desired with the keys that were found by reading. */
interface ReadResult {
  readonly desired: readonly Desired[];
  readonly earlier: readonly Desired[];
  readonly current: Current;
}

/** What is there of one kind, and what that was taken from. */
interface Sourced {
  readonly source: KindSource;
  readonly objects: ReadonlyMap<string, Seen>;
}

/**
 * Reads every object that a plan has to know: live where the service reads, as recorded where not. Where the service
 * gave no answer at all, that is the one diagnostic.
 */
export async function readAll(
  { desired, unresolved, removed, earlier }: ReadRequest,
  origin: Origin,
): Promise<Checked<ReadResult>> {
  const { reader, directory, snapshot, lateSince } = origin;
  const marked = earlier.map(asEarlier);
  const described = wantedOf(desired, unresolved, snapshot, lateSince);
  const before = wantedOf(marked, new Map(), null, null);
  // The remembered key of a manifest without an id may be removed; it is read once.
  const wanted = once([
    ...described,
    ...before,
    ...removed.map((entry) => wantedBy(entry, kindOf(entry.address), lateSince)),
  ]);
  const byKind = new Map(kinds.map((kind) => [kind, wanted.filter((one) => one.kind === kind)]));
  const sourced = await sourcesOf(byKind, origin);
  const objects = new Map<string, Seen>(unresolved);
  for (const { resource, key } of desired.filter(isPending)) {
    const kind = kindOf(resource.address);
    const name = key === null ? formatAddress(resource.address) : formatKey(kind.name, key);
    objects.set(name, beforeItsParent(kind, key));
  }
  const from: Record<string, KindSource> = {};
  for (const [{ name: kind }, { source, objects: ofKind }] of sourced.value) {
    from[kind] = source;
    for (const [name, seen] of ofKind) objects.set(name, seen);
  }

  const place = (one: Desired) => placed(one, kindOf(one.resource.address), objects);
  const found = desired.map(place);
  const foundBefore = marked.map(place).map(({ key }, at) => ({ ...(earlier[at] as Desired), key }));
  if (reader !== null) await narrowAll(found, objects, snapshot, reader);
  const silence = reader?.silence() ?? null;
  const isSilent = silence !== null && sourced.diagnostics.length === 0;
  return {
    value: {
      desired: found,
      earlier: foundBefore,
      current: {
        from,
        objects,
        shown: new Set(
          wanted.flatMap(({ kind, key, name }) =>
            existsByList(kind, key, directory) === true ? [name] : [],
          ),
        ),
        notCompared: [...sourced.value].flatMap(([{ name }, ofKind]) =>
          notComparedIn(name, ofKind.objects.values()),
        ),
        dependents: new Map(),
        rewritten: new Map(),
        caller: null,
        policies: await listedOf(policy, origin),
        names: directory.names,
        calls: reader?.calls() ?? {},
        unknown: reader?.unknown() ?? [],
      },
    },
    diagnostics: isSilent ? [failedRun(silence, [])] : sourced.diagnostics,
  };
}

/** An earlier manifest under a name of its own: one of the project may have its address. */
function asEarlier(desired: Desired): Desired {
  const { resource } = desired;
  return { ...desired, resource: { ...resource, address: earlierAddress(resource.address) } };
}

/** Each object once, by its name: what is wanted first says what it is. */
function once(wanted: readonly Wanted[]): readonly Wanted[] {
  const byName = new Map<string, Wanted>();
  for (const one of wanted) if (!byName.has(one.name)) byName.set(one.name, one);
  return [...byName.values()];
}

/**
 * An object that was not found may be there under another name, as one that neither a manifest nor the state knows:
 * narrows down which it may be.
 */
async function narrowAll(
  found: readonly Desired[],
  objects: Map<string, Seen>,
  snapshot: Snapshot | null,
  reader: Reader,
): Promise<void> {
  for (const kind of kinds) {
    if (kind.mayRepeat === undefined) continue;
    const ofKind = found.filter(({ resource }) => resource.address.kind === kind.name);
    const absent = ofKind.flatMap(({ resource, key }) => {
      const seen = key === null ? objects.get(formatAddress(resource.address)) : undefined;
      return seen?.as === "absent" && (seen.beside ?? []).length > 0 ? [seen] : [];
    });
    if (absent.length === 0) continue;
    const keys = new Set(ofKind.flatMap(({ key }) => (key === null ? [] : formatKey(kind.name, key))));
    const isTaken = (name: string) => keys.has(name) || snapshot?.entries[name] !== undefined;
    const narrowed = await narrow(kind, absent, ({ key }) => isTaken(formatKey(kind.name, key)), reader);
    for (const [name, seen] of objects) {
      const less = seen.as === "absent" ? narrowed.get(seen) : undefined;
      if (less !== undefined) objects.set(name, less);
    }
  }
}

const ABSENT: Seen = { as: "absent" };

/** What belongs to an object that does not exist yet: nothing, or as the service makes it with that object, empty. */
function beforeItsParent({ verbs, reads }: Kind, key: Key | null): Seen {
  if (key === null || !verbs.full.includes("set")) return ABSENT;
  const empty = reads.isList === true ? reads.observe([], key) : undefined;
  return { as: "present", key, fields: {}, ...empty };
}

function isPending({ key, identity }: Desired): boolean {
  return pendingIn(key ?? []).length > 0 || pendingIn(identity).length > 0;
}

function wantedOf(
  desired: readonly Desired[],
  unresolved: Resolution["unresolved"],
  snapshot: Snapshot | null,
  lateSince: string | null,
): readonly Wanted[] {
  return desired
    .filter((one) => !unresolved.has(formatAddress(one.resource.address)) && !isPending(one))
    .map(({ resource, key, identity, owned, fields }) => {
      const kind = kindOf(resource.address);
      const name = key === null ? formatAddress(resource.address) : formatKey(kind.name, key);
      const entry = snapshot?.entries[name];
      const expected = entry === undefined ? null : expectedOf(entry, kind);
      const create = key === null ? (snapshot?.uncertain[name] ?? null) : null;
      return {
        kind,
        key,
        parent: parentOf(kind, identity),
        name,
        spec: { ...identity, ...clearedLists(kind, owned), ...fields },
        expected,
        ...writtenLate(entry, lateSince),
        ...asSent(create),
      };
    });
}

/** The parts with lists of their own that a manifest clears: they are read, too. */
function clearedLists({ reads: { parts = [] } }: Kind, owned: readonly string[]): JsonObject {
  const lists = parts.filter(({ as, field }) => as === "lists" && owned.includes(field));
  return Object.fromEntries(lists.map(({ field }) => [field, []]));
}

// The service chooses the key: an object that was found has one from now on, and one that is gone has none.
function placed(desired: Desired, kind: Kind, objects: Map<string, Seen>): Desired {
  const { identity, resource, key } = desired;
  if (kind.key(identity) !== null) return desired;
  const name = formatAddress(resource.address);
  const seen = objects.get(key === null ? name : formatKey(kind.name, key));
  if (seen?.as === "present") {
    // What was found under the remembered key is another object: that one has gone.
    if (key !== null && !same(seen.key, key)) objects.set(formatKey(kind.name, key), { as: "absent" });
    objects.set(formatKey(kind.name, seen.key), seen);
    return { ...desired, key: seen.key };
  }
  if (seen?.as !== "absent") return desired;
  objects.set(name, seen);
  return { ...desired, key: null };
}

/** An object that was not found by its description, and those that it may be under another name. */
type Absent = Extract<Seen, { readonly as: "absent" }>;

/**
 * Leaves out what cannot be the object of a manifest without an id. Every parent has some objects from its first moment,
 * another manifest means some, and several parents have some under one id. One search finds the last of them.
 */
async function narrow(
  kind: Kind,
  absent: readonly Absent[],
  isTaken: (observed: Observed) => boolean,
  reader: Reader,
): Promise<ReadonlyMap<Absent, Absent>> {
  const isOpen = (one: Observed) => kind.isBuiltIn?.(one) !== true && !isTaken(one);
  const open = absent.map((seen) => [seen, (seen.beside ?? []).filter(isOpen)] as const);
  const shared = await sharedAmong(
    kind,
    open.flatMap(([, beside]) => beside),
    reader,
  );
  return new Map(
    open.map(([seen, beside]) => [
      seen,
      { as: "absent", beside: beside.filter(({ key }) => !shared.has(key.at(-1) ?? "")) },
    ]),
  );
}

/** The ids among those of some objects that several parents have; none where the service does not say. */
async function sharedAmong(
  { name, reads: { parents } }: Kind,
  objects: readonly Observed[],
  reader: Reader,
): Promise<ReadonlySet<string>> {
  const ids = [...new Set(objects.map(({ key }) => key.at(-1) ?? ""))].sort();
  if (parents === undefined || ids.length === 0) return new Set();
  const fetched = await reader.all(name, parents.of(ids), "optional");
  if (fetched.as !== "got") return new Set();
  const byId = new Map<string, Set<string>>();
  for (const row of fetched.value) {
    const key = parents.row(row)?.key;
    const id = key?.at(-1);
    if (key === undefined || id === undefined) continue;
    byId.set(id, (byId.get(id) ?? new Set()).add(key.slice(0, -1).join("/")));
  }
  return new Set([...byId].filter(([, all]) => all.size > 1).map(([id]) => id));
}

/** What was seen of the objects of one kind and is not compared; empty without such members. */
function notComparedIn(kind: string, seen: Iterable<Seen>): readonly NotCompared[] {
  const byObject = new Map(
    [...seen].flatMap((one) =>
      one.as === "present" && one.notCompared !== undefined
        ? [[formatKey(kind, one.key), one.notCompared] as const]
        : [],
    ),
  );
  const members = [...new Set([...byObject.values()].flat())].sort();
  return members.length === 0 ? [] : [{ kind, objects: byObject.size, members }];
}

/**
 * The objects of a kind that no app has, by their ids, where a look read their list anyway; null where it did not. It asks
 * nothing more.
 */
async function listedOf(
  kind: Kind,
  { directory, reader }: Pick<Origin, "directory" | "reader">,
): Promise<ReadonlyMap<string, Observed> | null> {
  const { list } = kind.reads;
  const target = targetOf(kind);
  const [read] = directory.listsOf(kind).values();
  if (read !== undefined) return byId(read);
  const isNamed = target !== undefined && directory.whole(target).size > 0;
  if (reader === null || list === undefined || !isNamed) return null;
  // The names were found in the same list, which the reader has read.
  const rows = await reader.all(kind.name, list.of([]));
  return rows.as === "got" ? byId(rows.value.flatMap((row) => list.row(row, []) ?? [])) : null;
}

function byId(observed: readonly Observed[]): ReadonlyMap<string, Observed> {
  return new Map(observed.map((one) => [one.key.at(-1) ?? "", one]));
}

/**
 * The objects of each kind: live where the service reads and may be asked, as recorded where not. Reads that failed
 * and that the plan cannot do without are the one error.
 */
async function sourcesOf(
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
