import { kinds } from "../kinds/index.js";
import type { Kind } from "../kinds/kind.js";
import { REFERABLE } from "../kinds/lookups.js";
import type { Named } from "../kinds/named.js";
import { madeByPeople } from "../kinds/settings.js";
import { nameIn } from "../kinds/spelling.js";
import { formatKey, type Key } from "../model/key.js";
import { mayBeGiven } from "./given.js";
import type { Desired } from "./known.js";
import { byName, type Candidates } from "./names/candidates.js";
import type { Directory } from "./names/directory.js";
import type { Origin } from "./origin.js";

/** An object that a list shows: its key and its name. */
interface ListedObject {
  readonly key: Key;
  readonly name: string;
}

/** What the lists of a plan show of a kind, and the apps whose lists were read to their end. */
export interface AlsoListed {
  readonly kind: string;
  /** `app` is null for objects of the whole tenant. */
  readonly objects: readonly (ListedObject & { readonly app: string | null })[];
  /** Null for objects of the whole tenant. */
  readonly apps: readonly string[] | null;
  /** How many apps the tenant has; null where that is not known. */
  readonly of: number | null;
  /** Whether the lists show who manages an object. A row that only says that one exists does not. */
  readonly isSure: boolean;
}

/** What the lists that were read show beside what the manifests describe and the state knows. */
export function alsoListedIn(
  desired: readonly Desired[],
  { directory, snapshot }: Pick<Origin, "directory" | "snapshot">,
): readonly AlsoListed[] {
  const described = desired.flatMap(({ resource, key }) =>
    key === null ? [] : [formatKey(resource.address.kind, key)],
  );
  const managed = new Set([...described, ...Object.keys(snapshot?.entries ?? {})]);
  return kinds.flatMap((kind) => alsoListed(kind, directory, (name) => managed.has(name)) ?? []);
}

/**
 * The objects that the lists show which a plan reads anyway, but those that are managed, and those that every app has or
 * that a connector makes. It asks nothing more.
 */
function alsoListed(
  kind: Kind,
  directory: Directory,
  isManaged: (name: string) => boolean,
): AlsoListed | null {
  const { existsBy } = kind.reads;
  const found = new Map<string, readonly ListedObject[]>();
  if (existsBy !== undefined) {
    for (const [app, listed] of directory.whole(existsBy.list))
      found.set(
        app,
        existing(listed, existsBy.says).map(({ id, name }) => ({ key: [app, id], name })),
      );
  }
  const lists = directory.listsOf(kind);
  if (lists.size > 0) {
    const isConnected = connectionOf(kind, directory);
    const isMade = madeForApps(kind, directory);
    for (const [app, observed] of lists) {
      if (isConnected(app) !== false) continue;
      const own = observed.filter(
        (one) =>
          kind.isBuiltIn?.(one) !== true &&
          one.managedBy === undefined &&
          madeByPeople(one) !== null &&
          !mayBeGiven(kind, one) &&
          !isMade(one.key.at(-1) ?? ""),
      );
      found.set(
        app,
        own.map(({ key, fields }) => ({ key, name: nameIn(fields) })),
      );
    }
  }
  if (found.size === 0) return null;
  const isInApps = kind.shape.identity.length > 1;
  const nameOf = (app: string) => directory.names.get(`app:${app}`) ?? app;
  const objects = [...found].flatMap(([app, listed]) =>
    listed
      .filter(({ key }) => !isManaged(formatKey(kind.name, key)))
      .map((one) => ({ ...one, app: isInApps ? nameOf(app) : null })),
  );
  const all = directory.whole("app").get("")?.size ?? null;
  const apps = isInApps ? [...found.keys()].map(nameOf).sort() : null;
  return { kind: kind.name, objects, apps, of: all, isSure: existsBy === undefined };
}

/** The rows that show that their object exists; the others are not held. */
function existing(listed: Candidates, says: (row: Named) => boolean | null): readonly Named[] {
  const found: Named[] = [];
  for (const row of listed.every()) if (says(row) === true) found.push(row);
  return found.sort(byName);
}

/** Whether the service made an object for an app. Where not every app was seen, each may be: what is not sure is not listed. */
function madeForApps({ inventory }: Kind, directory: Directory): (id: string) => boolean {
  const madeFor = inventory.trails.find(({ madeForApp }) => madeForApp !== undefined)?.madeForApp;
  if (madeFor === undefined) return () => false;
  const made = new Set(directory.appRows().map(madeFor));
  const isWhole = directory.whole("app").has("");
  return (id) => !isWhole || made.has(id);
}

/** Whether a connector makes the objects of an app; null where no row of a list or search showed the app. */
function connectionOf({ inventory }: Kind, directory: Directory): (app: string) => boolean | null {
  const test = inventory.trails.find(({ isConnected }) => isConnected !== undefined)?.isConnected;
  if (test === undefined) return () => false;
  const known = new Map(
    directory.appRows().map((row) => [REFERABLE.app.list.row(row)?.id ?? "", test(row)] as const),
  );
  const isWhole = directory.whole("app").has("");
  return (app) => known.get(app) ?? (isWhole ? false : null);
}
