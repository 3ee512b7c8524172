const TIMESTAMP =
  /^(\d{4})-(\d{2})-(\d{2})[Tt](\d{2}):(\d{2}):(\d{2})(?:\.(\d{1,9}))?(?:[Zz]|([+-])(\d{2}):(\d{2}))$/;
const DURATION = /^([+-]?)(0|[1-9]\d*)?(?:\.(\d{0,9}))?s$/;

/** The longest duration, in seconds: ten thousand years. */
const LONGEST = 315_576_000_000;

/** A fraction of a second as the wire writes it: none, or 3, 6 or 9 digits. */
function fraction(digits: string): string {
  const nine = digits.padEnd(9, "0");
  if (nine === "000000000") return "";
  return `.${nine.replace(/(000){1,2}$/, "")}`;
}

/** An RFC 3339 text as the wire writes it, in UTC; undefined when it is none. */
export function readTimestamp(text: string): string | undefined {
  const found = TIMESTAMP.exec(text);
  if (found === null) return undefined;
  const [, year, month, day, hour, minute, second, digits = "", sign, offsetHour, offsetMinute] = found;
  const wall = `${year}-${month}-${day}T${hour}:${minute}:${second}`;
  const milliseconds = Date.parse(`${wall}Z`);
  // A day or hour that does not exist (30 February, 24:00) would be carried over by the clock.
  if (Number.isNaN(milliseconds) || !new Date(milliseconds).toISOString().startsWith(wall)) return undefined;
  const offset = sign === undefined ? 0 : (Number(offsetHour) * 60 + Number(offsetMinute)) * 60_000;
  const utc = new Date(milliseconds - (sign === "-" ? -offset : offset)).toISOString();
  // Years outside 0001–9999 are written with a sign and more digits.
  if (!/^(?!0000)\d{4}-/.test(utc)) return undefined;
  return `${utc.slice(0, 19)}${fraction(digits)}Z`;
}

/** Milliseconds since 1970 as the wire writes them. */
export function writeTimestamp(milliseconds: number): string {
  return new Date(milliseconds).toISOString().replace(".000Z", "Z");
}

/** A duration text as the wire writes it; undefined when it is none, `range` when it is too long. */
export function readDuration(text: string): string | "range" | undefined {
  const found = DURATION.exec(text);
  if (found === null) return undefined;
  const [, sign, whole, digits] = found;
  if (whole === undefined && (digits === undefined || digits === "")) return undefined;
  const seconds = Number(whole ?? "0");
  if (seconds > LONGEST) return "range";
  const shown = `${seconds}${fraction(digits ?? "")}s`;
  return sign === "-" && shown !== "0s" ? `-${shown}` : shown;
}
