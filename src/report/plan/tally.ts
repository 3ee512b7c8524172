import type { Action } from "../../plan/step.js";
import { many } from "../text/layout.js";
import { ACTIONS } from "./reasons.js";
import type { FindingReport, PlanReport } from "./report.js";

/** What a plan comes to: `2 to delete, 1 to update, 40 unchanged`. */
export function tally(counts: Readonly<Partial<Record<Action, number>>>): string {
  const parts = Object.entries(ACTIONS).flatMap(([action, words]) => {
    const count = counts[action as Action] ?? 0;
    return count === 0 ? [] : [`${count} ${words}`];
  });
  return parts.length === 0 ? "nothing is managed" : parts.join(", ");
}

/** Calls per kind or look-up: `12 (8 ResourceType, 4 app)`. */
export function callsOf(calls: Readonly<Record<string, number>>): string {
  const parts = Object.entries(calls).map(([kind, count]) => `${count} ${kind}`);
  const all = Object.values(calls).reduce((sum, count) => sum + count, 0);
  return parts.length === 0 ? "none" : `${all} (${parts.join(", ")})`;
}

/** How long an apply takes: `about 3 min, 10 at a time`. */
export function estimateOf({ seconds, width }: PlanReport["estimate"]): string {
  return `about ${timeOf(seconds)}, ${width} at a time`;
}

/** A time as precise as it is of use: `42 s`, `3 min`, `2 h`. */
export function timeOf(seconds: number): string {
  if (seconds < 90) return `${seconds} s`;
  return seconds < 5400 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3600)} h`;
}

/** Who answers for a finding, and for how long: `remit.yaml until 2026-01-31: reviewed in AR-7`. */
export function answerTo({ acknowledged }: FindingReport): string | null {
  if (acknowledged === null) return null;
  const { by, until, reason } = acknowledged;
  const who = by === "flag" ? "by flag" : "in remit.yaml";
  return `acknowledged ${who}${until === null ? "" : ` until ${until}`}${reason === null ? "" : `: ${reason}`}`;
}

/** What the service keeps otherwise than it was sent, counted. */
export function rewrittenOf(rewritten: PlanReport["rewritten"]): string | null {
  const fields = rewritten.reduce((sum, one) => sum + one.fields.length, 0);
  if (fields === 0) return null;
  return `${many(fields, "field")} of ${many(rewritten.length, "object")}, taken for in sync`;
}
