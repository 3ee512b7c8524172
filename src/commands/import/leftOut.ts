import { identityOf } from "../../author/manuscript.js";
import { pointersIn } from "../../author/pointers.js";
import type { Kind, Observed } from "../../kinds/kind.js";
import { madeByPeople, settingsOf } from "../../kinds/settings.js";
import { nameIn } from "../../kinds/spelling.js";
import type { Resource } from "../../manifest/resource.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import { same } from "../../model/json.js";
import { formatKey, type Key } from "../../model/key.js";
import { pendingIn } from "../../model/pending.js";
import { parentOf } from "../../tenant/desire.js";
import { isGiven } from "../../tenant/given.js";
import { type InventoryScope, readInventory } from "../../tenant/inventory.js";
import type { Desired } from "../../tenant/known.js";
import type { LiveOrigin } from "../../tenant/origin.js";
import { ofProfiles } from "./ofProfiles.js";

/** Why an object got no manifest. */
export type LeftOutBecause =
  | "described"
  | "managed elsewhere"
  | "built in by the service"
  | "connector"
  | "built in"
  | "of a profile"
  | "made for an app"
  | "deleted"
  | "unread"
  | "unwritable";

/** An object without a new manifest: why, and more of it where there is more to say. */
export interface LeftOut {
  readonly kind: string;
  readonly key: Key;
  readonly because: LeftOutBecause;
  readonly detail: string;
  /** Its display name, as far as it was read; else empty. */
  readonly name: string;
}

/** A manifest about an object that the tenant does not have. */
export interface Gone {
  readonly resource: Resource;
  readonly key: Key;
  /** Whether the state remembers the object: otherwise it may never have been created. */
  readonly isRecorded: boolean;
}

/** What of a kind is looked for. */
interface ObjectScope extends InventoryScope {
  /** Called for each object that may get a manifest, as soon as it is read. */
  readonly met: (observed: Observed) => void;
}

/** What the tenant has of a kind, as far as an import cares. */
interface KindObjects {
  readonly kind: Kind;
  readonly found: readonly Observed[];
  readonly leftOut: readonly LeftOut[];
  readonly gone: readonly Gone[];
  readonly diagnostics: readonly Diagnostic[];
}

/** The objects of a kind that may get a manifest, in the order of their keys, and those that do not. */
export async function objectsOf(
  kind: Kind,
  scope: ObjectScope,
  origin: LiveOrigin,
  desired: readonly Desired[],
): Promise<KindObjects> {
  const { reader, catalogue } = origin;
  const named = new Set(scope.named.map((key) => formatKey(kind.name, key)));
  const listed = await listedStock(kind, scope, origin, desired);
  // Nothing is set in it but what the service itself writes into what a connector makes.
  const ofPeople = await leaving(
    listed,
    "connector",
    async (one) => !named.has(formatKey(kind.name, one.key)) && (await isGiven(kind, one, reader)),
  );
  // The service may still show the scope of a template that is gone.
  return leaving(ofPeople, "deleted", async ({ key }) => {
    const owner = pointersIn(identityOf(kind, key), kind.shape).at(-1);
    return owner !== undefined && (await catalogue.isGone(owner));
  });
}

/** The objects as the lists of the service show it. */
async function listedStock(
  kind: Kind,
  { met, ...scope }: ObjectScope,
  { reader, asked, snapshot }: LiveOrigin,
  desired: readonly Desired[],
): Promise<KindObjects> {
  const found: Observed[] = [];
  const leftOut: LeftOut[] = [];
  const gone: Gone[] = [];
  const own = desired.filter(({ resource }) => resource.address.kind === kind.name);
  const isDescribed = describedBy(kind, own);
  const byKey = new Map(
    own.flatMap(({ resource, key }) =>
      key === null ? [] : [[formatKey(kind.name, key), resource] as const],
    ),
  );
  // A manifest whose object no list shows may be about one that is gone: its own read says so.
  const isNamed = new Set(scope.named.map((key) => formatKey(kind.name, key)));
  const expected =
    scope.isNamedOnly || scope.fits !== null
      ? []
      : own.flatMap(({ key }) => (key === null || pendingIn(key).length > 0 ? [] : [key]));
  const sources = { ...scope, reader, asked, named: [...scope.named, ...expected] };
  const isOfProfile = await ofProfiles(kind, reader);
  const { diagnostics } = await readInventory(kind, sources, (sighting) => {
    const leave = (key: Key, because: LeftOutBecause, detail = "", name = "") =>
      leftOut.push({ kind: kind.name, key, because, detail, name });
    if (sighting.as === "unread") return leave(sighting.key, "unread", sighting.diagnostic.message);
    if (sighting.as === "deleted") {
      const place = formatKey(kind.name, sighting.key);
      const resource = byKey.get(place);
      if (resource === undefined) return leave(sighting.key, "deleted");
      const isRecorded = snapshot !== null && Object.hasOwn(snapshot.entries, place);
      return gone.push({ resource, key: sighting.key, isRecorded });
    }
    if (sighting.as === "made for an app") return leave(sighting.key, "made for an app", sighting.app);
    const { observed, isConnected } = sighting;
    const { key, managedBy, fields } = observed;
    const name = nameIn(fields);
    if (isDescribed(observed)) return leave(key, "described");
    const ofProfile = isOfProfile(observed);
    if ("is" in ofProfile && ofProfile.is) return leave(key, "of a profile");
    if (kind.isBuiltIn?.(observed) === true)
      return observed.isConnected === true
        ? leave(key, "built in by the service", "", name)
        : leave(key, "built in");
    // What another tool made in the app of a connector is not the connector's.
    const own = isNamed.has(formatKey(kind.name, key))
      ? (settingsOf(observed) ?? observed)
      : madeByPeople(observed, isConnected);
    if (own === null) return leave(key, "connector");
    if (managedBy !== undefined) return leave(key, "managed elsewhere", managedBy, name);
    if ("why" in ofProfile) return leave(key, "unread", ofProfile.why, name);
    met(own);
    return found.push(own);
  });
  return {
    kind,
    found: found.sort(byPlace),
    leftOut: leftOut.sort(byName),
    gone: gone.sort(byPlace),
    diagnostics,
  };
}

/** The same without the objects of which something holds; each is left out because of it. */
async function leaving(
  objects: KindObjects,
  because: LeftOutBecause,
  holds: (object: Observed) => Promise<boolean>,
): Promise<KindObjects> {
  const { kind, found, leftOut } = objects;
  const held = await Promise.all(found.map(holds));
  const left = found
    .filter((_, place) => held[place] === true)
    .map(({ key }): LeftOut => ({ kind: kind.name, key, because, detail: "", name: "" }));
  return {
    ...objects,
    found: found.filter((_, place) => held[place] !== true),
    leftOut: [...leftOut, ...left].sort(byName),
  };
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

/** As a reader looks for it: by name, then by key. */
function byName(one: LeftOut, other: LeftOut): number {
  const [a, b] = [one.name.toLowerCase(), other.name.toLowerCase()];
  return a === b ? byPlace(one, other) : a < b ? -1 : 1;
}

function byPlace(one: { readonly key: Key }, other: { readonly key: Key }): number {
  const [a, b] = [formatKey("", one.key), formatKey("", other.key)];
  return a < b ? -1 : a > b ? 1 : 0;
}
