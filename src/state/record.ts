import { createHash, createHmac, randomBytes } from "node:crypto";
import {
  hasMembers,
  isCount,
  isListOf,
  isOneOf,
  isText,
  isTexts,
  isTime,
  type Members,
  orNull,
  such,
} from "../model/expectation.js";
import { canonical, type Json } from "../model/json.js";

/** The record of one run as it is kept, and the SHA-256 of its first line: it is found by it. */
export interface KeptRecord {
  readonly hash: string;
  /** What encrypts it in an encrypted store: one of the keys that the state has. */
  readonly key: string;
  /** The record. In an encrypted store, a second line may have the sealed texts of its values. */
  readonly text: string;
}

/** A record without the texts of its values, and its hash. */
export type RecordText = Pick<KeptRecord, "hash" | "text">;

/** A kept record in its two parts. */
export interface RecordParts {
  readonly record: string;
  /** The sealed texts of its values; null where none are kept. */
  readonly texts: string | null;
}

/** The two parts of what is kept. */
export function partsOf(text: string): RecordParts {
  const [record = "", texts = null] = text.split("\n");
  return { record, texts };
}

/** Both parts as they are kept. */
export function joined({ record, texts }: RecordParts): string {
  return texts === null ? record : `${record}\n${texts}`;
}

const FIELD: Members = { name: isText, before: orNull(isText), after: orNull(isText) };
const STEP: Members = {
  address: isText,
  key: orNull(isText),
  action: isText,
  outcome: isText,
  requests: isTexts,
  fields: isListOf(hasMembers(FIELD)),
};

/** What a run record consists of, beside its format. */
export const RUN_RECORD: Members = {
  number: such((value) => Number.isInteger(value) && Number(value) > 0),
  before: orNull(isText),
  run: isText,
  as: isOneOf("apply", "recovery", "command"),
  at: isTime,
  clock: isOneOf("service", "this machine"),
  server: isText,
  project: orNull(isText),
  pullRequest: orNull(isCount),
  commit: orNull(isText),
  effect: hasMembers({ expected: orNull(isText), applied: orNull(isText) }),
  by: hasMembers({ host: isText, user: orNull(isText), job: orNull(isText), command: isText }),
  steps: isListOf(hasMembers(STEP)),
  unwritten: isListOf(hasMembers({ address: isText, action: isText, outcome: isText })),
};

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
  /** What records are encrypted with, the newest first: they stay readable when the state gets another key, or none. */
  readonly keys: readonly string[];
  /** What opens the texts of values; absent where none are kept. */
  readonly texts?: TextsKey;
}

/**
 * Opens the texts of values from one day on. The key of each day makes the key of the next one, and no key makes an earlier
 * one. So what was sealed before that day is forgotten, wherever a copy of it is.
 */
export interface TextsKey {
  /** A day in UTC, such as 2026-07-01. */
  readonly from: string;
  readonly key: string;
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

/** The same history with a new key for later records: the keys that it had until now do not open them. */
export function withNewKey(head: HistoryHead): HistoryHead {
  return { ...head, keys: [newSecret(), ...head.keys] };
}

/** A secret for a state that has no history yet. */
export function newSecret(): string {
  return randomBytes(32).toString("hex");
}
