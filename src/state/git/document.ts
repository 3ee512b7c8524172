import { Buffer } from "node:buffer";
import { isObject, parseJson } from "../../model/json.js";
import { say } from "../../words/say.js";
import { isOfRemit } from "../format.js";
import { decodeHead, encodeHead, RECORDS, SNAPSHOTS, type StateHead } from "../head.js";
import type { Parts } from "../objects.js";
import { StateError } from "../store.js";

/*
 * In a commit of the state, `remit.json` is its head, without a lock. `state/` has the text of the kept snapshot,
 * `journal/` what the head names of the journal, both in pieces of at most 1 MB. `history/` has the last run records.
 * A commit of the lock has `lock.json`.
 */

/** Forges recommend that an object has at most 1 MB. */
const PIECE = 1_000_000;
export const HEAD_FILE = "remit.json";
const STATE = "state";
export const HISTORY = "history";

/** The files of a commit, by their paths. */
export type Files = ReadonlyMap<string, string>;

/** The head of a commit of a state; throws a `StateError` for any other. */
export function headIn(files: Files, name: string, ref: string): StateHead {
  const text = files.get(HEAD_FILE) ?? "";
  const head = parseJson(text);
  if (!isObject(head) || !isOfRemit(head)) throw new StateError(say("state/damaged#foreign", { ref, name }));
  return decodeHead(text, name);
}

/** An object of a commit; null where it has none of that name. */
export function objectIn(files: Files, object: string, { snapshot }: StateHead): string | null {
  // A commit has one snapshot: those before it are in the commits before it.
  if (object.startsWith(SNAPSHOTS) && object !== snapshot?.name) return null;
  const pieces = [...files]
    .filter(([path]) => path.startsWith(`${folderOf(object)}/`))
    .sort(([one], [other]) => (one < other ? -1 : 1));
  return pieces.length === 0 ? null : pieces.map(([, text]) => text).join("");
}

/** The files and folders that a version removes, and the files that it writes. */
export function filesOf(
  head: StateHead,
  { put, drop }: Parts,
): { readonly removed: readonly string[]; readonly files: Files } {
  const names = [...put.keys()];
  const replaced = [STATE, HISTORY].filter((folder) => names.some((name) => name.startsWith(`.${folder}/`)));
  const dropped = drop.filter((name) => !name.startsWith(SNAPSHOTS)).map(folderOf);
  return {
    removed: [...replaced, ...dropped],
    files: new Map([
      [HEAD_FILE, encodeHead({ ...head, lock: null })],
      ...[...put].flatMap(([name, text]) =>
        name.startsWith(RECORDS)
          ? [[recordPath(name), text] as const]
          : pieces(text).map((piece, at) => [numbered(folderOf(name), at + 1), piece] as const),
      ),
    ]),
  };
}

/** The file of a run record. */
export function recordPath(object: string): string {
  return `${HISTORY}/${object.slice(RECORDS.length)}`;
}

function folderOf(object: string): string {
  return object.startsWith(SNAPSHOTS) ? STATE : object.slice(1);
}

function numbered(folder: string, number: number): string {
  return `${folder}/${String(number).padStart(6, "0")}`;
}

/** The same text in as few pieces as there can be that end at the end of a line, where lines are short enough. */
function pieces(whole: string): readonly string[] {
  const done: string[] = [];
  let open = "";
  let size = 0;
  for (const line of whole.split(/(?<=\n)/))
    for (const part of parts(line)) {
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
