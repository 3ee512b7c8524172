const UNITS = [
  ["d", 86_400],
  ["h", 3_600],
  ["m", 60],
  ["s", 1],
] as const;

/** A duration in its short form, `90d`, from the service's spelling, `7776000s`; any other text as it is. */
export function shortDuration(text: string): string {
  const whole = /^([1-9][0-9]{0,14})s$/.exec(text)?.[1];
  if (whole === undefined) return text;
  let rest = Number(whole);
  return UNITS.map(([unit, seconds]) => {
    const count = Math.floor(rest / seconds);
    rest -= count * seconds;
    return count === 0 ? "" : `${count}${unit}`;
  }).join("");
}

/** A count of milliseconds as a duration that settings take: `30s`, `1m30s`, `1.5s`. */
export function durationText(milliseconds: number): string {
  return shortDuration(`${milliseconds / 1000}s`);
}
