import { isObject } from "../../../model/json.js";
import { type Bounds, DEFAULT_BOUNDS } from "../../../tenant/client/bounds.js";
import { isAtMost, members, row } from "../row.js";

/** The bounds of reads that the project file sets: MiB of a reply, rows and pages of a list, and its seconds. */
type ReadBounds = { readonly [bound in "reply" | "rows" | "pages" | "time"]?: number };

const MIB = 1024 * 1024;
const SECOND = 1000;

/** The bounds of a project that sets none, in the project file's units. */
const DEFAULT_READS: Required<ReadBounds> = {
  reply: DEFAULT_BOUNDS.reply / MIB,
  rows: DEFAULT_BOUNDS.rows,
  pages: DEFAULT_BOUNDS.pages,
  time: DEFAULT_BOUNDS.time / SECOND,
};

/** The bounds of reads, of which the working tree may only lower each. */
export const reads = row<ReadBounds>({
  read: (value) => (isObject(value) ? (value as ReadBounds) : undefined),
  fallback: {},
  decides: { is: "limit", isWithin: isAtMost, tighter: tighterReads },
  parts: (value) => members("reads", { ...DEFAULT_READS, ...value }),
});

function tighterReads(inForce: ReadBounds, tree: ReadBounds): ReadBounds {
  const names = Object.keys(DEFAULT_READS) as readonly (keyof ReadBounds)[];
  const tighter = names.filter((name) => {
    const [own, other] = [{ ...DEFAULT_READS, ...tree }[name], { ...DEFAULT_READS, ...inForce }[name]];
    return own < other;
  });
  return {
    ...inForce,
    ...Object.fromEntries(tighter.map((name) => [name, tree[name] ?? DEFAULT_READS[name]])),
  };
}

/** The bounds as the client counts them: bytes and milliseconds. */
export function boundsOf({ reply, time, ...counts }: ReadBounds): Partial<Bounds> {
  return {
    ...counts,
    ...(reply === undefined ? {} : { reply: reply * MIB }),
    ...(time === undefined ? {} : { time: time * SECOND }),
  };
}
