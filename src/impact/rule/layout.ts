/** The parts of a moment in one time zone. */
export interface Moment {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
}

/** How one token of a layout is read and written. Layouts show how the moment 2006-01-02 15:04:05 would look. */
interface Token {
  readonly text: string;
  /** The part that a text of this token sets; null where only writing is supported. */
  readonly part: keyof Moment | null;
  readonly pattern: string;
  readonly isTimeOfDay: boolean;
  readonly write: (moment: Moment) => string;
}

const MONTHS = "January February March April May June July August September October November December".split(
  " ",
);
const DAYS = "Sunday Monday Tuesday Wednesday Thursday Friday Saturday".split(" ");

/** Names for common layouts, as rules write them. */
const ALIASES: Readonly<Record<string, string>> = {
  rfc3339: "2006-01-02T15:04:05Z07:00",
  date: "2006-01-02",
  datetime: "2006-01-02 15:04:05",
  time: "15:04:05",
};

// Longer tokens come first: "01" is a month, and "1" is one, too.
const TOKENS: readonly Token[] = [
  token("2006", "year", "(\\d{4})", (m) => pad(m.year, 4)),
  token("January", null, "", (m) => MONTHS[m.month - 1] ?? ""),
  token("Jan", null, "", (m) => (MONTHS[m.month - 1] ?? "").slice(0, 3)),
  token("Monday", null, "", (m) => DAYS[weekday(m)] ?? ""),
  token("Mon", null, "", (m) => (DAYS[weekday(m)] ?? "").slice(0, 3)),
  token("01", "month", "(\\d{2})", (m) => pad(m.month, 2)),
  token("02", "day", "(\\d{2})", (m) => pad(m.day, 2)),
  token("15", "hour", "(\\d{2})", (m) => pad(m.hour, 2), true),
  token("03", null, "", (m) => pad(((m.hour + 11) % 12) + 1, 2), true),
  token("04", "minute", "(\\d{2})", (m) => pad(m.minute, 2), true),
  token("05", "second", "(\\d{2})", (m) => pad(m.second, 2), true),
  token("06", null, "", (m) => pad(m.year % 100, 2)),
  token("PM", null, "", (m) => (m.hour < 12 ? "AM" : "PM"), true),
];

/** What a layout consists of: tokens, and the texts between them. */
function piecesOf(layout: string): readonly (Token | string)[] {
  const pieces: (Token | string)[] = [];
  let rest = layout;
  while (rest !== "") {
    const next = TOKENS.find(({ text }) => rest.startsWith(text));
    pieces.push(next ?? rest.charAt(0));
    rest = rest.slice(next?.text.length ?? 1);
  }
  return pieces;
}

/** The layout that a name or a layout stands for. */
export function layoutOf(nameOrLayout: string): string {
  return Object.hasOwn(ALIASES, nameOrLayout) ? (ALIASES[nameOrLayout] ?? nameOrLayout) : nameOrLayout;
}

/** Whether a text of this layout changes in the course of a day. */
export function showsTimeOfDay(layout: string): boolean {
  return piecesOf(layoutOf(layout)).some((piece) => typeof piece !== "string" && piece.isTimeOfDay);
}

/** Writes a moment in a layout; undefined where the layout has parts that remit cannot write. */
export function writeMoment(moment: Moment, layout: string): string | undefined {
  const pieces = piecesOf(layoutOf(layout));
  if (pieces.some(isUnread)) return undefined;
  return pieces.map((piece) => (typeof piece === "string" ? piece : piece.write(moment))).join("");
}

/** Reads a text by a layout; null where it does not fit, undefined where the layout has parts that remit cannot read. */
export function readMoment(text: string, layout: string): Moment | null | undefined {
  const pieces = piecesOf(layoutOf(layout));
  const parts = pieces.flatMap((piece) => (typeof piece === "string" ? [] : [piece.part]));
  if (pieces.some(isUnread) || parts.includes(null)) return undefined;
  const pattern = pieces
    .map((piece) => (typeof piece === "string" ? escaped(piece) : piece.pattern))
    .join("");
  const found = new RegExp(`^${pattern}$`).exec(text);
  if (found === null) return null;
  const read = { year: 0, month: 1, day: 1, hour: 0, minute: 0, second: 0 };
  parts.forEach((part, at) => {
    if (part !== null) read[part] = Number(found[at + 1]);
  });
  return isPossible(read) ? read : null;
}

// Other digits and a zone are tokens of Go that are not supported here.
function isUnread(piece: Token | string): boolean {
  return typeof piece === "string" && /[\dZ]/.test(piece);
}

function isPossible({ year, month, day, hour, minute, second }: Moment): boolean {
  const date = new Date(Date.UTC(year, month - 1, day));
  return (
    date.getUTCMonth() === month - 1 && date.getUTCDate() === day && hour < 24 && minute < 60 && second < 60
  );
}

function token(
  text: string,
  part: keyof Moment | null,
  pattern: string,
  write: (moment: Moment) => string,
  isTimeOfDay = false,
): Token {
  return { text, part, pattern, isTimeOfDay, write };
}

function weekday({ year, month, day }: Moment): number {
  return new Date(Date.UTC(year, month - 1, day)).getUTCDay();
}

function pad(number: number, width: number): string {
  return String(number).padStart(width, "0");
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
}
