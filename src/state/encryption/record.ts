import { Buffer } from "node:buffer";
import type { KeptRecord } from "../record.js";
import { needsKey, otherKey, unverified } from "./fault.js";
import type { StateKey } from "./key.js";
import type { SealedPlace } from "./snapshot.js";

const MARK = "remit2-record ";

/** Encrypts a run record for its place. */
export function sealedRecord({ hash, text }: KeptRecord, key: StateKey, place: SealedPlace): KeptRecord {
  return { hash, text: `${MARK}${key.id} ${key.seal(Buffer.from(text), contextOf(hash, place))}` };
}

/** Decrypts a run record. One that was written before the state was encrypted is as it is: its hash shows whose it is. */
export function openRecord(
  text: string,
  hash: string,
  keys: readonly StateKey[],
  place: SealedPlace,
): string {
  if (!text.startsWith(MARK)) return text;
  const [id = "", sealed = ""] = text.slice(MARK.length).split(" ");
  if (keys.length === 0) throw needsKey(place.name);
  const key = keys.find((one) => one.id === id);
  if (key === undefined) throw otherKey(place.name, id, keys);
  const plain = key.open(sealed, contextOf(hash, place));
  if (plain === null) throw unverified(place.name, `its run record ${hash} was not written there`);
  return plain.toString("utf8");
}

function contextOf(hash: string, { id }: SealedPlace): string {
  return JSON.stringify(["remit record", id, hash]);
}
