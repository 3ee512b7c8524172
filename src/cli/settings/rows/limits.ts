import { isObject, type Json } from "../../../model/json.js";
import { DEFAULT_LIMITS, type Limits } from "../../../plan/guards/limits.js";
import { nameOfLimit } from "../../../plan/guards/rules.js";
import { isAtMost, members, row } from "../row.js";

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
  parts: (value) => members("guards", { ...value }),
});

/** How each limit becomes tighter: by a lower number, where null is none, or by the value that asks. */
const TIGHTER: Readonly<Record<keyof Limits, "lower" | { readonly to: string }>> = {
  maxDeletes: "lower",
  maxForgets: "lower",
  maxChanges: "lower",
  maxChangesPercent: "lower",
  changesFloor: "lower",
  maxLosing: "lower",
  maxGaining: "lower",
  conflict: { to: "strict" },
  firstWrite: { to: "ask" },
  acknowledgeDays: "lower",
};
const LIMIT_NAMES = Object.keys(TIGHTER) as readonly (keyof Limits)[];

const ASKING: ReadonlyMap<string, string> = new Map(
  LIMIT_NAMES.flatMap((name) => {
    const tighter = TIGHTER[name];
    return tighter === "lower" ? [] : [[nameOfLimit(name), tighter.to] as const];
  }),
);

function isWithinLimit(one: Json | undefined, other: Json | undefined, name: string): boolean {
  const asking = ASKING.get(name);
  return asking === undefined ? isAtMost(one, other) : one === asking || one === other;
}

function tighterLimits(inForce: Limits, tree: Limits): Limits {
  const pairs = LIMIT_NAMES.map((name) => {
    const isTighter = isWithinLimit(tree[name], inForce[name], nameOfLimit(name));
    return [name, isTighter ? tree[name] : inForce[name]];
  });
  return Object.fromEntries(pairs) as unknown as Limits;
}
