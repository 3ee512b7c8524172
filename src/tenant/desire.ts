import type { Kind } from "../kinds/kind.js";
import { normaliseWritten } from "../kinds/normalise.js";
import type { Resource } from "../manifest/resource.js";
import { type Address, formatAddress, parseAddress } from "../model/address.js";
import type { JsonObject } from "../model/json.js";
import type { Key } from "../model/key.js";
import { inTurn } from "../state/names.js";
import type { Snapshot } from "../state/snapshot.js";
import type { Desired } from "./known.js";
import type { MovedAddress } from "./movedAddress.js";
import type { Resolved } from "./names/resolve.js";

/** The keys that the service chose and the state remembers: by address and parent. */
type RecordedKeys = ReadonlyMap<string, Key>;

/** Every remembered key, to be found by what a manifest without an id says of itself. */
export function recordedKeys(snapshot: Snapshot | null, moved: readonly MovedAddress[] = []): RecordedKeys {
  const entries = inTurn(Object.values(snapshot?.entries ?? {}));
  const keys = new Map(entries.map(({ address, key }) => [memoryName(address, key.slice(0, -1)), key]));
  for (const { from, to } of moved) {
    const address = parseAddress(to);
    for (const entry of address === undefined ? [] : entries) {
      const name = memoryName(address as Address, entry.key.slice(0, -1));
      if (formatAddress(entry.address) === from && !keys.has(name)) keys.set(name, entry.key);
    }
  }
  return keys;
}

/** What a resolved spec asks for: its key, the fields that are its own, and their normal form. */
export function desire(
  resource: Resource,
  kind: Kind,
  { spec, meanings, warnings }: Pick<Resolved, "spec" | "meanings" | "warnings">,
  keys: RecordedKeys,
): Desired {
  const { shape } = kind;
  const others = [...shape.identity, ...shape.createOnly, ...shape.requestOnly];
  const isOurs = (name: string) => !others.includes(name);
  // As in `normalise`, a copy has no room for more.
  const owned = Object.keys(spec).filter(isOurs).slice();
  const written = Object.fromEntries(owned.map((name) => [name, spec[name] ?? null]));
  const given = Object.fromEntries(Object.entries(spec).filter(([name]) => !isOurs(name)));
  const once = Object.fromEntries(shape.createOnly.map((name) => [name, given[name] ?? null]));
  const identity = { ...given, ...normaliseWritten(once, shape) };
  const remembered = keys.get(memoryName(resource.address, parentOf(kind, identity)));
  return {
    resource,
    key: kind.key(spec) ?? remembered ?? null,
    identity,
    owned,
    fields: normaliseWritten(written, shape),
    meanings,
    warnings,
  };
}

/** A key without its last part, as far as the identity gives it. */
export function parentOf(kind: Kind, identity: JsonObject): Key {
  return kind.shape.identity.slice(0, -1).map((name) => {
    const part = identity[name];
    return typeof part === "string" ? part : "";
  });
}

function memoryName(address: Address, parent: Key): string {
  return `${formatAddress(address)} ${parent.join("/")}`;
}
