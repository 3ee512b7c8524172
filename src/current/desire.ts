import type { Kind } from "../kinds/kind.js";
import { normalise } from "../kinds/normalise.js";
import type { Resource } from "../manifest/resource.js";
import type { JsonObject } from "../model/json.js";
import type { Key } from "../model/key.js";
import type { Entry, Snapshot } from "../state/snapshot.js";
import type { Desired } from "./world.js";

/** What a resolved spec asks for: its key, the fields that are its own, and their normal form. */
export function desire(resource: Resource, kind: Kind, spec: JsonObject, snapshot: Snapshot | null): Desired {
  const { shape } = kind;
  const isOurs = (name: string) => !shape.identity.includes(name) && !shape.createOnly.includes(name);
  const owned = Object.keys(spec).filter(isOurs);
  const written = Object.fromEntries(owned.map((name) => [name, spec[name] ?? null]));
  const identity = Object.fromEntries(Object.entries(spec).filter(([name]) => !isOurs(name)));
  return {
    resource,
    key: kind.key(spec) ?? rememberedKey(resource, parentOf(kind, identity), snapshot),
    identity,
    owned,
    fields: normalise(written, shape),
  };
}

/** A key without its last part, as far as the identity gives it. */
export function parentOf(kind: Kind, identity: JsonObject): Key {
  return kind.shape.identity.slice(0, -1).map((name) => {
    const part = identity[name];
    return typeof part === "string" ? part : "";
  });
}

// The service chose the id when the object was created, and the state remembers it.
function rememberedKey(resource: Resource, parent: Key, snapshot: Snapshot | null): Key | null {
  const { kind, name } = resource.address;
  const isIt = ({ address, key }: Entry) =>
    address.kind === kind && address.name === name && parent.every((part, index) => key[index] === part);
  return Object.values(snapshot?.entries ?? {}).find(isIt)?.key ?? null;
}
