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

/** The people who are certainly in one of some counts, each once. */
export function certainIn(counts: readonly Count[]): ReadonlySet<string> {
  return new Set(counts.flatMap(({ low, people }) => people.slice(0, low)));
}
