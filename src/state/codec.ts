import { formatAddress } from "../model/address.js";
import { isObject, type Json, type JsonObject, parseJson } from "../model/json.js";
import { formatKey } from "../model/key.js";
import { damaged, tooNew } from "./fault.js";
import { holdersIn } from "./holders.js";
import {
  type Entry,
  isMoved,
  isSealed,
  type Kept,
  type MovedSnapshot,
  type SealedSnapshot,
  type Snapshot,
} from "./snapshot.js";
import { faultIn, faultInMoved, faultInSealed } from "./validity.js";

/** Turns a document of one past format into the next. */
export type Migration = (document: JsonObject) => JsonObject;

/** One function per past format, the oldest first: the first turns format 1 into format 2. */
export const MIGRATIONS: readonly Migration[] = [toFormat2];

/** Format 2 adds whether the server was ever read, which objects exist without a record, and how far an apply has come. */
function toFormat2(document: JsonObject): JsonObject {
  return { ...document, wasRead: false, applying: null, existing: {} };
}

/**
 * A snapshot as text: one line per entry, sorted by name, and each entry as it was written down, so that a change is
 * the lines it changed. It comes bit by bit: it may be large, and the writer can do something else in between.
 * `writer` is the version of remit that a reader of an older one is sent to.
 */
export function* encode(snapshot: Kept, writer: string, migrations = MIGRATIONS): Iterable<string> {
  const { lineage, serial } = snapshot;
  const version = { formatVersion: migrations.length + 1, writtenBy: writer, lineage, serial };
  if (isSealed(snapshot)) {
    const { lineage: _, serial: __, ...rest } = snapshot;
    yield `${JSON.stringify({ ...version, ...rest }, null, 2)}\n`;
    return;
  }
  if (isMoved(snapshot)) {
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
    ...(snapshot.lastApplied === undefined ? {} : { landed: snapshot.lastApplied }),
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

/**
 * Reads a snapshot of this format or an older one; throws a `StateError` that names the file on a newer or damaged one.
 */
export function decode(text: string, name: string, migrations = MIGRATIONS): Kept {
  const document = parseJson(text);
  if (!isObject(document)) throw damaged(name, "it is not JSON, or breaks off");
  const { formatVersion, writtenBy } = document;
  if (typeof formatVersion !== "number" || !Number.isInteger(formatVersion) || formatVersion < 1) {
    throw damaged(name, "it names no format");
  }
  if (formatVersion > migrations.length + 1) {
    throw tooNew(name, typeof writtenBy === "string" ? writtenBy : "of a later version");
  }
  if ("sealed" in document) return decodeSealed(document, name);
  if ("movedTo" in document) return decodeMoved(document, name);
  const current = migrations.slice(formatVersion - 1).reduce((older, migrate) => migrate(older), document);
  const problem = faultIn(current);
  if (problem !== null) throw damaged(name, problem);
  const {
    lineage,
    serial,
    server,
    project,
    appliedBy,
    history,
    wasRead,
    applying,
    entries,
    uncertain,
    existing,
    landed,
  } = current as unknown as Omit<Snapshot, "lastApplied"> & { readonly landed?: Snapshot["lastApplied"] };
  return {
    lineage,
    serial,
    server,
    ...(project === undefined ? {} : { project }),
    ...(appliedBy === undefined ? {} : { appliedBy }),
    ...(history === undefined ? {} : { history }),
    wasRead,
    applying,
    entries: withFormers(refiled(keptOnce(entries))),
    uncertain,
    existing,
    ...(landed === undefined ? {} : { lastApplied: landed }),
  };
}

function decodeSealed(document: JsonObject, name: string): Kept {
  const problem = faultInSealed(document);
  if (problem !== null) throw damaged(name, problem);
  const { lineage, serial, project, effect, sealed } = document as unknown as SealedSnapshot;
  return { lineage, serial, ...(project === undefined ? {} : { project }), effect, sealed };
}

function decodeMoved(document: JsonObject, name: string): Kept {
  const problem = faultInMoved(document);
  if (problem !== null) throw damaged(name, problem);
  const { lineage, serial, movedTo, seal } = document as unknown as MovedSnapshot;
  return { lineage, serial, movedTo, ...(seal === undefined ? {} : { seal }) };
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

/** The entries under their own keys. One that was filed under another is moved once, unless its place is taken. */
function refiled(entries: Snapshot["entries"]): Snapshot["entries"] {
  const placed = Object.entries(entries).map(([name, entry]) => {
    return { entry, place: formatKey(entry.address.kind, entry.key), name };
  });
  const misfiled = placed.filter(({ name, place }) => name !== place);
  if (misfiled.length === 0) return entries;
  const well = placed.filter(({ name, place }) => name === place);
  return Object.fromEntries([...misfiled, ...well].map(({ place, entry }) => [place, entry]));
}

/** Several entries with one address: an older remit does not say which one has it. */
function withFormers(entries: Snapshot["entries"]): Snapshot["entries"] {
  const holders = holdersIn(Object.values(entries));
  const isFormer = (entry: Entry) =>
    entry.former !== true && holders.get(formatAddress(entry.address)) !== entry;
  if (!Object.values(entries).some(isFormer)) return entries;
  return Object.fromEntries(
    Object.entries(entries).map(([name, entry]) => [
      name,
      isFormer(entry) ? { ...entry, former: true } : entry,
    ]),
  );
}
