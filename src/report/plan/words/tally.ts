import type { FindingReport, PlanReport, StepReport } from "../report.js";
import { type Label, labelOf } from "./labels.js";

/** The counts of a plan: `1 to create, 5 to change (1 reverts drift), 0 to delete; 40 unchanged`. */
export function tally(steps: readonly StepReport[], unchanged: number): string {
  const count = (label: Label) => steps.filter((step) => labelOf(step) === label).length;
  const reverts = steps.filter((step) => step.action === "update" && step.isDrift).length;
  const drift = reverts === 0 ? "" : ` (${reverts} ${reverts === 1 ? "reverts" : "revert"} drift)`;
  const counts = `${count("create") - createdAgain(steps)} to create, ${count("update")} to change${drift}, ${count("delete")} to delete`;
  return [counts, ...besidesIn(steps, unchanged)].join("; ");
}

/** What else there is than creates, changes and deletes. */
export function besidesIn(steps: readonly StepReport[], unchanged: number): readonly string[] {
  const count = (label: Label) => steps.filter((step) => labelOf(step) === label).length;
  const forgotten = steps.filter((step) => step.action === "forget" && step.staysActive).length;
  const all: readonly (readonly [number, string])[] = [
    [createdAgain(steps), "to create again"],
    [count("replace"), "to replace"],
    [count("accept"), "to accept"],
    [count("adopt"), "to adopt"],
    [count("rename"), "to rename"],
    [count("record"), "to record"],
    [count("removed"), "removed from the project, still active"],
    [forgotten, "to stop managing"],
    [count("forget") - forgotten, "removed from the state, no longer in the tenant"],
    [count("blocked"), "blocked"],
    [count("differs"), "managed elsewhere and different"],
    [count("gone"), "no longer in the tenant"],
    [count("settling"), "settling"],
    [unchanged - count("differs") - count("gone") - count("settling"), "unchanged"],
  ];
  return all.flatMap(([number, words]) => (number > 0 ? [`${number} ${words}`] : []));
}

function createdAgain(steps: readonly StepReport[]): number {
  return steps.filter((step) => labelOf(step) === "create" && step.isDrift).length;
}

/** The last line of a plan. */
export function lastLine({
  steps,
  counts,
  pending,
}: Pick<PlanReport, "steps" | "counts" | "pending">): string {
  if (pending) return `Plan: ${tally(steps, counts.keep)}.`;
  const besides = besidesIn(steps, counts.keep);
  return besides.length === 0 ? "Nothing to do." : `Nothing to do: ${besides.join("; ")}.`;
}

/** A time in the unit that suits it: `42 s`, `3 min`, `2 h`. */
export function timeOf(seconds: number): string {
  if (seconds < 90) return `${seconds} s`;
  return seconds < 5400 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3600)} h`;
}

/** Who acknowledged a finding, and for how long: `acknowledged in remit.yaml until 2026-01-31: reviewed in AR-7`. */
export function acknowledgementOf({ acknowledged }: FindingReport): string | null {
  if (acknowledged === null) return null;
  const { by, until, reason, of } = acknowledged;
  if (by === "flag") return "acknowledged by flag";
  const what = of === null ? ", as every such finding" : "";
  return `acknowledged in remit.yaml until ${until}${what}: ${reason}`;
}

/**
 * What an entry of remit.yaml needs to cover this finding and no other; null where that is of no use: an entry has it
 * already, or a flag answers.
 */
export function exactFormOf({ acknowledged, hash, flag }: FindingReport): string | null {
  if (flag === null) return null;
  return acknowledged === null || (acknowledged.by === "project" && acknowledged.of === null)
    ? `of: ${hash}`
    : null;
}

/** What the project was compared with: `since main (1f2e3d4c5b6a)`. */
export function sinceOf({ ref, commit }: NonNullable<PlanReport["since"]>): string {
  return `since ${ref} (${commit.slice(0, 12)})`;
}
