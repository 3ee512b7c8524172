import type { StepReport } from "../plan/report.js";

/**
 * What a plan means for people, over all its rules: who loses first. A person may be counted for several rules, so the sums
 * are upper bounds. Null where nothing was counted.
 */
export function peopleTotal(steps: readonly StepReport[]): string | null {
  const counted = steps.flatMap(({ people }) => (people === null ? [] : [people]));
  if (counted.length === 0) return null;
  const most = (...names: readonly string[]) => {
    const highs = counted
      .flatMap(({ counts }) => names.flatMap((name) => counts[name] ?? []))
      .map(({ high }) => high);
    return highs.includes(null) ? null : highs.reduce<number>((sum, high) => sum + (high ?? 0), 0);
  };
  const loses = most("loses", "leaves");
  const gains = most("gains", "enters");
  const rules = counted.length === 1 ? "1 rule" : `${counted.length} rules`;
  if (loses === 0 && gains === 0) return `People: no one loses or gains access (${rules} counted).`;
  return `People: ${wordsOf(loses)} lose access, ${wordsOf(gains)} gain it (${rules} counted).`;
}

function wordsOf(most: number | null): string {
  if (most === null) return "any number may";
  return most === 0 ? "none" : `at most ${most}`;
}
