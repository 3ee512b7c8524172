import type { Count } from "./count.js";

/**
 * The most people who may be in any of some counts. Counts without an upper bound are left out. Where everyone was asked,
 * a person counts once; otherwise those who were not asked may be in several, so the numbers are added.
 */
export function together(counts: readonly Count[], areAll: boolean): number {
  const bounded = counts.filter(({ high }) => high !== null);
  const sum = bounded.reduce((total, { high }) => total + (high ?? 0), 0);
  if (!areAll) return sum;
  const people = new Set(bounded.flatMap(({ people }) => people));
  return Math.min(sum, people.size);
}
