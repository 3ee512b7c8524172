import { isCount, isMap, isText, type Members } from "../../model/expectation.js";
import { isObject, type Json, type JsonObject, parseJson } from "../../model/json.js";
import { say } from "../../words/say.js";
import { damaged } from "../fault.js";
import { checkFormat, FORMAT, isOfRemit, NOT_OURS } from "../format.js";
import { decodeHead, encodeHead, SNAPSHOTS } from "../head.js";
import { HEAD, type Parts, type Tagged } from "../objects.js";
import { StateError } from "../store.js";
import { misfitOf } from "../validity.js";

/** Everything that the server keeps: one document, which each write replaces. */
export interface StateDocument {
  readonly head: string;
  /** What the head names: a snapshot as JSON, lines as text. */
  readonly parts: JsonObject;
}

/** The largest document, in bytes: the server gets and keeps all of it with each write. */
const LARGEST = 10_000_000;

/** An object of the document. Its head is its tag. */
export function objectIn(document: StateDocument | null, object: string): Tagged | null {
  if (document === null) return null;
  const { head, parts } = document;
  if (object === HEAD) return { text: head, tag: head };
  const part = Object.hasOwn(parts, object) ? parts[object] : undefined;
  if (part === undefined) return null;
  return { text: typeof part === "string" ? part : JSON.stringify(part), tag: head };
}

/** The document after a write. The server keeps earlier versions, so this one has only the newest snapshot. */
export function withParts(
  before: StateDocument | null,
  name: string,
  head: string,
  { put, drop }: Parts,
): StateDocument {
  const former = decodeHead(head, name).before?.name;
  const gone = new Set([...drop, former]);
  const kept = Object.entries(before?.parts ?? {}).filter(([object]) => !gone.has(object));
  const more = [...put].map(([object, text]): [string, Json] => [
    object,
    (object.startsWith(SNAPSHOTS) ? parseJson(text) : undefined) ?? text,
  ]);
  return { head, parts: Object.fromEntries([...kept, ...more]) };
}

/** The document as text. Throws a `StateError` for one that is too large to be sent again and again. */
export function encodeDocument(name: string, { head, parts }: StateDocument, version: string): string {
  const { turn, snapshot } = decodeHead(head, name);
  const marks = { serial: turn, lineage: snapshot?.lineage ?? "", formatVersion: FORMAT, writtenBy: version };
  const text = JSON.stringify({ ...marks, head: parseJson(head) ?? null, parts });
  const size = new TextEncoder().encode(text).length;
  if (size <= LARGEST) return text;
  throw new StateError(say("state/too-large", { size: (size / 1e6).toFixed(1), name }));
}

/** Reads a document. Throws a `StateError` for one that remit has not written. */
export function decodeDocument(text: string, name: string): StateDocument {
  const document = parseJson(text);
  if (!isObject(document) || !isOfRemit(document)) throw damaged(name, NOT_OURS);
  checkFormat(document, name, misfitOf(document, MEMBERS));
  const { head, parts } = document as unknown as { readonly head: JsonObject; readonly parts: JsonObject };
  return { head: encodeHead(decodeHead(JSON.stringify(head), name)), parts };
}

const MEMBERS: Members = { writtenBy: isText, serial: isCount, head: isMap, parts: isMap };
