import { isObject, type Json, parseJson } from "../../model/json.js";
import { decode, encode } from "../codec.js";
import { damaged, fault, tooNew } from "../fault.js";
import type { Kept } from "../snapshot.js";
import type { Owner } from "../store.js";

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
  const head = { serial, lineage: snapshot?.lineage ?? "", formatVersion: 1, writtenBy: version };
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
  if (!isObject(document) || typeof document.formatVersion !== "number" || !Array.isArray(document.journal))
    throw damaged(name, "the document there is not one that remit has written");
  if (document.formatVersion > 1) throw tooNew(name, String(document.writtenBy));
  const { serial, writer, probed, holder, snapshot, journal } = document;
  const isWhole =
    typeof serial === "number" &&
    typeof writer === "string" &&
    journal.every((line) => typeof line === "string");
  if (!isWhole) throw damaged(name, "a member of it is missing or not what it should be");
  return {
    serial,
    writer,
    probed: String(probed),
    holder: isObject(holder) && typeof holder.id === "string" ? (holder as unknown as Owner) : null,
    snapshot: isObject(snapshot) ? decode(JSON.stringify(snapshot), name) : null,
    journal: journal as readonly string[],
  };
}
