import type { Interface } from "../kinds/interface.js";
import type { Kind, Observed } from "../kinds/kind.js";
import type { Finder, Named } from "../kinds/named.js";
import {
  LIST_OF_FULL,
  type Listing,
  listOfApps,
  namedBy,
  referable,
  shownName,
  targetOf,
} from "../kinds/referable.js";
import type { Json } from "../model/json.js";
import type { Key } from "../model/key.js";
import type { Target } from "../schema/shape.js";
import { type Candidates, makeCandidates } from "./candidates.js";
import type { Failed, Fetched } from "./fetched.js";
import { type LongList, makeLongList } from "./longList.js";
import type { RecordedNames } from "./recordedNames.js";
import type { Reader } from "./remote.js";

/** The tenant's names: each list is read once, when it is first needed. */
export interface Directory {
  /** Whether the service is asked; offline it is not. */
  readonly isAsked: boolean;
  /** The id that the project file gives to an app of that name. */
  given(app: string): string | undefined;
  /** What a name may mean; the app is empty where objects of that sort belong to none. */
  list(target: Target, app: string, by: Finder, name: string): Promise<Fetched<Candidates>>;
  /** What the state remembers, where the service is not asked; null where it is, or remit manages no such objects. */
  remembered(target: Target, app: string): Candidates | null;
  /** An object, where the list that shows it was read already. */
  known(target: Target, app: string, id: string): Named | undefined;
  /** The first page of the list of apps: whether the service offers the list at all. */
  probeApps(): Promise<Fetched<unknown>>;
  /** The lists that a name needed and that could not be read: each of them ends the run. */
  failures(): readonly Failed[];
  /** The lists of a sort that were read to their end, by their app. */
  whole(target: Target): ReadonlyMap<string, Candidates>;
  /** The rows of the list of apps as the service sent them; null where it was not read to its end. */
  appRows(): readonly Json[] | null;
  /** Keeps the list of a kind's objects in one parent, which was read to its end. */
  keepList(kind: Kind, parent: Key, observed: readonly Observed[]): void;
  /** Those lists of a kind, by their parent's first id. */
  listsOf(kind: Kind): ReadonlyMap<string, readonly Observed[]>;
  /** Keeps the name of an object that was read for its own sake. */
  meet(kind: Kind, observed: Observed): void;
  /** What every id met is called: `app:ID`, `entitlement:APP/ID`, `user:ID`. */
  readonly names: ReadonlyMap<string, string>;
}

/** What a directory is made from. */
export interface DirectorySources {
  /** Null reads nothing, so that only what the project file and the state name is known. */
  readonly reader: Reader | null;
  /** Ids by the names that the project file gives to apps. */
  readonly given: Readonly<Record<string, string>>;
  readonly on: Interface;
  readonly remembered: ((kind: Kind) => RecordedNames) | null;
}

/** A directory over a reader. */
export function makeDirectory({ reader, given, on, remembered }: DirectorySources): Directory {
  const names = new Map<string, string>();
  const asked = new Map<string, Promise<Fetched<Candidates>>>();
  const longLists = new Map<string, LongList>();
  const known = new Map<string, Named>();
  const wholeLists = new Map<string, Candidates>();
  const ownLists = new Map<string, Map<string, readonly Observed[]>>();
  let apps: readonly Json[] | null = null;
  const remembering = new WeakSet<Candidates>();
  const failures: Failed[] = [];

  // What the service calls an app goes before what the project file calls it: that name is marked.
  const unconfirmed = new Set<string>();
  function note(id: string, name: string): void {
    if (name !== "" && (!names.has(id) || unconfirmed.delete(id))) names.set(id, name);
  }

  async function readList(target: Target, app: string, name: string): Promise<Fetched<Candidates>> {
    const { list, noun, kind } = referable(target);
    if (list === null || !list.on.includes(on)) {
      return { as: "not offered", why: `\`${on}\` has no list of ${noun.many}` };
    }
    if (reader === null) {
      const isManaged = kind !== null;
      return {
        as: "not offered",
        why: isManaged ? OFFLINE : `${OFFLINE}, and the state keeps no names of ${noun.many}`,
      };
    }
    const purpose = purposeOf(target);
    const rows = await reader.all(purpose, list.call(app, name));
    if (rows.as !== "got") return rows;
    const listed = rows.value.flatMap((row) => list.row(row, app) ?? []);
    const named = await withNames(listed, list, purpose, reader);
    if (named.as !== "got") return named;
    const found = makeCandidates(named.value);
    if (list.shows === "every object") wholeLists.set(`${target} ${app}`, found);
    if (target === LIST_OF_FULL) apps = rows.value;
    remember(target, app, found);
    return { as: "got", value: found };
  }

  /** What is found among many is remembered once, however often it is asked for. */
  function remember(target: Target, app: string, found: Candidates): void {
    if (remembering.has(found)) return;
    remembering.add(found);
    const scope = scopeOf(target, app);
    for (const one of found.every) {
      const place = `${scope}${one.id}`;
      note(place, shownName(target, one));
      known.set(place, one);
    }
  }

  function listOnce(target: Target, app: string, name: string): Promise<Fetched<Candidates>> {
    const isSearch = referable(target).list?.shows === "one name";
    const question = `${scopeOf(target, app)} ${isSearch ? name : ""}`;
    const answer = asked.get(question) ?? readOnce(target, app, name);
    asked.set(question, answer);
    return answer;
  }

  function longList(target: Target, app: string): LongList | null {
    if (reader === null || on === "core") return null;
    const scope = scopeOf(target, app);
    const list = longLists.get(scope) ?? makeLongList(target, app, purposeOf(target), reader);
    if (list !== null) longLists.set(scope, list);
    return list;
  }

  async function readOnce(target: Target, app: string, name: string): Promise<Fetched<Candidates>> {
    const fetched = await readList(target, app, name);
    if (fetched.as === "failed") failures.push(fetched);
    return fetched;
  }

  for (const [name, id] of Object.entries(given)) {
    const place = `${scopeOf(LIST_OF_FULL, "")}${id}`;
    if (names.has(place)) continue;
    names.set(place, `${name} [remit.yaml]`);
    unconfirmed.add(place);
  }

  return {
    names,
    isAsked: reader !== null,
    given: (app) => (Object.hasOwn(given, app) ? given[app] : undefined),
    async list(target, app, by, name) {
      const long = longList(target, app);
      const found = long === null ? null : await long.find(by, name);
      if (found === null) return listOnce(target, app, name);
      if (found.as === "got") remember(target, app, found.value);
      if (found.as === "failed" && !failures.includes(found)) failures.push(found);
      return found;
    },
    remembered(target, app) {
      const { kind } = referable(target);
      return reader !== null || kind === null ? null : (remembered?.(kind).candidates([app]) ?? null);
    },
    known: (target, app, id) => known.get(`${scopeOf(target, app)}${id}`),
    async probeApps() {
      if (reader === null) return { as: "not offered", why: "nothing is asked offline" };
      return reader.firstPage(purposeOf(LIST_OF_FULL), listOfApps(), "probe");
    },
    failures: () => failures,
    whole(target) {
      const found = new Map<string, Candidates>();
      for (const [place, list] of wholeLists)
        if (place.startsWith(`${target} `)) found.set(place.slice(target.length + 1), list);
      for (const [scope, list] of longLists) {
        const read = list.whole();
        const start = `${target}:`;
        if (read !== null && scope.startsWith(start))
          found.set(scope.slice(start.length).replace(/\/$/, ""), read);
      }
      return found;
    },
    appRows: () => apps,
    keepList(kind, [parent = ""], observed) {
      const lists = ownLists.get(kind.name) ?? new Map<string, readonly Observed[]>();
      ownLists.set(kind.name, lists.set(parent, observed));
    },
    listsOf: (kind) => ownLists.get(kind.name) ?? new Map(),
    meet(kind, observed) {
      const target = targetOf(kind);
      const name = target === undefined ? undefined : namedBy(observed)?.name;
      if (target !== undefined && name !== undefined) note(`${target}:${observed.key.join("/")}`, name);
    },
  };
}

/** Whether a list that was already read says that an object exists; null where it does not say. */
export function existsByList(
  { reads: { existsBy } }: Kind,
  key: Key | null,
  { known }: Pick<Directory, "known">,
): boolean | null {
  if (existsBy === undefined || key === null) return null;
  const [app = "", id = ""] = key;
  const row = known(existsBy.list, app, id);
  return row === undefined ? null : existsBy.says(row);
}

const OFFLINE = "nothing is looked up offline";

function purposeOf(target: Target): string {
  const { kind, noun } = referable(target);
  return kind?.name ?? noun.many;
}

function scopeOf(target: Target, app: string): string {
  return referable(target).list?.within === "app" ? `${target}:${app}/` : `${target}:`;
}

/** Reads the name of each listed object, where its row shows only the id; a read that fails leaves the whole list unknown. */
async function withNames(
  listed: readonly Named[],
  { one }: Listing,
  purpose: string,
  reader: Reader,
): Promise<Fetched<readonly Named[]>> {
  if (one === null) return { as: "got", value: listed };
  const ids = [...new Set(listed.map(({ id }) => id))];
  const fetched = await Promise.all(ids.map((id) => reader.one(purpose, one.call(id))));
  const failed = fetched.find((reply) => reply.as === "failed" || reply.as === "not offered");
  if (failed !== undefined) return failed;
  return {
    as: "got",
    value: fetched.flatMap((reply) => (reply.as === "got" ? (one.read(reply.value) ?? []) : [])),
  };
}
