import sliceAnsi from "slice-ansi";
import stringWidth from "string-width";
import { moreOf } from "../../words/more.js";
import { shownAs } from "../plan/words/labels.js";
import { timeOf } from "../plan/words/tally.js";
import { usable } from "../text/layout.js";
import type { Paint } from "../text/paint.js";
import { tame } from "../text/visible.js";
import { ended, type Progress, type Running, rateOf } from "./progress.js";

/** The options for showing a running apply. */
interface ProgressOptions {
  readonly columns: number;
  /** The time now, in milliseconds of the clock that timed the events. */
  readonly now: number;
  readonly paint: Paint;
  /** How many running steps have a line of their own. */
  readonly most?: number;
}

const MOST = 10;
const WIDEST_BAR = 30;

/** A running apply on a terminal: a line for each step under way, then a bar with counts, rate and time left. */
export function renderProgress(progress: Progress, options: ProgressOptions): string {
  const { now, paint, most = MOST } = options;
  const columns = usable(options.columns);
  const shown = progress.running.slice(0, most);
  const lines = [
    ...shown.map((step) => runningLine(step, now, paint)),
    ...moreOf(progress.running.length - shown.length, "more under way").map((text) =>
      paint("frame", `  ${text}`),
    ),
    ...throttling(progress, now, paint),
    ...waitingForStore(progress, now).map((text) => paint("warning", `  ${text}`)),
    `${bar(progress, columns, paint)} ${counts(progress)}${pace(progress, now)}`,
  ];
  return lines.map((line) => clip(line, columns)).join("\n");
}

/** The same in one line for a log, without colour: `120 of 300 steps, 2 failed, 14/s, 13 s left`. */
export function plainLine(progress: Progress, now: number): string {
  const slow = isHeld(progress, now) ? ", slowed down by the service" : "";
  const first = `${counts(progress)}${pace(progress, now)}${slow}`;
  return [first, ...looking(progress, now), ...waitingForStore(progress, now)].join(", ");
}

/** How many created objects are looked for now, in words; none where none is. */
function looking({ running }: Progress, now: number): readonly string[] {
  const until = running.flatMap(({ waiting }) => (waiting?.as === "looking" ? [waiting.until] : []));
  const seconds = secondsUntil(Math.max(now, ...until), now);
  if (seconds === 0) return [];
  const objects = until.length === 1 ? "1 object" : `${until.length} objects`;
  return [`looking for ${objects} in lists of the service that may be late, for ${seconds} s at most`];
}

/** Why a write to the store waits now, in words; none where none waits. */
function waitingForStore({ storeWait }: Progress, now: number): readonly string[] {
  if (storeWait === null || storeWait.until <= now) return [];
  const seconds = secondsUntil(storeWait.until, now);
  if (storeWait.as === "pace") return [`waiting ${seconds} s for the next push`];
  return [`the state cannot be written, trying for ${seconds} s more: ${tame(storeWait.why ?? "")}`];
}

function runningLine({ address, action, since, waiting }: Running, now: number, paint: Paint): string {
  const head = `${paint("note", "›")} ${shownAs(action)} ${tame(address)}`;
  if (waiting !== null && waiting.until > now) {
    const what = waiting.as === "again" ? `until attempt ${waiting.attempt}` : "at most to find it in a list";
    const wait = `${secondsUntil(waiting.until, now)} s ${what}: ${tame(waiting.why)}`;
    return `${head} ${paint("warning", wait)}`;
  }
  return `${head} ${paint("frame", `${Math.floor((now - since) / 1000)} s`)}`;
}

function throttling({ throttled }: Progress, now: number, paint: Paint): readonly string[] {
  if (throttled === null || throttled.until <= now) return [];
  const wait = `${secondsUntil(throttled.until, now)} s`;
  return [paint("warning", `  the service asks to slow down: ${wait}, then ${throttled.width} at a time`)];
}

function isHeld({ throttled }: Progress, now: number): boolean {
  return throttled !== null && throttled.until > now;
}

function bar(progress: Progress, columns: number, paint: Paint): string {
  const room = Math.min(WIDEST_BAR, Math.floor(columns / 4));
  const share = progress.steps === 0 ? 1 : Math.min(1, ended(progress) / progress.steps);
  const filled = Math.floor(share * room);
  return `${paint("added", "█".repeat(filled))}${paint("frame", "░".repeat(room - filled))}`;
}

function counts(progress: Progress): string {
  const bad = Object.entries(progress.outcomes).flatMap(([outcome, count]) =>
    outcome === "done" || count === 0 ? [] : [`${count} ${outcome}`],
  );
  const stop = progress.interrupted === null ? [] : [`stopping for ${tame(progress.interrupted)}`];
  return [`${ended(progress)} of ${progress.steps} steps`, ...bad, ...stop].join(", ");
}

function pace(progress: Progress, now: number): string {
  const found = rateOf(progress, now);
  if (found === null) return "";
  const { rate, left } = found;
  const shown = rate >= 10 ? Math.round(rate) : rate.toFixed(1);
  const time = ended(progress) === progress.steps ? "" : `, ${timeOf(Math.ceil(left))} left`;
  return `, ${shown}/s${time}`;
}

function secondsUntil(until: number, now: number): number {
  return Math.ceil((until - now) / 1000);
}

/** Units of text that are looked at for each column: escape sequences and joined characters take several. */
const MOST_UNITS = 20;

// Cutting and measuring disagree about some characters, so what was cut is measured again.
function clip(line: string, columns: number): string {
  // A column has one character or a few; what is cut off anyway is not measured.
  const start = line.slice(0, MOST_UNITS * columns);
  if (start.length === line.length && stringWidth(line) <= columns) return line;
  let room = columns - 1;
  while (room > 0 && stringWidth(sliceAnsi(start, 0, room)) >= columns) room -= 1;
  return `${sliceAnsi(start, 0, room)}…`;
}
