import { Buffer } from "node:buffer";
import { Secret } from "../../model/secret.js";
import type { KeptRecord } from "../record.js";
import { markOf } from "./form.js";
import { stateKey } from "./key.js";

const MARK = markOf("record");

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
