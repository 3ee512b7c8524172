import type { Key } from "../../model/key.js";
import type { AlsoListed } from "../../tenant/alsoListed.js";

/** An object of the tenant that neither a manifest nor the state knows. */
export interface UnmanagedObject {
  readonly key: Key;
  /** What people call it; empty where it has no name. */
  readonly name: string;
  /** The app that it belongs to; null where it belongs to none. */
  readonly app: string | null;
  /** What a manifest could say of it, as lines under `spec`: its rule, its condition. None where only a list shows it. */
  readonly lines: readonly string[];
}

/** The apps that were looked at, by their names, and how many the tenant has; null where that is not known. */
export interface AppsLookedAt {
  readonly apps: readonly string[];
  readonly of: number | null;
}

/** The objects of one kind that are not managed, as far as they were looked for. */
export interface UnmanagedKind {
  readonly kind: string;
  readonly objects: readonly UnmanagedObject[];
  /** Null where the whole tenant was looked at. */
  readonly within: AppsLookedAt | null;
  /** How many more the settings leave out. */
  readonly ignored: number;
  /** Whether nothing else manages them; otherwise an access profile may manage some. */
  readonly isSure: boolean;
}

/**
 * What the tenant has beside the objects that are managed. An observation: a plan does not contain it, no hash covers it and
 * no step depends on it.
 */
export interface Unmanaged {
  /** Whether everything was looked for, or only the lists were used that the plan reads anyway. */
  readonly isWhole: boolean;
  readonly kinds: readonly UnmanagedKind[];
  /** What could not be read, and why. */
  readonly unknown: readonly { readonly what: string; readonly why: string }[];
  /** How many calls it took beside those of the plan. */
  readonly calls: number;
}

/** How many objects are not managed. */
export function countOf({ kinds }: Unmanaged): number {
  return kinds.reduce((sum, { objects }) => sum + objects.length, 0);
}

/** What the lists of a plan show beside what is managed. */
export function unmanagedIn(found: readonly AlsoListed[]): Unmanaged {
  const all = found.map(
    ({ kind, objects, apps, of, isSure }): UnmanagedKind => ({
      kind,
      objects: objects.map(({ key, name, app }) => ({ key, name, app, lines: [] })),
      within: apps === null ? null : { apps, of },
      ignored: 0,
      isSure,
    }),
  );
  return { isWhole: false, kinds: all, unknown: [], calls: 0 };
}
