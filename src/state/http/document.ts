import {
  hasMembers,
  isCount,
  isMap,
  isText,
  isTexts,
  type Members,
  orNull,
} from "../../model/expectation.js";
import { isObject, type Json, parseJson } from "../../model/json.js";
import { decode, encode } from "../codec.js";
import { damaged, fault } from "../fault.js";
import { checkFormat, FORMAT, isOfRemit, NOT_OURS } from "../format.js";
import { OWNER } from "../owner.js";
import type { Kept } from "../snapshot.js";
import type { Owner } from "../store.js";
import { misfitOf } from "../validity.js";

/** Everything that the server keeps: one document, which each write replaces. */
export interface StateDocument {
  /** The protocol's own count of writes. */
  readonly serial: number;
  /** Which write it is of: a write whose reply was lost is found again by it. */
  readonly writer: string;
  /** When the server proved that it refuses writes without the lock. */
  readonly probed: string;
  /** Whose intents the journal has; null where it has none, and after the holder gave its lock up. */
  readonly holder: Owner | null;
  readonly snapshot: Kept | null;
  readonly journal: readonly string[];
}

/** The largest document, in bytes: the server gets and keeps all of it with each write. */
const LARGEST = 10_000_000;

/** The document as text. Throws a `StateError` for one that is too large to be sent again and again. */
export function encodeDocument(name: string, document: StateDocument, version: string): string {
  const { serial, writer, probed, holder, snapshot, journal } = document;
  const kept: Json = snapshot === null ? null : JSON.parse([...encode(snapshot, version)].join(""));
  const head = { serial, lineage: snapshot?.lineage ?? "", formatVersion: FORMAT, writtenBy: version };
  const text = JSON.stringify({ ...head, writer, probed, holder, snapshot: kept, journal });
  const size = new TextEncoder().encode(text).length;
  if (size <= LARGEST) return text;
  throw fault(
    "state/too-large",
    `the state has ${(size / 1e6).toFixed(1)} MB, and ${name} takes 10 MB: each write sends all of it`,
    "Keep it in a store that is written in parts: `remit state move` takes it to s3:// or postgres://.",
  );
}

/** Reads a document. Throws a `StateError` for one that remit has not written. */
export function decodeDocument(text: string, name: string): StateDocument {
  const document = parseJson(text);
  if (!isObject(document) || !isOfRemit(document)) throw damaged(name, NOT_OURS);
  checkFormat(document, name, misfitOf(document, MEMBERS));
  const { snapshot, ...rest } = document as unknown as StateDocument;
  return { ...rest, snapshot: snapshot === null ? null : decode(JSON.stringify(snapshot), name) };
}

const MEMBERS: Members = {
  writtenBy: isText,
  serial: isCount,
  writer: isText,
  probed: isText,
  holder: orNull(hasMembers(OWNER)),
  snapshot: orNull(isMap),
  journal: isTexts,
};
