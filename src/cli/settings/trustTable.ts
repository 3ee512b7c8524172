import {
  type Acknowledgement,
  durationText,
  type Ignored,
  type Limits,
  nameOfAcknowledgement,
  nameOfLimit,
  publicServer,
} from "../../entry/settings.js";
import { isObject, type Json, type Span, same } from "../../entry/values.js";
import type { SettingPath } from "./projectFile.js";
import { DEFAULT_READS } from "./reads.js";
import type { ReadBounds, Settings } from "./settings.js";

/** A part of a setting: its name, what is compared, what is shown of it, and where a project file writes it. */
export interface SettingPart {
  readonly name: string;
  readonly value: Json;
  readonly shown: Json;
  readonly path: SettingPath;
  /** Its own line, where the setting is a list. */
  readonly span: Span | null;
}

/**
 * Who decides on a setting. `intent`: the working tree. `fixed`: the reviewed branch alone, because no other value
 * permits less. `limit`: the reviewed branch, and the working tree where its value permits less.
 */
export type Row<T> = { readonly parts: (value: T) => readonly SettingPart[] } & (
  | { readonly is: "intent"; readonly loosens: (value: Json) => boolean }
  | { readonly is: "fixed" }
  | { readonly is: "limit"; readonly isWithin: IsWithin; readonly tighter: (inForce: T, tree: T) => T }
);

/** Whether one part permits no more than another of its name; undefined is a part that is not set. */
type IsWithin = (one: Json | undefined, other: Json | undefined, name: string) => boolean;

/** The name of a setting in code. */
export type Name = keyof Settings;
/** What a setting's value is. */
export type ValueOf<N extends Name> = Settings[N]["value"];

/** Every setting has its row: a setting without one does not compile. */
export const ROWS: { readonly [N in Name]: Row<ValueOf<N>> } = {
  server: fixed((value) => [part("server", value, value === null ? null : publicServer(value))]),
  interface: fixed((value) => [part("interface", value)]),
  state: fixed((value) => [part("state", value)]),
  project: fixed((value) => [part("project", value)]),
  concurrency: fixed((value) => [part("concurrency", value)]),
  requestTimeout: fixed((value) => [part("requestTimeout", value, durationText(value))]),
  retries: fixed((value) => [part("retries", value)]),
  sandbox: fixed((value) => members("sandbox", { ...value })),
  manifests: intent((value) => [part("manifests", value)]),
  apps: intent((value) => members("apps", value)),
  values: intent((value) => [part("values", value)]),
  moved: intent((value) =>
    value.map(({ from, to, span }, place) => ({
      ...part(`moved.${from}`, to),
      path: ["moved", place],
      span,
    })),
  ),
  removed: intent((value) =>
    value.map(({ address, key, decision, span }, place) => {
      const name = `removed.${address}${key === null ? "" : `@${key}`}`;
      return { ...part(name, decision), path: ["removed", place], span };
    }),
  ),
  prunesAlways: intent(
    (value) => [part("prune", value)],
    (value) => value === true,
  ),
  prunable: intent(
    (value) => [part("prune.resourceTypes", value)],
    (value) => !same(value, []),
  ),
  // It hides objects from the reader, whatever it says.
  ignored: intent((value) => value.map(partOfIgnored), always),
  impact: {
    is: "limit",
    parts: (value) => members("impact", { ...value }),
    isWithin: isWithinImpact,
    tighter: (inForce, tree) => ({
      calls: Math.min(inForce.calls, tree.calls),
      people: inForce.people && tree.people,
    }),
  },
  reads: {
    is: "limit",
    parts: (value) => members("reads", { ...DEFAULT_READS, ...value }),
    isWithin: isAtMost,
    tighter: tighterReads,
  },
  limits: {
    is: "limit",
    parts: (value) => members("guards", { ...value }),
    isWithin: isWithinLimit,
    tighter: tighterLimits,
  },
  acknowledgements: {
    is: "limit",
    parts: (value) => value.map(partOfAcknowledgement),
    isWithin: isWithinTerm,
    tighter: tighterAcknowledgements,
  },
};

function fixed<T>(parts: Row<T>["parts"]): Row<T> {
  return { is: "fixed", parts };
}

/** A setting of the working tree; `loosens` says which values permit more than the default. */
function intent<T>(parts: Row<T>["parts"], loosens: (value: Json) => boolean = () => false): Row<T> {
  return { is: "intent", parts, loosens };
}

function always(): boolean {
  return true;
}

function partOfIgnored({ objects, until, reason, span }: Ignored, place: number): SettingPart {
  return {
    ...part(`ignore.${objects}`, { until, reason }, `until ${until}: ${reason}`),
    path: ["ignore", place],
    span,
  };
}

/** A part that its setting's name leads to in a project file. */
function part(name: string, value: Json, shown: Json = value): SettingPart {
  return { name, value, shown, path: name.split("."), span: null };
}

function members(of: string, values: Readonly<Record<string, Json>>): readonly SettingPart[] {
  return Object.entries(values).map(([name, value]) => ({
    ...part(`${of}.${name}`, value),
    path: [of, name],
  }));
}

/** How each limit becomes tighter: by a lower number, where null is none, or by asking. */
const LIMITS: Readonly<Record<keyof Limits, "lower" | "ask">> = {
  maxDeletes: "lower",
  maxForgets: "lower",
  maxChanges: "lower",
  maxChangesPercent: "lower",
  changesFloor: "lower",
  maxLosing: "lower",
  maxGaining: "lower",
  firstWrite: "ask",
  acknowledgeDays: "lower",
};
const LIMIT_NAMES = Object.keys(LIMITS) as readonly (keyof Limits)[];

const ASKING: ReadonlySet<string> = new Set(
  LIMIT_NAMES.filter((name) => LIMITS[name] === "ask").map(nameOfLimit),
);

function isWithinLimit(one: Json | undefined, other: Json | undefined, name: string): boolean {
  return ASKING.has(name) ? one === "ask" || one === other : isAtMost(one, other);
}

/** Null sets no bound. */
function isAtMost(one: Json | undefined, other: Json | undefined): boolean {
  if (other === null) return true;
  return typeof one === "number" && typeof other === "number" && one <= other;
}

function tighterLimits(inForce: Limits, tree: Limits): Limits {
  const pairs = LIMIT_NAMES.map((name) => {
    const isTighter = isWithinLimit(tree[name], inForce[name], nameOfLimit(name));
    return [name, isTighter ? tree[name] : inForce[name]];
  });
  return Object.fromEntries(pairs) as unknown as Limits;
}

/** Naming people permits more than not naming them. */
function isWithinImpact(one: Json | undefined, other: Json | undefined): boolean {
  return typeof one === "boolean" ? !one || other === true : isAtMost(one, other);
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

function partOfAcknowledgement(one: Acknowledgement, place: number): SettingPart {
  const name = nameOfAcknowledgement(one);
  if (one.by === "flag") return part(name, null);
  const { until, reason, span } = one;
  return {
    ...part(name, { until, reason }, `until ${until}: ${reason}`),
    path: ["acknowledge", place],
    span,
  };
}

/** An acknowledgement that is gone, or that ends earlier for the same reason. */
function isWithinTerm(one: Json | undefined, other: Json | undefined): boolean {
  if (one === undefined) return true;
  if (!isObject(one) || !isObject(other)) return false;
  return String(one.until) <= String(other.until) && one.reason === other.reason;
}

function tighterAcknowledgements(
  inForce: readonly Acknowledgement[],
  tree: readonly Acknowledgement[],
): readonly Acknowledgement[] {
  return inForce.flatMap((one): readonly Acknowledgement[] => {
    const name = nameOfAcknowledgement(one);
    const own = tree.filter((other) => nameOfAcknowledgement(other) === name);
    if (own.length === 0) return [];
    const isSame = (other: Acknowledgement) => same(termOf(other), termOf(one));
    const last = own.some(isSame) ? one : own.toSorted(byEnd).at(-1);
    return [last !== undefined && isWithinTerm(termOf(last), termOf(one)) ? last : one];
  });
}

function termOf(one: Acknowledgement): Json {
  return one.by === "flag" ? null : { until: one.until, reason: one.reason };
}

function byEnd(one: Acknowledgement, other: Acknowledgement): number {
  return one.by === "flag" || other.by === "flag" ? 0 : one.until < other.until ? -1 : 1;
}
