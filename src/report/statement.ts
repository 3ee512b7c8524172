import { formatLine, type Line, type Severity } from "../model/diagnostic.js";
import { type Said, say, type ValuesOf } from "../words/say.js";
import type { Saying } from "../words/saying.js";
import { rowOf } from "../words/sections.js";
import type { STATEMENT } from "../words/statement.js";
import { clipped } from "./text/layout.js";

/** Where a statement stands. The order of the list is the order within a rank. */
export type Rank = NonNullable<Saying["rank"]>;

/** One thing that a statement lists. */
export interface StatedObject {
  readonly text: string;
  /** Where it is written; null where that is not known. */
  readonly place: Line | null;
  /** What else tells it apart: its ids, or what set it; empty where there is nothing. */
  readonly aside: string;
  /** Its content, for a reader who opens it. */
  readonly lines: readonly string[];
}

/**
 * What a plan or an outcome says besides its steps, made once for every form: a form decides how it looks, never whether it is
 * there. Of its objects, a form may show the first and the number of the rest.
 */
export interface Statement {
  /** The same code always means the same, and stands in a list once for each `text`. */
  readonly code: string;
  readonly severity: Severity;
  readonly rank: Rank;
  /** A sentence, or what stands before its objects. Names and values are between back-ticks. */
  readonly text: string;
  /** How many things it is about. */
  readonly count: number;
  /** Whether its objects are names in one sentence, or each is a sentence of its own. */
  readonly lists: "names" | "lines";
  readonly objects: readonly StatedObject[];
}

/** The sentences of `words/` that are statements. */
type Stated = Extract<Said, keyof typeof STATEMENT.rows | `${keyof typeof STATEMENT.rows}#${string}`>;

type Counted = { [K in Stated]: { count: number } extends ValuesOf<K> ? K : never }[Stated];

/** A statement with its values, and how many things it is about. */
export function statement<K extends Stated>(
  key: K,
  values: ValuesOf<K>,
  objects: readonly StatedObject[] = [],
  count: number = Math.max(1, objects.length),
): Statement {
  const { code, severity, message } = say<Said>(key, values);
  const { rank = "end", lists = "names" } = rowOf(code);
  return { code, severity, rank, text: message, count, lists, objects };
}

/** A statement about objects; none without any. */
export function listing<K extends Stated>(
  key: K,
  values: ValuesOf<K>,
  objects: readonly StatedObject[],
): readonly Statement[] {
  return objects.length === 0 ? [] : [statement(key, values, objects)];
}

/** A statement that says how many; none for nothing. */
export function counted(key: Counted, count: number | null): readonly Statement[] {
  return count === null || count === 0 ? [] : [statement(key, { count }, [], count)];
}

/** An object of a statement from what differs in it. */
export function stated(text: string, more: Partial<Omit<StatedObject, "text">> = {}): StatedObject {
  const { place = null, aside = "", lines = [] } = more;
  return { text, place, aside, lines };
}

/** The statements of a rank, in their order. */
export function ofRank(list: readonly Statement[], ...ranks: readonly Rank[]): readonly Statement[] {
  return list.filter(({ rank }) => ranks.includes(rank));
}

/** Where an object is written, or what tells it apart. */
export function besideOf({ place, aside }: StatedObject): string {
  return place === null ? aside : formatLine(place);
}

/** The most objects that the sentences of a statement have. */
const MOST = { names: 10, lines: 20 } as const;
/** What stands before the steps names fewer. */
const MOST_AT_TOP = 2;
/** A text from outside may be long; formats for programs have all of it. */
const LONGEST = 500;

/** A statement as sentences, with its first objects and how many more there are. */
export function sentencesOf(
  { text, rank, count, lists, objects }: Statement,
  most: number = rank === "top" && lists === "names" ? MOST_AT_TOP : MOST[lists],
): readonly string[] {
  const shown = objects.slice(0, most).map((one) => clipped(spelled(one), LONGEST));
  const rest = objects.length === 0 ? 0 : count - shown.length;
  const all = [...shown, ...(rest > 0 ? [shown.length === 0 ? `${rest}` : `${rest} more`] : [])];
  if (all.length === 0) return [text];
  if (lists === "lines") return all.map((one) => `${text}: ${one}`);
  return [
    `${text}: ${rest > 0 && all.length > 1 ? `${shown.join(", ")} and ${all.at(-1)}` : all.join(", ")}`,
  ];
}

function spelled(object: StatedObject): string {
  const where = besideOf(object);
  return where === "" ? object.text : `${object.text} (${where})`;
}
