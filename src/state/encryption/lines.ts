import { Buffer } from "node:buffer";
import { randomUUID } from "node:crypto";
import { say } from "../../words/say.js";
import type { Version } from "../snapshot.js";
import { StateError } from "../store.js";
import { isSealedText, markOf, openText, otherForm, unverified } from "./form.js";
import type { StateKey } from "./key.js";
import type { SealedPlace } from "./snapshot.js";

/*
 * A sealed line is `remit-line 1 KEY LINEAGE SEGMENT SERIAL AFTER NUMBER LENGTH SEALED`. The lines of one holder are a
 * segment and are numbered from 0. AFTER is the last line before the segment, `SEGMENT.NUMBER`. So no line can be left
 * out before the last one, repeated or moved, and no segment. SERIAL is that of the snapshot that was kept when the
 * segment began, and LINEAGE its state; `-` is none. A line whose SEALED is shorter than LENGTH was cut off by a crash.
 */
const LINE =
  /^remit-line 1 ([0-9a-f]{8}) (\S+) ([0-9a-f-]{36}) (\d{1,15}) (-|[0-9a-f-]{36}\.\d{1,15}) (\d{1,15}) (\d{1,15}) ([\w-]+)$/;
const MARK = markOf("line");
const NONE = "-";

/** Where the lines of a holder begin. */
export interface SegmentStart extends Pick<Version, "serial"> {
  /** The state; null where none was saved. */
  readonly lineage: string | null;
  /** The last line of the journal; null where it has none. */
  readonly after: string | null;
}

/** Seals the lines of one holder, in order. */
export interface LineSealer {
  /** The serial of the snapshot after which its lines were written. */
  readonly serial: number;
  seal(line: string): string;
}

/** Begins a segment. */
export function lineSealer(key: StateKey, place: SealedPlace, start: SegmentStart): LineSealer {
  const segment = randomUUID();
  const { serial } = start;
  const lineage = start.lineage === null ? NONE : encodeURIComponent(start.lineage);
  const after = start.after ?? NONE;
  let number = 0;
  return {
    serial,
    seal(line) {
      const at = { lineage, segment, serial, after, number };
      number += 1;
      const sealed = key.seal(Buffer.from(line), contextOf(at, place));
      const names = [key.id, lineage, segment, serial, after, at.number, sealed.length, sealed];
      return `${MARK}${names.join(" ")}`;
    },
  };
}

/** The lines of a journal, and what the next holder continues; null where there are none. */
interface OpenedLines {
  readonly lines: readonly string[];
  /** The serial after which the first of them was written. */
  readonly since: number | null;
  /** The last of them, as the next segment names it. */
  readonly last: string | null;
}

/** What a line says of its place in the journal. */
interface LinePlace {
  readonly lineage: string;
  readonly segment: string;
  readonly serial: number;
  readonly after: string;
  readonly number: number;
}

interface SealedLine extends LinePlace {
  readonly key: string;
  readonly sealed: string;
}

/**
 * Opens the lines of a journal. Throws a `StateError` where one was not sealed there or is missing, and where one belongs to
 * another state than `kept` or was written before the serial `since` of it. A line that a crash cut off stays as it is: its reader
 * counts it as damaged.
 */
export function openLines(
  lines: readonly string[],
  kept: { readonly lineage: string | null; readonly since: number },
  keys: readonly StateKey[],
  place: SealedPlace,
): OpenedLines {
  if (keys.length === 0 && lines.some(isSealedText))
    throw new StateError(say("state/encrypted#noKey", { name: place.name }));
  if (keys.length === 0) return { lines, since: null, last: null };
  let last: SealedLine | null = null;
  let first: number | null = null;
  const opened: string[] = [];
  for (const [at, line] of lines.entries()) {
    const found = readLine(line);
    if (found === null) {
      const other = otherForm(line, place.name);
      if (other !== null) throw other;
      if (!isCutOff(line, lines[at + 1])) throw unsealed(line, place);
      opened.push(line);
      continue;
    }
    const { key: id, sealed } = found;
    const plain = openText({ id, sealed, context: contextOf(found, place) }, keys, place.name);
    if (plain === null || !follows(found, last))
      throw unverified(place.name, "its journal is not the one that was written there");
    if (isOther(found, kept.lineage)) throw unverified(place.name, "its journal is that of another state");
    if (found.serial < kept.since) throw unverified(place.name, "its journal is older than its snapshot");
    first = Math.min(first ?? found.serial, found.serial);
    last = found;
    opened.push(plain.toString("utf8"));
  }
  return { lines: opened, since: first, last: last === null ? null : nameOf(last) };
}

/** Null for a line that is not whole. */
function readLine(line: string): SealedLine | null {
  const [, key = "", lineage = "", segment = "", serial, after = "", number, length, sealed = ""] =
    LINE.exec(line) ?? [];
  if (sealed === "" || sealed.length !== Number(length)) return null;
  return { key, lineage, segment, serial: Number(serial), after, number: Number(number), sealed };
}

/** Whether a line is the next of its segment, or the first of one that continues the journal so far. */
function follows(found: SealedLine, last: SealedLine | null): boolean {
  if (last?.segment === found.segment) return found.number === last.number + 1 && found.after === last.after;
  const before = last === null ? NONE : nameOf(last);
  return found.number === 0 && found.after === before;
}

function isOther({ lineage }: SealedLine, kept: string | null): boolean {
  return lineage !== NONE && kept !== null && lineage !== encodeURIComponent(kept);
}

function nameOf({ segment, number }: LinePlace): string {
  return `${segment}.${number}`;
}

/** Nothing of its segment follows a line that was cut off. */
function isCutOff(line: string, next: string | undefined): boolean {
  const isPart = line.startsWith(MARK) || MARK.startsWith(line);
  return isPart && (next === undefined || readLine(next)?.number === 0);
}

function unsealed(line: string, place: SealedPlace): Error {
  return line.startsWith(MARK)
    ? unverified(place.name, "a line of its journal is damaged")
    : new StateError(say("state/not-encrypted", { name: place.name }));
}

function contextOf({ lineage, segment, serial, after, number }: LinePlace, { id }: SealedPlace): string {
  return JSON.stringify(["remit journal", id, lineage, segment, serial, after, number]);
}
