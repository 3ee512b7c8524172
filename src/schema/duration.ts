const SECONDS_IN = [604_800, 86_400, 3_600, 60, 1] as const;
const SHORT = /^(?=.)(?:(\d+)w)?(?:(\d+)d)?(?:(\d+)h)?(?:(\d+)m)?(?:(\d+)(?:\.(\d{1,9}))?s)?$/;
const ISO = /^P(?=.)(?:(\d+)W)?(?:(\d+)D)?(?:T(?=.)(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)(?:\.(\d{1,9}))?S)?)?$/;
// google.protobuf.Duration holds no more than about 10,000 years.
const LONGEST = 315_576_000_000;

/**
 * A duration in the service's spelling, `7776000s`, from any notation: `90d`, `12h30m`, `P90D`, `7776000s`. Undefined
 * for any other text.
 */
export function canonicalDuration(text: string): string | undefined {
  const parts = SHORT.exec(text) ?? ISO.exec(text);
  if (parts === null) return undefined;
  const seconds = SECONDS_IN.reduce((sum, length, at) => sum + length * Number(parts[at + 1] ?? 0), 0);
  const fraction = (parts[6] ?? "").replace(/0+$/, "");
  if (seconds > LONGEST) return undefined;
  return fraction === "" ? `${seconds}s` : `${seconds}.${fraction}s`;
}

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

/** How to write a number that stands where a duration belongs; undefined for any other text. */
export function withUnit(text: string): string | undefined {
  if (!/^[0-9]{1,9}$/.test(text)) return undefined;
  return `Write its unit: ${text}d for days, or ${text}h, ${text}m, ${text}s.`;
}
