import type { Count } from "./count.js";

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

/**
 * The fewest people who are certainly in one of some counts, each counted once. Of a count, only those are added whom no
 * earlier count may have: some of the others may be the same people.
 */
export function eachPersonOnceForCertain(counts: readonly Count[]): number {
  const seen = new Set<string>();
  let fewest = 0;
  for (const { low, people } of counts) {
    const again = people.filter((id) => seen.has(id)).length;
    fewest += Math.max(0, low - again);
    for (const id of people) seen.add(id);
  }
  return Math.max(fewest, ...counts.map(({ low }) => low), 0);
}
