const UNITS: Readonly<Record<string, number>> = { w: 604_800, d: 86_400, h: 3_600, m: 60, s: 1 };
const SUGAR = /^(?=.)(?:(\d+)w)?(?:(\d+)d)?(?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s)?$/;
const ISO = /^P(?=.)(?:(\d+)W)?(?:(\d+)D)?(?:T(?=.)(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/;
const WIRE = /^(\d+)(?:\.(\d{1,9}))?s$/;
// google.protobuf.Duration holds no more than about 10,000 years.
const LONGEST = 315_576_000_000;

/**
 * A duration in the service's spelling, `7776000s`, whichever way it was written: `90d`, `12h30m`, `P90D`,
 * `7776000s`. Undefined when it is none.
 */
export function canonicalDuration(text: string): string | undefined {
  const wire = WIRE.exec(text);
  if (wire !== null) {
    const fraction = (wire[2] ?? "").replace(/0+$/, "");
    return bounded(Number(wire[1]), fraction === "" ? "" : `.${fraction}`);
  }
  const parts = SUGAR.exec(text) ?? ISO.exec(text);
  if (parts === null) return undefined;
  const seconds = Object.values(UNITS).reduce(
    (sum, length, index) => sum + length * Number(parts[index + 1] ?? 0),
    0,
  );
  return bounded(seconds, "");
}

function bounded(seconds: number, fraction: string): string | undefined {
  return seconds <= LONGEST ? `${seconds}${fraction}s` : undefined;
}
