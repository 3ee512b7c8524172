import { type Bounds, DEFAULT_BOUNDS } from "../../entry/settings.js";
import type { ReadBounds } from "./settings.js";

const MIB = 1024 * 1024;
const SECOND = 1000;

/** The bounds of a project that sets none, in the project file's units. */
export const DEFAULT_READS: Required<ReadBounds> = {
  reply: DEFAULT_BOUNDS.reply / MIB,
  rows: DEFAULT_BOUNDS.rows,
  pages: DEFAULT_BOUNDS.pages,
  time: DEFAULT_BOUNDS.time / SECOND,
};

/** The bounds as the client counts them: bytes and milliseconds. */
export function boundsOf({ reply, time, ...counts }: ReadBounds): Partial<Bounds> {
  return {
    ...counts,
    ...(reply === undefined ? {} : { reply: reply * MIB }),
    ...(time === undefined ? {} : { time: time * SECOND }),
  };
}
