import {
  EXPANSION_LIMITS,
  type ExpansionLimits,
  expansionLimitsIn,
} from "../../../manifest/expand/budget.js";
import { isObject, type Json } from "../../../model/json.js";
import { DEFAULT_LIMITS, type Limits } from "../../../plan/guards/settings.js";
import { type Bounds, DEFAULT_BOUNDS } from "../../../tenant/client/pages.js";
import { isAtMost, members, row, whole } from "../row.js";

/** The limits of the guards, of which the working tree may only tighten each. */
export const limits = row<Limits>({
  name: "guards",
  read(value) {
    if (!isObject(value)) return undefined;
    const { own: _, ...limits } = value;
    return { ...DEFAULT_LIMITS, ...(limits as Partial<Limits>) };
  },
  fallback: DEFAULT_LIMITS,
  decides: { is: "limit", isWithin: isWithinLimit, tighter: tighterLimits },
});

/** The value of each limit without a number that asks; a number is tighter where it is lower, and null is none. */
const ASKING: Readonly<Record<string, string>> = {
  conflict: "strict",
  firstWrite: "ask",
} satisfies Partial<Limits>;

/** How much named values and rows may make. The working tree may only permit less. */
export const expansion = row<ExpansionLimits>({
  name: "limits",
  at: "limits",
  read: (value) => (isObject(value) ? expansionLimitsIn(value) : undefined),
  fallback: EXPANSION_LIMITS,
  decides: {
    is: "limit",
    isWithin: isAtMost,
    tighter: (inForce, tree) => ({
      nodes: Math.min(inForce.nodes, tree.nodes),
      characters: Math.min(inForce.characters, tree.characters),
      pairs: Math.min(inForce.pairs, tree.pairs),
    }),
  },
  parts: ({ nodes, characters, pairs }) => members("limits", { values: nodes, characters, pairs }),
  printed: ({ nodes, characters, pairs }) => ({ values: nodes, characters, pairs }),
});

/** How people are counted: with how many calls at most, and whether they are named where others may read it. */
interface ImpactSettings {
  readonly calls: number;
  readonly people: boolean;
}

const DEFAULT: ImpactSettings = { calls: 400, people: false };

/** How people are counted. The working tree may ask for no names; fewer calls would hide who loses access. */
export const impact = row<ImpactSettings>({
  read: (value) =>
    isObject(value)
      ? { calls: whole(0, 100_000).read(value.calls, null) ?? DEFAULT.calls, people: value.people === true }
      : undefined,
  fallback: DEFAULT,
  decides: {
    is: "limit",
    isWithin: isWithinImpact,
    tighter: (inForce, tree) => ({
      calls: inForce.calls,
      people: inForce.people && tree.people,
    }),
  },
});

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

function isWithinLimit(one: Json | undefined, other: Json | undefined, name: string): boolean {
  const asking = ASKING[name.slice(name.indexOf(".") + 1)];
  return asking === undefined ? isAtMost(one, other) : one === asking || one === other;
}

function tighterLimits(inForce: Limits, tree: Limits): Limits {
  const tighter = Object.entries(tree).filter(([name, value]) =>
    isWithinLimit(value, inForce[name as keyof Limits], name),
  );
  return { ...inForce, ...Object.fromEntries(tighter) };
}

/** Naming people permits more than not naming them. No other number of calls is within one: less of them counts fewer people. */
function isWithinImpact(one: Json | undefined, other: Json | undefined): boolean {
  return typeof one === "boolean" ? !one || other === true : one === other;
}

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
