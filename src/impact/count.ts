import type { Assumption } from "./assumption.js";

/** How far a number can be trusted. A bound holds even where something is unknown. */
export type Certainty = "exact" | "at most" | "at least" | "between" | "unknown";

/** A number of people: what is certain, what is possible, and what it is if remit's assumptions hold. */
export interface Count {
  readonly low: number;
  /** Null where any number is possible. */
  readonly high: number | null;
  /** The number if the assumptions hold; null where it is not known even then. */
  readonly assumed: number | null;
  /** The assumptions that this number would change with, in the order of their names. */
  readonly assumptions: readonly Assumption[];
  /** The people who may be among them, as far as they are known: first the `low` of them who certainly are, then by id. */
  readonly people: readonly string[];
}

/** No people, for certain. */
export const NONE: Count = { low: 0, high: 0, assumed: 0, assumptions: [], people: [] };

/** Any number of people. */
export const UNCOUNTED: Count = { low: 0, high: null, assumed: null, assumptions: [], people: [] };

/** The word that belongs to a number. */
export function certaintyOf({ low, high }: Pick<Count, "low" | "high">): Certainty {
  if (high === null) return low > 0 ? "at least" : "unknown";
  if (low === high) return "exact";
  return low > 0 ? "between" : "at most";
}

/** Whether someone belongs to a count: for certain, perhaps, or not. */
interface Inclusion {
  readonly certain: boolean;
  readonly possible: boolean;
  /** As the assumptions have it; null where that is not known. */
  readonly assumed: boolean | null;
  readonly assumptions: readonly Assumption[];
}

/** Collects people into a count, so that only their ids are held. */
export class Tally {
  #assumed: number | null = 0;
  readonly #certain: string[] = [];
  readonly #others: string[] = [];
  readonly #assumptions = new Set<Assumption>();

  /** Adds some people of whom the same is true. */
  add(ids: readonly string[], { certain, possible, assumed, assumptions }: Inclusion): void {
    const people = certain ? this.#certain : this.#others;
    if (certain || possible) for (const id of ids) people.push(id);
    if (assumed === null) this.#assumed = null;
    else if (assumed && this.#assumed !== null) this.#assumed += ids.length;
    for (const assumption of assumptions) this.#assumptions.add(assumption);
  }

  /** The count so far; `others` is how many more there may be among people who were not read, null for any number. */
  count(others: number | null = 0): Count {
    const people = [...this.#certain.toSorted(), ...this.#others.toSorted()];
    const isOpen = others === null || others > 0;
    return {
      low: this.#certain.length,
      high: others === null ? null : people.length + others,
      assumed: isOpen ? null : this.#assumed,
      assumptions: [...this.#assumptions].sort(),
      people,
    };
  }
}

/**
 * The most people who may be in any of some counts: each who is known once, and all who are not known. Counts without an
 * upper bound are left out.
 */
export function eachPersonOnce(counts: readonly Count[]): number {
  const bounded = counts.flatMap(({ high, people }) => (high === null ? [] : [{ high, people }]));
  const sum = bounded.reduce((total, { high }) => total + high, 0);
  const known = new Set(bounded.flatMap(({ people }) => people)).size;
  const others = bounded.reduce((total, { high, people }) => total + Math.max(0, high - people.length), 0);
  return Math.min(sum, known + others);
}

/** The people who are certainly in one of some counts, each once. */
export function certainIn(counts: readonly Count[]): ReadonlySet<string> {
  return new Set(counts.flatMap(({ low, people }) => people.slice(0, low)));
}

/** Why something is unknown, and for how many people. */
export interface Unclear {
  readonly why: string;
  readonly people: number;
  /** For how many of them the rule is unknown as it will be; the others are unknown by the old rule alone. */
  readonly after: number;
}

/** What a rule says of some people; the reason is null where that is known. */
interface Answer {
  readonly why: string | null;
}

/** Collects why rules are unknown, for some people at a time. */
export class Reasons {
  readonly #counted = new Map<string, Unclear>();

  /** Adds some people by what the rules say of them: the new one counts first. */
  add(before: Answer, after: Answer, people: number): void {
    const why = after.why ?? before.why;
    if (why === null) return;
    const known = this.#counted.get(why) ?? { why, people: 0, after: 0 };
    const isAfter = after.why !== null;
    this.#counted.set(why, {
      why,
      people: known.people + people,
      after: known.after + (isAfter ? people : 0),
    });
  }

  /** The reasons so far, the most frequent first. */
  sorted(): readonly Unclear[] {
    return [...this.#counted.values()].sort(
      (one, other) => other.people - one.people || (one.why < other.why ? -1 : 1),
    );
  }
}
