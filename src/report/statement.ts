import type { Severity } from "../model/diagnostic.js";
import { clipped } from "./text/layout.js";

/**
 * Where a statement belongs: below the head, in a section before or after the steps, at the end, or among the details that a
 * terminal shows with `-v`. The order of the list is the order within a rank.
 */
export type Rank = "top" | "before" | "after" | "end" | "detail";

/** One thing that a statement lists. */
export interface StatedObject {
  readonly text: string;
  /** Where it is written; null where that is not known. */
  readonly place: { readonly file: string; readonly line: number } | null;
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

/** A statement from what differs in it. */
export function statement(
  code: string,
  rank: Rank,
  text: string,
  more: Partial<Omit<Statement, "code" | "rank" | "text">> = {},
): Statement {
  const { objects = [], count = Math.max(1, objects.length), severity = "note", lists = "names" } = more;
  return { code, severity, rank, text, count, lists, objects };
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
  return place === null ? aside : `${place.file}:${place.line}`;
}

/** The most objects that the sentences of a statement have. */
const MOST = { names: 10, lines: 20 } as const;
/** A text from outside may be long; formats for programs have all of it. */
const LONGEST = 500;

/** A statement as sentences, with its first objects and how many more there are. */
export function sentencesOf(
  { text, count, lists, objects }: Statement,
  most: number = MOST[lists],
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
