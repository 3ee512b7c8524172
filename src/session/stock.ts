import { parentOf } from "../current/desire.js";
import { readInventory } from "../current/inventory.js";
import type { Origin } from "../current/origin.js";
import type { Desired } from "../current/world.js";
import type { Kind, Observed } from "../kinds/kind.js";
import type { Diagnostic } from "../model/diagnostic.js";
import { same } from "../model/json.js";
import { formatKey, type Key } from "../model/key.js";

/** Why an object got no manifest. */
export type LeftOutBecause =
  | "described"
  | "managed elsewhere"
  | "connector"
  | "built in"
  | "deleted"
  | "unread"
  | "unwritable";

/** An object without a new manifest: why, and more of it where there is more to say. */
export interface LeftOut {
  readonly kind: string;
  readonly key: Key;
  readonly because: LeftOutBecause;
  readonly detail: string;
}

/** What the tenant has of a kind, as far as an import cares. */
export interface Stock {
  readonly kind: Kind;
  readonly found: readonly Observed[];
  readonly leftOut: readonly LeftOut[];
  readonly diagnostics: readonly Diagnostic[];
}

/** The objects of a kind that may get a manifest, in the order of their keys, and those that do not. */
export async function stockOf(
  kind: Kind,
  named: readonly Key[],
  apps: ReadonlySet<string> | null,
  { reader, asked }: Pick<Origin, "reader" | "asked">,
  desired: readonly Desired[],
): Promise<Stock> {
  const found: Observed[] = [];
  const leftOut: LeftOut[] = [];
  if (reader === null) return { kind, found, leftOut, diagnostics: [] };
  const isDescribed = describedBy(
    kind,
    desired.filter(({ resource }) => resource.address.kind === kind.name),
  );
  const sources = { reader, asked, apps, named };
  const { diagnostics } = await readInventory(kind, sources, (sighting) => {
    const leave = (key: Key, because: LeftOutBecause, detail = "") =>
      leftOut.push({ kind: kind.name, key, because, detail });
    if (sighting.as === "deleted") leave(sighting.key, "deleted");
    else if (sighting.as === "unread") leave(sighting.key, "unread", sighting.diagnostic.message);
    else {
      const { observed, isConnected } = sighting;
      const { key, managedBy } = observed;
      if (isDescribed(observed)) leave(key, "described");
      else if (kind.isBuiltIn?.(observed) === true) leave(key, "built in");
      else if (isConnected) leave(key, "connector");
      else if (managedBy !== undefined) leave(key, "managed elsewhere", managedBy);
      else found.push(observed);
    }
  });
  return { kind, found: found.sort(byKey), leftOut: leftOut.sort(byKey), diagnostics };
}

/** Whether a manifest is about an object: by its key, or by what it says where only the service can choose a key. */
function describedBy(kind: Kind, desired: readonly Desired[]): (observed: Observed) => boolean {
  const keys = new Set(desired.flatMap(({ key }) => (key === null ? [] : [formatKey(kind.name, key)])));
  const keyless = desired.filter(({ key }) => key === null);
  return (observed) =>
    keys.has(formatKey(kind.name, observed.key)) ||
    keyless.some(
      ({ identity, fields }) =>
        same(parentOf(kind, identity), observed.key.slice(0, -1)) &&
        kind.matches?.({ ...identity, ...fields }, observed) === true,
    );
}

function byKey(one: { readonly key: Key }, other: { readonly key: Key }): number {
  const [a, b] = [formatKey("", one.key), formatKey("", other.key)];
  return a < b ? -1 : a > b ? 1 : 0;
}
