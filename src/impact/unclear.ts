/** Why something is unknown, and for how many people. */
export interface Unclear {
  readonly why: string;
  readonly people: number;
}

/** Adds the reason of some people to those counted; null stands for people about whom all is known. */
export function countReason(why: string | null, people: number, counted: Map<string, number>): void {
  if (why !== null) counted.set(why, (counted.get(why) ?? 0) + people);
}

/** Counted reasons, the most frequent first. */
export function sortReasons(counted: ReadonlyMap<string, number>): readonly Unclear[] {
  return [...counted]
    .map(([why, people]) => ({ why, people }))
    .sort((one, other) => other.people - one.people || (one.why < other.why ? -1 : 1));
}
