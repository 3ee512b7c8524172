import { Buffer } from "node:buffer";
import type { History, KeptRecord } from "../record.js";
import { needsKey, otherKey, unverified } from "./fault.js";
import type { StateKey } from "./key.js";
import type { SealedPlace } from "./snapshot.js";

const MARK = "remit2-record ";

/** Encrypts a run record for its place. */
export function sealedRecord({ hash, text }: KeptRecord, key: StateKey, place: SealedPlace): KeptRecord {
  return { hash, text: `${MARK}${key.id} ${key.seal(Buffer.from(text), contextOf(hash, place))}` };
}

/**
 * A record again, for the key that it is read with from now on; null for none. It stands beside the first one, under a
 * name of its own: no run changes a record.
 */
export function recordAgain(
  { hash, text }: KeptRecord,
  key: StateKey | null,
  place: SealedPlace,
): KeptRecord {
  const again = key === null ? text : sealedRecord({ hash, text }, key, place).text;
  return { hash: nameAgain(hash, key), text: again };
}

/** The record of that hash, decrypted: as it was kept first, or again for one of the keys. Null where it is not kept. */
export async function readRecordWith(
  hash: string,
  { record }: History,
  keys: readonly StateKey[],
  place: SealedPlace,
): Promise<string | null> {
  const first = await record(hash);
  if (first === null) return null;
  const readers = isOpenTo(first, keys) ? [] : keys.length === 0 ? [null] : keys;
  for (const key of readers) {
    const again = await record(nameAgain(hash, key));
    if (again !== null) return openRecord(again, hash, keys, place);
  }
  return openRecord(first, hash, keys, place);
}

/** Decrypts a run record. One that was written before the state was encrypted is as it is: its hash shows whose it is. */
function openRecord(text: string, hash: string, keys: readonly StateKey[], place: SealedPlace): string {
  if (!text.startsWith(MARK)) return text;
  const [id = "", sealed = ""] = text.slice(MARK.length).split(" ");
  if (keys.length === 0) throw needsKey(place.name);
  const key = keys.find((one) => one.id === id);
  if (key === undefined) throw otherKey(place.name, id, keys);
  const plain = key.open(sealed, contextOf(hash, place));
  if (plain === null) throw unverified(place.name, `its run record ${hash} was not written there`);
  return plain.toString("utf8");
}

function isOpenTo(text: string, keys: readonly StateKey[]): boolean {
  return !text.startsWith(MARK) || keys.some(({ id }) => text.startsWith(`${MARK}${id} `));
}

function nameAgain(hash: string, key: StateKey | null): string {
  return `${hash}-${key?.id ?? "readable"}`;
}

function contextOf(hash: string, { id }: SealedPlace): string {
  return JSON.stringify(["remit record", id, hash]);
}
