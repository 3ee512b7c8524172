import { Buffer } from "node:buffer";
import { isCount, isText, type Members, orAbsent } from "../../model/expectation.js";
import { isObject, parseJson } from "../../model/json.js";
import { say } from "../../words/say.js";
import type { StateChange } from "../change.js";
import { decode, encode } from "../codec.js";
import { checkFormat, FORMAT, isOfRemit } from "../format.js";
import type { Kept, Version } from "../snapshot.js";
import { StateError } from "../store.js";
import { misfitOf } from "../validity.js";

/*
 * In a commit of the state, `remit.json` says what it is, and of which version its snapshot is. `state/` has the text of
 * the snapshot in pieces of at most 1 MB. `journal/` has the journal, a file for each batch. `history/` has the last run records. A commit of the lock has
 * `lock.json`.
 */

/** Forges recommend that an object has at most 1 MB. */
const PIECE = 1_000_000;
const MARKER = "remit.json";
const STATE = "state";
const JOURNAL = "journal";
export const HISTORY = "history";

/** What a commit of the state contains. */
export interface StateFiles {
  /** Null where none was saved yet. */
  readonly version: Version | null;
  /** The number of the last batch of the journal. */
  readonly batches: number;
  readonly files: ReadonlyMap<string, string>;
}

/** Recognises a commit of a state; throws a `StateError` for any other. */
export function readStateFiles(files: ReadonlyMap<string, string>, name: string, ref: string): StateFiles {
  const marker = parseJson(files.get(MARKER) ?? "");
  if (!isObject(marker) || !isOfRemit(marker))
    throw new StateError(say("state/damaged#foreign", { ref, name }));
  checkFormat(marker, name, misfitOf(marker, MEMBERS));
  const { lineage, serial } = marker;
  const version = typeof lineage === "string" && typeof serial === "number" ? { lineage, serial } : null;
  const last = under(files, JOURNAL).at(-1)?.[0];
  return { version, batches: last === undefined ? 0 : Number(last.slice(JOURNAL.length + 1)), files };
}

/** Neither lineage nor serial before the first snapshot. */
const MEMBERS: Members = { writtenBy: isText, lineage: orAbsent(isText), serial: orAbsent(isCount) };

/** The snapshot of a commit; null where it has none. */
export function snapshotIn({ files }: StateFiles, name: string): Kept | null {
  const pieces = under(files, STATE).map(([, text]) => text);
  return pieces.length === 0 ? null : decode(pieces.join(""), name);
}

/** The lines of the journal, in order. */
export function journalIn({ files }: StateFiles): readonly string[] {
  return under(files, JOURNAL).flatMap(([, text]) => text.split("\n").filter((line) => line !== ""));
}

/** The files and folders that a change removes, and the files that it writes. */
export function writeStateFiles(
  { records, snapshot, isCleared, lines }: StateChange<Kept>,
  before: Omit<StateFiles, "files">,
  writer: string,
): StateFiles & { readonly removed: readonly string[] } {
  const version = snapshot === null ? before.version : { lineage: snapshot.lineage, serial: snapshot.serial };
  // A commit has the records of its own push; those before it are in the commits before it.
  const isPast = records.length > 0 ? [HISTORY] : [];
  const removed = [...(snapshot === null ? [] : [STATE]), ...(isCleared ? [JOURNAL] : []), ...isPast];
  const text = snapshot === null ? [] : pieces(encode(snapshot, writer));
  const batches = pieces(lines.map((line) => `${line}\n`));
  const first = isCleared ? 1 : before.batches + 1;
  const files = new Map([
    [MARKER, `${JSON.stringify({ formatVersion: FORMAT, writtenBy: writer, ...version })}\n`],
    ...text.map((piece, at) => [numbered(STATE, at + 1), piece] as const),
    ...records.map(({ hash, text }) => [recordPath(hash), text] as const),
    ...batches.map((piece, at) => [numbered(JOURNAL, first + at), piece] as const),
  ]);
  return { version, batches: first - 1 + batches.length, files, removed };
}

/** The file of a run record. */
export function recordPath(hash: string): string {
  return `${HISTORY}/${hash}`;
}

function under(files: ReadonlyMap<string, string>, folder: string): readonly (readonly [string, string])[] {
  return [...files]
    .filter(([path]) => path.startsWith(`${folder}/`))
    .sort(([one], [other]) => (one < other ? -1 : 1));
}

function numbered(folder: string, number: number): string {
  return `${folder}/${String(number).padStart(6, "0")}`;
}

/** The same text in as few pieces as there can be that end at the end of a line, where lines are short enough. */
function pieces(texts: Iterable<string>): readonly string[] {
  const done: string[] = [];
  let open = "";
  let size = 0;
  for (const text of texts)
    for (const part of parts(text)) {
      const more = Buffer.byteLength(part);
      if (size + more > PIECE) {
        done.push(open);
        [open, size] = ["", 0];
      }
      open += part;
      size += more;
    }
  return open === "" ? done : [...done, open];
}

/** A letter has at most 3 bytes for each of its units. */
const PART = Math.floor(PIECE / 3);

function* parts(text: string): Iterable<string> {
  for (let at = 0; at < text.length; ) {
    // The second half of a pair of surrogates stays with the first.
    const end = /[\uDC00-\uDFFF]/.test(text[at + PART] ?? "") ? at + PART - 1 : at + PART;
    yield text.slice(at, end);
    at = end;
  }
}
