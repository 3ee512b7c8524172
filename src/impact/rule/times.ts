import { Duration, UnsignedInt } from "@marcbachmann/cel-js/evaluator";
import { inZone, isMoment, isWithinYears, RFC3339 } from "./calendar.js";
import { NotRead } from "./fault.js";
import { whole } from "./numbers.js";

const BILLION = 1_000_000_000n;
const MILLION = 1_000_000n;

const UNITS: Readonly<Record<string, bigint>> = {
  h: 3_600n * BILLION,
  m: 60n * BILLION,
  s: BILLION,
  ms: MILLION,
  us: 1_000n,
  µs: 1_000n,
  ns: 1n,
};

/** A duration in nanoseconds. */
export function nanosOf({ seconds, nanos }: Duration): bigint {
  return BigInt(seconds) * BILLION + BigInt(nanos);
}

/** A duration of nanoseconds. A moment has milliseconds in remit, so what is finer is not computed. */
function durationOf(nanos: bigint): Duration {
  if (nanos % MILLION !== 0n) throw new NotRead("a duration finer than a millisecond");
  // The service's library keeps nanoseconds in 64 bits: 292 years.
  return new Duration(whole(nanos) / BILLION, Number(nanos % BILLION));
}

/** Reads a duration, such as `-1h30m` or `1.5s`. */
export function toDuration(text: string): Duration {
  const [, sign, rest = ""] = /^([+-]?)(.+)$/s.exec(text) ?? [];
  if (rest === "0") return durationOf(0n);
  if (!/^(\d+\.?\d*|\.\d+)(ns|us|µs|ms|s|m|h)((\d+\.?\d*|\.\d+)(ns|us|µs|ms|s|m|h))*$/.test(rest))
    throw new Error("not a duration");
  const parts = rest.matchAll(/(\d*)\.?(\d*)(ns|us|µs|ms|s|m|h)/g);
  let nanos = 0n;
  for (const [, whole = "", fraction = "", unit = ""] of parts) {
    const size = UNITS[unit] ?? 0n;
    nanos += BigInt(whole || "0") * size + (BigInt(fraction || "0") * size) / 10n ** BigInt(fraction.length);
  }
  return durationOf(sign === "-" ? -nanos : nanos);
}

/** `+` of CEL for all types of values. */
export function plus(one: unknown, other: unknown): unknown {
  if (isMoment(one) && other instanceof Duration) return moved(one, nanosOf(other));
  if (one instanceof Duration && isMoment(other)) return moved(other, nanosOf(one));
  if (one instanceof Duration && other instanceof Duration) return durationOf(nanosOf(one) + nanosOf(other));
  if (typeof one === "bigint" && typeof other === "bigint") return whole(one + other);
  if (typeof one === "number" && typeof other === "number") return one + other;
  if (typeof one === "string" && typeof other === "string") return one + other;
  if (one instanceof UnsignedInt && other instanceof UnsignedInt)
    return new UnsignedInt(BigInt(one.valueOf()) + BigInt(other.valueOf()));
  if (Array.isArray(one) && Array.isArray(other)) return [...one, ...other];
  throw new NotRead("a sum of other values");
}

/** `-` of CEL for all types of values. */
export function minus(one: unknown, other: unknown): unknown {
  if (isMoment(one) && isMoment(other)) return durationOf(BigInt(one.getTime() - other.getTime()) * MILLION);
  if (isMoment(one) && other instanceof Duration) return moved(one, -nanosOf(other));
  if (one instanceof Duration && other instanceof Duration) return durationOf(nanosOf(one) - nanosOf(other));
  if (typeof one === "bigint" && typeof other === "bigint") return whole(one - other);
  if (typeof one === "number" && typeof other === "number") return one - other;
  if (one instanceof UnsignedInt && other instanceof UnsignedInt)
    return new UnsignedInt(BigInt(one.valueOf()) - BigInt(other.valueOf()));
  throw new NotRead("a difference of other values");
}

function moved(moment: Date, nanos: bigint): Date {
  const there = new Date(moment.getTime() + Number(nanos / MILLION));
  if (!isWithinYears(there)) throw new Error("no year of CEL");
  return there;
}

/** `timestamp()` of CEL. */
export function toMoment(value: string | bigint): Date {
  const isNumber = typeof value === "bigint";
  const moment = isNumber ? new Date(Number(value) * 1000) : RFC3339.test(value) ? new Date(value) : null;
  if (moment === null || !isWithinYears(moment)) throw new Error("not a time");
  if (!isNumber && /\.\d{3}\d*[1-9]/.test(value)) throw new NotRead("a time finer than a millisecond");
  return moment;
}

/** What the functions of a moment give, as CEL counts it. The zone is a name, or an offset such as `+11:00`. */
export const PARTS_OF_MOMENT: Readonly<Record<string, (moment: Date, zone?: string) => bigint>> = {
  getFullYear: (moment, zone) => BigInt(inZone(moment, zone).year),
  getMonth: (moment, zone) => BigInt(inZone(moment, zone).month - 1),
  getDate: (moment, zone) => BigInt(inZone(moment, zone).day),
  getDayOfMonth: (moment, zone) => BigInt(inZone(moment, zone).day - 1),
  getDayOfWeek: (moment, zone) => BigInt(dayAt(moment, zone).getUTCDay()),
  getDayOfYear: (moment, zone) => {
    const day = dayAt(moment, zone);
    const first = Date.UTC(day.getUTCFullYear(), 0, 1);
    return BigInt(Math.round((day.getTime() - first) / 86_400_000));
  },
  getHours: (moment, zone) => BigInt(inZone(moment, zone).hour),
  getMinutes: (moment, zone) => BigInt(inZone(moment, zone).minute),
  getSeconds: (moment, zone) => BigInt(inZone(moment, zone).second),
  getMilliseconds: (moment) => BigInt(moment.getUTCMilliseconds()),
};

function dayAt(moment: Date, zone?: string): Date {
  const { year, month, day } = inZone(moment, zone);
  return new Date(Date.UTC(year, month - 1, day));
}

/** What the functions of a duration give: all of it in a unit, without a fraction. */
export const PARTS_OF_DURATION: Readonly<Record<string, (duration: Duration) => bigint>> = {
  getHours: (duration) => nanosOf(duration) / (3_600n * BILLION),
  getMinutes: (duration) => nanosOf(duration) / (60n * BILLION),
  getSeconds: (duration) => nanosOf(duration) / BILLION,
  getMilliseconds: (duration) => nanosOf(duration) / MILLION,
};
