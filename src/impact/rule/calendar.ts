import { onceFor } from "../../model/onceFor.js";
import { NotRead } from "./fault.js";
import { layoutOf, type Moment, readMoment, writeMoment } from "./layout.js";

/** A moment as RFC 3339 writes it. */
export const RFC3339 = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$/;

/** The units that a moment can be cut to, and whether the result changes in the course of a day. */
export const UNITS: Readonly<Record<string, { readonly isWithinDay: boolean }>> = {
  minute: { isWithinDay: true },
  hour: { isWithinDay: true },
  day: { isWithinDay: false },
  week: { isWithinDay: false },
  month: { isWithinDay: false },
  quarter: { isWithinDay: false },
  year: { isWithinDay: false },
};

/** Reads a text as a moment; null where it does not fit the layout. */
export function parseTime(text: string, layout: string, zone = "UTC"): Date | null {
  if (layoutOf(layout) === layoutOf("rfc3339")) {
    const read = RFC3339.test(text) ? new Date(text) : null;
    return read === null || Number.isNaN(read.getTime()) ? null : read;
  }
  const moment = readMoment(text, layout);
  if (moment === undefined) throw new NotRead("a time in the layout", { named: layout });
  return moment === null ? null : atZone(moment, zone);
}

/** Writes a moment in a layout. */
export function formatTime(date: Date, layout: string, zone = "UTC"): string {
  const written = writeMoment(inZone(date, zone), layout);
  if (written === undefined) throw new NotRead("a time in the layout", { named: layout });
  return written;
}

/** The start of the minute, hour, day, week (Monday), month, quarter or year that a moment lies in. */
export function startOf(date: Date, unit: string, zone = "UTC"): Date {
  return atZone(cut(inZone(date, zone), unit), zone);
}

/** The last millisecond of the unit that a moment lies in. */
export function endOf(date: Date, unit: string, zone = "UTC"): Date {
  const start = cut(inZone(date, zone), unit);
  return new Date(atZone(next(start, unit), zone).getTime() - 1);
}

function cut(moment: Moment, unit: string): Moment {
  const day = { ...moment, hour: 0, minute: 0, second: 0 };
  switch (unit) {
    case "minute":
      return { ...moment, second: 0 };
    case "hour":
      return { ...moment, minute: 0, second: 0 };
    case "day":
      return day;
    case "week":
      return shifted(day, -((new Date(Date.UTC(day.year, day.month - 1, day.day)).getUTCDay() + 6) % 7));
    case "month":
      return { ...day, day: 1 };
    case "quarter":
      return { ...day, month: day.month - ((day.month - 1) % 3), day: 1 };
    case "year":
      return { ...day, month: 1, day: 1 };
    default:
      throw new NotRead("the unit of time", { named: unit });
  }
}

function next(start: Moment, unit: string): Moment {
  switch (unit) {
    case "minute":
      return fromUtc(utc(start) + 60_000);
    case "hour":
      return fromUtc(utc(start) + 3_600_000);
    case "day":
      return shifted(start, 1);
    case "week":
      return shifted(start, 7);
    case "month":
      return fromUtc(Date.UTC(start.year, start.month, 1));
    case "quarter":
      return fromUtc(Date.UTC(start.year, start.month + 2, 1));
    default:
      return fromUtc(Date.UTC(start.year + 1, 0, 1));
  }
}

function shifted(moment: Moment, days: number): Moment {
  return fromUtc(utc(moment) + days * 86_400_000);
}

function utc({ year, month, day, hour, minute, second }: Moment): number {
  return Date.UTC(year, month - 1, day, hour, minute, second);
}

function fromUtc(time: number): Moment {
  return inZone(new Date(time), "UTC");
}

/** Whether a value of a rule is a moment. */
export function isMoment(value: unknown): value is Date {
  return Object.prototype.toString.call(value) === "[object Date]";
}

/** Whether a moment lies in the years 1 to 9999, which CEL has. */
export function isWithinYears(date: Date): boolean {
  return date.getTime() >= -62_135_596_800_000 && date.getTime() <= 253_402_300_799_999;
}

/** The parts of a moment in a time zone: its name, or an offset such as `+11:00`. */
export function inZone(date: Date, zone = "UTC"): Moment {
  const [, sign, hours, minutes] = /^([+-]?)(\d\d):(\d\d)$/.exec(zone) ?? [];
  if (hours !== undefined) {
    const offset = (Number(hours) * 60 + Number(minutes)) * (sign === "-" ? -60_000 : 60_000);
    return inZone(new Date(date.getTime() + offset));
  }
  if (zone === "UTC") {
    return {
      year: date.getUTCFullYear(),
      month: date.getUTCMonth() + 1,
      day: date.getUTCDate(),
      hour: date.getUTCHours(),
      minute: date.getUTCMinutes(),
      second: date.getUTCSeconds(),
    };
  }
  const parts = Object.fromEntries(
    clockOf(zone)
      .formatToParts(date)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
  return { year, month, day, hour, minute, second };
}

// The offset of a zone depends on the moment, so it is looked up twice: once near it, once at it.
function atZone(moment: Moment, zone: string): Date {
  const wanted = utc(moment);
  const near = wanted - (utc(inZone(new Date(wanted), zone)) - wanted);
  return new Date(near - (utc(inZone(new Date(near), zone)) - wanted));
}

const clockOf = onceFor((zone: string) => {
  const numeric = "numeric" as const;
  return new Intl.DateTimeFormat("en-US", {
    timeZone: zone,
    hourCycle: "h23",
    year: numeric,
    month: numeric,
    day: numeric,
    hour: numeric,
    minute: numeric,
    second: numeric,
  });
});
