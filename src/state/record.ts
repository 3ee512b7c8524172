import { createHash, createHmac, randomBytes } from "node:crypto";
import { canonical, type Json } from "../model/json.js";

/** The record of one run, as text, and the SHA-256 of that text: it is kept and found by it. */
export interface KeptRecord {
  readonly hash: string;
  readonly text: string;
}

/** Where the history of a state ends. */
export interface HistoryHead {
  /** How many records there are. */
  readonly number: number;
  /** The hash of the newest one. */
  readonly hash: string;
  /** The run that the newest one is of. */
  readonly run: string;
  /** What the hashes of values are made with: a value that can be guessed is not shown by its hash. */
  readonly secret: string;
}

/** The records of a state. */
export interface History {
  /** The text of the record with that hash; null where it is not kept. */
  record(hash: string): Promise<string | null>;
}

/** The hash that a record of that text is found by. */
export function hashOfRecord(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** The hash of a value, made with the secret of its state: without it, no guess at the value can be checked. */
export function hashOfValue(value: Json, secret: string): string {
  return createHmac("sha256", secret).update(canonical(value)).digest("hex");
}

/** A secret for a state that has no history yet. */
export function newSecret(): string {
  return randomBytes(32).toString("hex");
}
