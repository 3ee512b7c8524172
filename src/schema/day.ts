const DAY = /^\d{4}-\d{2}-\d{2}$/;
const MILLISECONDS = 24 * 60 * 60 * 1000;

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
