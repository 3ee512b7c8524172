const DAY = /^\d{4}-\d{2}-\d{2}$/;
const MILLISECONDS = 24 * 60 * 60 * 1000;

const RFC3339 =
  /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}:\d{2})(?:\.(\d{1,9}))?(?:Z|([+-])([01]\d|2[0-3]):([0-5]\d))$/i;

// google.protobuf.Timestamp holds these years and no others.
const FIRST = Date.parse("0001-01-01T00:00:00Z");
const LAST = Date.parse("9999-12-31T23:59:59Z");

/** A date-time in UTC with `Z` and without trailing zeros, from any offset. Undefined for any other text. */
export function canonicalTimestamp(text: string): string | undefined {
  const [, date, time, digits = "", sign, hours, minutes] = RFC3339.exec(text) ?? [];
  if (date === undefined || time === undefined) return undefined;
  const written = `${date}T${time}`;
  const local = Date.parse(`${written}Z`);
  // A day that its month does not have runs over into the next.
  if (Number.isNaN(local) || spelt(local) !== written) return undefined;
  const offset = (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * 60_000;
  const utc = sign === "-" ? local + offset : local - offset;
  if (utc < FIRST || utc > LAST) return undefined;
  const fraction = digits.replace(/0+$/, "");
  return fraction === "" ? `${spelt(utc)}Z` : `${spelt(utc)}.${fraction}Z`;
}

/** Up to the seconds. */
function spelt(time: number): string {
  return new Date(time).toISOString().slice(0, 19);
}

/** Whether a text is a day of the calendar, as in `2026-12-31`. */
export function isDay(text: string): boolean {
  return DAY.test(text) && spell(Date.parse(text)) === text;
}

/** The day that many days after another. */
export function laterDay(day: string, days: number): string {
  return spell(Date.parse(day) + days * MILLISECONDS);
}

function spell(time: number): string {
  return Number.isNaN(time) ? "" : new Date(time).toISOString().slice(0, 10);
}
