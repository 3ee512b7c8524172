const UNITS = [
  ["d", 86_400],
  ["h", 3_600],
  ["m", 60],
  ["s", 1],
] as const;

/** A duration in its short form, `90d`, from the service's spelling, `7776000s`; any other text as it is. */
export function shortDuration(text: string): string {
  const match = /^(\d+)(\.\d+)?s$/.exec(text);
  const whole = Number(match?.[1]);
  if (match === null || match[2] !== undefined || whole === 0 || !Number.isSafeInteger(whole)) return text;
  let rest = whole;
  const parts = UNITS.flatMap(([unit, seconds]) => {
    const count = Math.floor(rest / seconds);
    rest -= count * seconds;
    return count === 0 ? [] : [`${count}${unit}`];
  });
  return parts.join("");
}
