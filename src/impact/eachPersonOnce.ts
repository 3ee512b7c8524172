import type { Count } from "./count.js";

/**
 * The most people who may be in any of some counts. Counts without an upper bound are left out. Where everyone was asked,
 * a person counts once; otherwise those who were not asked may be in several, so the numbers are added.
 */
export function eachPersonOnce(counts: readonly Count[], areAll: boolean): number {
  const bounded = counts.filter(({ high }) => high !== null);
  const sum = bounded.reduce((total, { high }) => total + (high ?? 0), 0);
  if (!areAll) return sum;
  const people = new Set(bounded.flatMap(({ people }) => people));
  return Math.min(sum, people.size);
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
