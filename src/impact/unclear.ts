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
