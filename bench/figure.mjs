// A figure of a benchmark: the middle of what was measured, as one line beside its bound.

/** The middle of some numbers. */
export function median(numbers) {
  const sorted = [...numbers].sort((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)];
}

/** One line of a table of figures. */
export function row(figure, value, unit, bound, ratio, ok) {
  return { figure, value, unit, bound, ratio: ratio === null ? null : Math.round(ratio * 100) / 100, ok };
}
