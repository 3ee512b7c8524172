import { isObject, type Json, type JsonObject, parseJson } from "../model/json.js";
import { damaged } from "./fault.js";
import { checkFormat, FORMAT, isOfRemit, NOT_OURS } from "./format.js";
import {
  isMoved,
  isSealed,
  type Kept,
  type MovedSnapshot,
  type SealedSnapshot,
  type Snapshot,
} from "./snapshot.js";
import { misfitIn, misfitInMoved, misfitInSealed } from "./validity.js";

/**
 * A snapshot as text: one line per entry, sorted by name, and each entry as it was written down, so that a change is
 * the lines it changed. It comes bit by bit: it may be large, and the writer can do something else in between.
 * `writer` is the version of remit that a reader of an older one is sent to.
 */
export function* encode(snapshot: Kept, writer: string): Iterable<string> {
  const { lineage, serial } = snapshot;
  const version = { formatVersion: FORMAT, writtenBy: writer, lineage, serial };
  if (isSealed(snapshot) || isMoved(snapshot)) {
    const { lineage: _, serial: __, ...rest } = snapshot;
    yield `${JSON.stringify({ ...version, ...rest }, null, 2)}\n`;
    return;
  }
  const head = {
    ...version,
    server: snapshot.server,
    ...(snapshot.project === undefined ? {} : { project: snapshot.project }),
    ...(snapshot.appliedBy === undefined ? {} : { appliedBy: snapshot.appliedBy }),
    ...(snapshot.history === undefined ? {} : { history: snapshot.history }),
    wasRead: snapshot.wasRead,
    applying: snapshot.applying,
    lastApplied: snapshot.lastApplied,
  };
  yield "{\n";
  for (const [name, value] of Object.entries(head)) yield `  "${name}": ${JSON.stringify(value)},\n`;
  yield* table("entries", snapshot.entries);
  yield ",\n";
  yield* table("uncertain", snapshot.uncertain);
  yield ",\n";
  yield* table("existing", snapshot.existing);
  yield "\n}\n";
}

function* table(name: string, rows: Readonly<Record<string, object>>): Iterable<string> {
  yield `  "${name}": {`;
  let end = "}";
  for (const [key, row] of Object.entries(rows).sort(([one], [other]) => (one < other ? -1 : 1))) {
    yield `${end === "}" ? "" : ","}\n    ${JSON.stringify(key)}: ${JSON.stringify(row)}`;
    end = "\n  }";
  }
  yield end;
}

/** Reads a snapshot; throws a `StateError` that names the file on a damaged one, and on one of another format. */
export function decode(text: string, name: string): Kept {
  const document = parseJson(text);
  if (!isObject(document)) throw damaged(name, "it is not JSON, or breaks off");
  if (!isOfRemit(document)) throw damaged(name, NOT_OURS);
  if ("sealed" in document) {
    checkFormat(document, name, misfitInSealed(document));
    const { formatVersion: _, writtenBy: __, ...sealed } = document;
    return sealed as unknown as SealedSnapshot;
  }
  if ("movedTo" in document) {
    checkFormat(document, name, misfitInMoved(document));
    const { formatVersion: _, writtenBy: __, ...moved } = document;
    return moved as unknown as MovedSnapshot;
  }
  checkFormat(document, name, misfitIn(document));
  const { formatVersion: _, writtenBy: __, ...snapshot } = document as unknown as Snapshot & Written;
  return { ...snapshot, entries: keptOnce(snapshot.entries) };
}

/** What a text says of itself. */
interface Written {
  readonly formatVersion: number;
  readonly writtenBy: string;
}

/**
 * The entries with each field that the service answered as it was sent once in memory: what is the same value need not be
 * compared. The text of an entry stays as it is.
 */
function keptOnce(entries: Snapshot["entries"]): Snapshot["entries"] {
  return Object.fromEntries(
    Object.entries(entries).map(([name, entry]) => [
      name,
      entry.answered === null ? entry : { ...entry, answered: keptAs(entry.applied, entry.answered) },
    ]),
  );
}

function keptAs(applied: JsonObject, answered: JsonObject): JsonObject {
  if (isSpelledAlike(applied, answered)) return applied;
  const members = Object.entries(answered).map(([name, value]): [string, Json] => {
    const sent = Object.hasOwn(applied, name) ? applied[name] : undefined;
    return [name, sent !== undefined && isSpelledAlike(sent, value) ? sent : value];
  });
  return Object.fromEntries(members);
}

function isSpelledAlike(one: Json, other: Json): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
