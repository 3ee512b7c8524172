/** Why something is unknown, and for how many people. */
export interface Unclear {
  readonly why: string;
  readonly people: number;
}

/** Adds the reasons of some people to those counted; null stands for a person about whom all is known. */
export function countReasons(reasons: readonly (string | null)[], counted: Map<string, number>): void {
  for (const why of reasons) if (why !== null) counted.set(why, (counted.get(why) ?? 0) + 1);
}

/** Counted reasons, the most frequent first. */
export function sortReasons(counted: ReadonlyMap<string, number>): readonly Unclear[] {
  return [...counted]
    .map(([why, people]) => ({ why, people }))
    .sort((one, other) => other.people - one.people || (one.why < other.why ? -1 : 1));
}
