import { Buffer } from "node:buffer";
import { randomUUID } from "node:crypto";
import { needsKey, notEncrypted, otherKey, unverified } from "./fault.js";
import type { StateKey } from "./key.js";
import type { SealedPlace } from "./snapshot.js";

/*
 * A sealed line is `remit1-line KEY SEGMENT SERIAL NUMBER LENGTH SEALED`. The lines of one holder are a segment and are
 * numbered from 0, so none can be left out, repeated or moved. SERIAL is that of the snapshot that was kept when the
 * segment began. A line whose SEALED is shorter than LENGTH was cut off by a crash.
 */
const LINE = /^remit1-line ([0-9a-f]{8}) ([0-9a-f-]{36}) (\d{1,15}) (\d{1,15}) (\d{1,15}) ([\w-]+)$/;
const MARK = "remit1-line ";

/** Seals the lines of one holder, in order. */
export interface LineSealer {
  /** The serial of the snapshot after which its lines were written. */
  readonly serial: number;
  seal(line: string): string;
}

/** Begins a segment. */
export function lineSealer(key: StateKey, place: SealedPlace, serial: number): LineSealer {
  const segment = randomUUID();
  let number = 0;
  return {
    serial,
    seal(line) {
      const at = { segment, serial, number };
      number += 1;
      const sealed = key.seal(Buffer.from(line), contextOf(at, place));
      return `${MARK}${key.id} ${segment} ${serial} ${at.number} ${sealed.length} ${sealed}`;
    },
  };
}

/** The lines of a journal, and the serial after which the first of them was written; null where there are none. */
export interface OpenedLines {
  readonly lines: readonly string[];
  readonly since: number | null;
}

interface LinePlace {
  readonly segment: string;
  readonly serial: number;
  readonly number: number;
}

/**
 * Opens the lines of a journal; throws a `StateError` where one was not sealed there, is missing, or was written before
 * the snapshot with the serial `since`. A line that a crash cut off stays as it is: its reader counts it as damaged.
 */
export function openLines(
  lines: readonly string[],
  since: number,
  keys: readonly StateKey[],
  place: SealedPlace,
): OpenedLines {
  const isSealed = lines.some((line) => line.startsWith(MARK));
  if (keys.length === 0 && isSealed) throw needsKey(place.name);
  if (keys.length === 0) return { lines, since: null };
  let last: LinePlace | null = null;
  let first: number | null = null;
  const opened: string[] = [];
  for (const [at, line] of lines.entries()) {
    const match = LINE.exec(line);
    const sealed = match?.[6] ?? "";
    if (match === null || sealed.length !== Number(match[5])) {
      if (!isCutOff(line, lines[at + 1])) throw unsealed(line, place);
      opened.push(line);
      continue;
    }
    const [, id = "", segment = ""] = match;
    const found: LinePlace = { segment, serial: Number(match[3]), number: Number(match[4]) };
    const key = keys.find((one) => one.id === id);
    if (key === undefined) throw otherKey(place.name, id, keys);
    const plain = key.open(sealed, contextOf(found, place));
    const isNext = last?.segment === segment ? found.number === last.number + 1 : found.number === 0;
    if (plain === null || !isNext)
      throw unverified(place.name, "its journal is not the one that was written there");
    if (found.serial < since) throw unverified(place.name, "its journal is older than its snapshot");
    first = Math.min(first ?? found.serial, found.serial);
    last = found;
    opened.push(plain.toString("utf8"));
  }
  return { lines: opened, since: first };
}

/** Nothing of its segment follows a line that was cut off. */
function isCutOff(line: string, next: string | undefined): boolean {
  const isPart = line.startsWith(MARK) || MARK.startsWith(line);
  return isPart && (next === undefined || LINE.exec(next)?.[4] === "0");
}

function unsealed(line: string, place: SealedPlace): Error {
  return line.startsWith(MARK)
    ? unverified(place.name, "a line of its journal is damaged")
    : notEncrypted(place.name);
}

function contextOf({ segment, serial, number }: LinePlace, { id }: SealedPlace): string {
  return JSON.stringify(["remit journal", id, segment, serial, number]);
}
