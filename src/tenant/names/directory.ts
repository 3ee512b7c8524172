import { type Interface, showsObjects } from "../../kinds/interface.js";
import type { Kind, Observed } from "../../kinds/kind.js";
import type { Finder, Named } from "../../kinds/named.js";
import { LIST_OF_FULL, listOfApps, namedBy, referable, shownName, targetOf } from "../../kinds/referable.js";
import type { Json } from "../../model/json.js";
import type { Key } from "../../model/key.js";
import type { Target } from "../../schema/shape.js";
import type { Failed, Fetched, Missed } from "../fetched.js";
import type { ShownNames } from "../known.js";
import type { Reader } from "../reader.js";
import type { Candidates } from "./candidates.js";
import { makeKindList, makeNameList, makeNameSearch, type NameList } from "./nameList.js";
import type { RecordedNames } from "./recordedNames.js";

/** A name, and what is asked for by it. */
interface NameAsked {
  readonly target: Target;
  /** Empty where objects of that sort belong to no app. */
  readonly app: string;
  readonly by: Finder;
  readonly text: string;
  /**
   * The object that it means as long as it has that name, whatever else has it; null where only the whole list can tell.
   */
  readonly probable: string | null;
}

/** The tenant's names: each list is read once, when it is first needed. */
export interface Directory {
  /** Whether the service is asked; offline it is not. */
  readonly isAsked: boolean;
  /** The id that the project file gives to an app of that name. */
  given(app: string): string | undefined;
  /** What a name may mean. */
  list(asked: NameAsked): Promise<Fetched<Candidates>>;
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
  /** The rows that showed apps, as the service sent them: all of them where the list was read to its end. */
  appRows(): readonly Json[];
  /** Keeps the list of a kind's objects in one parent, which was read to its end. */
  keepList(kind: Kind, parent: Key, observed: readonly Observed[]): void;
  /** Those lists of a kind, by their parent's first id. */
  listsOf(kind: Kind): ReadonlyMap<string, readonly Observed[]>;
  /** Keeps the name of an object that was read for its own sake. */
  meet(kind: Kind, observed: Observed): void;
  /** What the ids met are called: `app:ID`, `entitlement:APP/ID`, `user:ID`. */
  readonly names: ShownNames;
}

/** What a directory is made from. */
interface DirectorySources {
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
  const nameLists = new Map<string, NameList>();
  const known = new Map<string, Named>();
  const ownLists = new Map<string, Map<string, readonly Observed[]>>();
  const apps = new Map<string, Json>();
  const failures: Failed[] = [];

  // What the service calls an app goes before what the project file calls it: that name is marked.
  const unconfirmed = new Set<string>();
  function note(id: string, name: string): void {
    if (name !== "" && (!names.has(id) || unconfirmed.delete(id))) names.set(id, name);
  }

  /** The list of a sort, or why there is none. */
  function listOf({ target, app }: NameAsked): NameList | Missed {
    const { list, noun, kind } = referable(target);
    if (list === null || !list.on.includes(on))
      return { as: "not offered", why: `\`${on}\` has no list of ${noun.many}` };
    if (reader === null) {
      const isManaged = kind !== null;
      return {
        as: "not offered",
        why: isManaged ? OFFLINE : `${OFFLINE}, and the state keeps no names of ${noun.many}`,
      };
    }
    const scope = scopeOf(target, app);
    const purpose = purposeOf(target);
    const made =
      nameLists.get(scope) ??
      (list.shows === "one name"
        ? makeNameSearch(list, app, purpose, reader)
        : listedKind(target) !== null
          ? makeKindList(list, app, purpose, reader)
          : makeNameList({ target, app, list, purpose, reader, hasMore: showsObjects(on), meet }));
    nameLists.set(scope, made);
    return made;

    function meet(row: Json, { id }: Named) {
      if (target === LIST_OF_FULL) apps.set(id, row);
    }
  }

  /** What is found is remembered. A whole list is not: it is there to be asked. */
  function remember(target: Target, app: string, found: Candidates): void {
    const scope = scopeOf(target, app);
    if (nameLists.get(scope)?.whole() === found) return;
    for (const one of found.every()) {
      const place = `${scope}${one.id}`;
      note(place, shownName(target, one));
      known.set(place, one);
    }
  }

  /** What a list that was read to its end shows of an object. */
  function listed(scope: string, id: string): Named | undefined {
    return nameLists.get(scope)?.whole()?.withId(id);
  }

  /** The same by a reference: the part before the id is the place of its list. */
  function nameListed(reference: string): string {
    const [, scope = "", target = "", id = ""] = REFERENCE.exec(reference) ?? [];
    const one = listed(scope, id);
    return one === undefined ? "" : shownName(target as Target, one);
  }

  for (const [name, id] of Object.entries(given)) {
    const place = `${scopeOf(LIST_OF_FULL, "")}${id}`;
    if (names.has(place)) continue;
    names.set(place, `${name} [remit.yaml]`);
    unconfirmed.add(place);
  }

  return {
    names: { get: (reference) => nameListed(reference) || names.get(reference) },
    isAsked: reader !== null,
    given: (app) => (Object.hasOwn(given, app) ? given[app] : undefined),
    async list(asked) {
      const list = listOf(asked);
      if ("as" in list) return list;
      const found = await list.find(asked.by, asked.text, asked.probable);
      if (found.as === "got") remember(asked.target, asked.app, found.value);
      if (found.as === "failed" && !failures.includes(found)) failures.push(found);
      return found;
    },
    remembered(target, app) {
      const { kind } = referable(target);
      return reader !== null || kind === null ? null : (remembered?.(kind).candidates([app]) ?? null);
    },
    known(target, app, id) {
      const scope = scopeOf(target, app);
      return listed(scope, id) ?? known.get(`${scope}${id}`);
    },
    async probeApps() {
      if (reader === null) return { as: "not offered", why: "nothing is asked offline" };
      return reader.firstPage(purposeOf(LIST_OF_FULL), listOfApps(), "probe");
    },
    failures: () => failures,
    whole(target) {
      const found = new Map<string, Candidates>();
      const start = `${target}:`;
      for (const [scope, list] of nameLists) {
        const read = list.whole();
        if (read !== null && scope.startsWith(start))
          found.set(scope.slice(start.length).replace(/\/$/, ""), read);
      }
      return found;
    },
    appRows: () => [...apps.values()],
    keepList(kind, [parent = ""], observed) {
      const lists = ownLists.get(kind.name) ?? new Map<string, readonly Observed[]>();
      ownLists.set(kind.name, lists.set(parent, observed));
    },
    listsOf: (kind) => ownLists.get(kind.name) ?? new Map(),
    meet(kind, observed) {
      const { name = "" } = namedBy(observed) ?? {};
      note(`${targetOf(kind) ?? "other"}:${observed.key.join("/")}`, name);
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

/** A reference: the place of the list that shows its object, the sort of object, and the id. */
const REFERENCE = /^(([^:]+):(?:[^/]*\/)?)(.*)$/s;

const OFFLINE = "nothing is looked up offline";

/** What the calls for a list are for: the objects of a kind, where the list shows them, or else names. */
function purposeOf(target: Target): string {
  return listedKind(target)?.name ?? referable(target).noun.many;
}

/** The kind whose objects the list of a sort shows. A template's shows none: it is of campaigns, which name it. */
function listedKind(target: Target): Kind | null {
  const { kind, list } = referable(target);
  return list?.one === null ? kind : null;
}

function scopeOf(target: Target, app: string): string {
  return referable(target).list?.within === "app" ? `${target}:${app}/` : `${target}:`;
}
