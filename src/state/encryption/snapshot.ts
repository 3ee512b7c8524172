import { Buffer } from "node:buffer";
import { deflateRawSync, inflateRawSync } from "node:zlib";
import { decode, encode } from "../codec.js";
import { movedAway } from "../fault.js";
import { isMoved, isSealed, type Kept, type SealedSnapshot, type Snapshot } from "../snapshot.js";
import { needsKey, notEncrypted, otherKey, unverified } from "./fault.js";
import type { StateKey } from "./key.js";

/** What snapshots and lines are sealed for. */
export interface SealedPlace {
  /** The store, as messages name it. */
  readonly name: string;
  /** The place in the store: what was sealed for one place opens at no other. */
  readonly id: string;
}

/** A snapshot, and the serial from which on the lines of a journal belong to it. */
export interface Unsealed {
  readonly snapshot: Snapshot;
  readonly since: number;
}

const FORM = "remit1";

/** Seals a snapshot: compressed, then encrypted, and bound to its place, lineage and serial. */
export function sealSnapshot(
  { snapshot, since }: Unsealed,
  key: StateKey,
  place: SealedPlace,
  version: string,
): SealedSnapshot {
  const text = [`${since}\n`, ...encode(snapshot, version)].join("");
  const { lineage, serial, applying } = snapshot;
  const head = { lineage, serial, effect: applying?.effect ?? null };
  const sealed = key.seal(deflateRawSync(Buffer.from(text)), contextOf(head, place));
  return { ...head, sealed: `${FORM} ${key.id} ${sealed}` };
}

/** Opens what a store keeps; throws a `StateError` unless one of the keys sealed it there. */
export function openSnapshot(kept: Kept, keys: readonly StateKey[], place: SealedPlace): Unsealed {
  if (isMoved(kept)) throw movedAway(place.name, kept.movedTo);
  if (!isSealed(kept)) {
    if (keys.length > 0) throw notEncrypted(place.name);
    return { snapshot: kept, since: 0 };
  }
  if (keys.length === 0) throw needsKey(place.name);
  const [form, id = "", sealed = ""] = kept.sealed.split(" ");
  if (form !== FORM) throw unverified(place.name, "it is sealed in an unknown form");
  const key = keys.find((one) => one.id === id);
  if (key === undefined) throw otherKey(place.name, id, keys);
  const plain = key.open(sealed, contextOf(kept, place));
  if (plain === null) throw unverified(place.name, "its snapshot is not the one that was written there");
  const text = inflateRawSync(plain).toString("utf8");
  const end = text.indexOf("\n");
  const snapshot = decode(text.slice(end + 1), place.name);
  if (isSealed(snapshot) || isMoved(snapshot)) throw unverified(place.name, "it is sealed twice");
  return { snapshot, since: Number(text.slice(0, end)) };
}

function contextOf({ lineage, serial, effect }: Omit<SealedSnapshot, "sealed">, { id }: SealedPlace): string {
  return JSON.stringify(["remit state", id, lineage, serial, effect]);
}
