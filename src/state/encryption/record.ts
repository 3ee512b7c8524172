import { Buffer } from "node:buffer";
import { Secret } from "../../model/secret.js";
import type { KeptRecord } from "../record.js";
import { needsKey, otherKey, unverified } from "./fault.js";
import { type StateKey, stateKey } from "./key.js";
import type { SealedPlace } from "./snapshot.js";

const MARK = "remit3-record ";

/** Encrypts a run record with the key that the state has for it. */
export function sealedRecord({ hash, key, text }: KeptRecord): KeptRecord {
  const sealed = stateKey(new Secret(key)).seal(Buffer.from(text), contextOf(hash));
  return { hash, key, text: `${MARK}${sealed}` };
}

/** Decrypts a run record with one of the keys that the state has; null where none of them encrypted it. */
export function openRecord(text: string, hash: string, keys: readonly string[]): string | null {
  if (!text.startsWith(MARK)) return text;
  for (const key of keys) {
    const plain = stateKey(new Secret(key)).open(text.slice(MARK.length), contextOf(hash));
    if (plain !== null) return plain.toString("utf8");
  }
  return null;
}

function contextOf(hash: string): string {
  return JSON.stringify(["remit record", hash]);
}

const FORMER_MARK = "remit2-record ";

/** Decrypts a record that an older remit encrypted with the key of the state; every other text is as it is. */
export function openFormerRecord(
  text: string,
  hash: string,
  keys: readonly StateKey[],
  { name, id: place }: SealedPlace,
): string {
  if (!text.startsWith(FORMER_MARK)) return text;
  const [id = "", sealed = ""] = text.slice(FORMER_MARK.length).split(" ");
  if (keys.length === 0) throw needsKey(name);
  const key = keys.find((one) => one.id === id);
  if (key === undefined) throw otherKey(name, id, keys);
  const plain = key.open(sealed, JSON.stringify(["remit record", place, hash]));
  if (plain === null) throw unverified(name, `its run record ${hash} was not written there`);
  return plain.toString("utf8");
}
