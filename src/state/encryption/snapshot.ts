import { Buffer } from "node:buffer";
import { deflateRawSync, inflateRawSync } from "node:zlib";
import { say } from "../../words/say.js";
import { decode, encode } from "../codec.js";
import {
  isMoved,
  isSealed,
  type Kept,
  type MovedSnapshot,
  type SealedSnapshot,
  type Snapshot,
} from "../snapshot.js";
import { StateError } from "../store.js";
import { markOf, openText, otherForm, unverified } from "./form.js";
import type { StateKey } from "./key.js";

/** What snapshots and lines are sealed for. */
export interface SealedPlace {
  /** The store, as messages name it. */
  readonly name: string;
  /** The place in the store, as it is configured: what was sealed for one place opens at no other. */
  readonly id: string;
}

/** A snapshot, and the serial from which on the lines of a journal belong to it. */
interface Unsealed {
  readonly snapshot: Snapshot;
  readonly since: number;
}

const MARK = markOf("state");

/** Seals a snapshot: compressed, then encrypted, and bound to its place, project, lineage and serial. */
export function sealSnapshot(
  { snapshot, since }: Unsealed,
  key: StateKey,
  place: SealedPlace,
  version: string,
): SealedSnapshot {
  const text = [`${since}\n`, ...encode(snapshot, version)].join("");
  const { lineage, serial, project, applying } = snapshot;
  const named = project === undefined ? {} : { project };
  const head = { lineage, serial, ...named, effect: applying?.effect ?? null };
  const sealed = key.seal(deflateRawSync(Buffer.from(text)), contextOf(head, place));
  return { ...head, sealed: `${MARK}${key.id} ${sealed}` };
}

/** Seals the mark of a state that was moved, so that only a run with the key can say where to. */
export function sealMove(moved: MovedSnapshot, key: StateKey, place: SealedPlace): MovedSnapshot {
  return { ...moved, seal: `${MARK}${key.id} ${key.seal(Buffer.alloc(0), contextOfMove(moved, place))}` };
}

/** Opens what a store keeps; throws a `StateError` unless one of the keys sealed it there. */
export function openSnapshot(kept: Kept, keys: readonly StateKey[], place: SealedPlace): Unsealed {
  if (isMoved(kept)) {
    if (keys.length > 0 && !isSealedMove(kept, keys, place))
      throw new StateError(say("state/unverified#move", { name: place.name, to: kept.movedTo }));
    throw new StateError(say("state/moved", { name: place.name, to: kept.movedTo }));
  }
  if (!isSealed(kept)) {
    if (keys.length > 0) throw new StateError(say("state/not-encrypted", { name: place.name }));
    return { snapshot: kept, since: 0 };
  }
  if (keys.length === 0) throw new StateError(say("state/encrypted#noKey", { name: place.name }));
  if (!kept.sealed.startsWith(MARK))
    throw otherForm(kept.sealed, place.name) ?? unverified(place.name, "it is sealed in an unknown form");
  const [id = "", sealed = ""] = kept.sealed.slice(MARK.length).split(" ");
  const plain = openText({ id, sealed, context: contextOf(kept, place) }, keys, place.name);
  if (plain === null) throw unverified(place.name, "its snapshot is not the one that was written there");
  const text = inflateRawSync(plain).toString("utf8");
  const end = text.indexOf("\n");
  const snapshot = decode(text.slice(end + 1), place.name);
  if (isSealed(snapshot) || isMoved(snapshot)) throw unverified(place.name, "it is sealed twice");
  return { snapshot, since: Number(text.slice(0, end)) };
}

function isSealedMove(moved: MovedSnapshot, keys: readonly StateKey[], place: SealedPlace): boolean {
  const seal = moved.seal ?? "";
  const [id, sealed = ""] = seal.slice(MARK.length).split(" ");
  const key = keys.find((one) => one.id === id);
  return seal.startsWith(MARK) && key !== undefined && key.open(sealed, contextOfMove(moved, place)) !== null;
}

type Head = Omit<SealedSnapshot, "sealed">;

function contextOf({ lineage, serial, project, effect }: Head, { id }: SealedPlace): string {
  return JSON.stringify(["remit state", id, project ?? null, lineage, serial, effect]);
}

function contextOfMove({ lineage, serial, movedTo }: MovedSnapshot, { id }: SealedPlace): string {
  return JSON.stringify(["remit move", id, lineage, serial, movedTo]);
}
