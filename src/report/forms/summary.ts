import type { Diagnostic, Severity } from "../../model/diagnostic.js";
import type { OpenRange } from "../../plan/plan.js";
import { rowOf } from "../../words/sections.js";
import type { FailureReport } from "../failure/report.js";
import { noticesOfOutcome } from "../outcome/notices.js";
import type { OutcomeReport } from "../outcome/report.js";
import { noticesOfPlan } from "../plan/notices.js";
import type { PlanReport } from "../plan/report.js";
import { visibleJson } from "../text/visible.js";

/**
 * A result in a few lines, for a place that keeps little and that many may read, such as the status of a pod:
 * `schemas/summary.json`. It has at most 4,000 bytes and no text that the tenant or an author wrote.
 */
interface Summary {
  readonly formatVersion: 1;
  readonly result: "plan" | "outcome" | "failure" | "diagnostics";
  readonly context: string | null;
  readonly commit: string | null;
  readonly effect: string | null;
  readonly exitCode: number | null;
  readonly counts: Readonly<Record<string, number>> | null;
  readonly drift: number | null;
  readonly unmanaged: number | null;
  readonly people: Readonly<Record<"gain" | "lose" | "enterReview" | "leaveReview", OpenRange>> | null;
  readonly diagnostic: {
    readonly code: string;
    readonly severity: Severity;
    readonly title: string;
  } | null;
}

const NOTHING = {
  formatVersion: 1,
  context: null,
  commit: null,
  effect: null,
  counts: null,
  drift: null,
  unmanaged: null,
  people: null,
} as const;

/** How a run ends, where that is known when its result is printed. */
interface Ending {
  readonly exitCode: number | null;
}

/** A plan in a few lines. */
export function renderPlanSummary(report: PlanReport, { exitCode }: Ending): string {
  const { people, unmanaged } = report;
  const totals = people?.totals ?? null;
  return textOf({
    ...NOTHING,
    ...headOf(report),
    result: "plan",
    exitCode,
    counts: report.counts,
    // What was never applied cannot have drifted, and is not as it was applied either.
    drift: report.hasState ? report.steps.filter(({ isDrift }) => isDrift).length : null,
    unmanaged: unmanaged?.kinds.reduce((sum, { count }) => sum + count, 0) ?? null,
    people:
      totals === null
        ? null
        : {
            gain: totals.access.gains,
            lose: totals.access.loses,
            enterReview: totals.reviews.enters,
            leaveReview: totals.reviews.leaves,
          },
    diagnostic: firstOf(noticesOfPlan(report)),
  });
}

/** An outcome in a few lines; people are not counted again. */
export function renderOutcomeSummary(report: OutcomeReport, { exitCode }: Ending): string {
  const diagnostic = firstOf(noticesOfOutcome(report));
  return textOf({
    ...NOTHING,
    ...headOf(report),
    result: "outcome",
    exitCode,
    counts: report.outcomes,
    diagnostic,
  });
}

/** A run that came to no result. */
export function renderFailureSummary(report: FailureReport): string {
  const { exitCode, diagnostics } = report;
  const head = headOf({ ...report, effect: null });
  return textOf({ ...NOTHING, ...head, result: "failure", exitCode, diagnostic: firstOf(diagnostics) });
}

/** The result of a check. */
export function toSummary(diagnostics: readonly Diagnostic[], { exitCode }: Ending): string {
  return textOf({ ...NOTHING, result: "diagnostics", exitCode, diagnostic: firstOf(diagnostics) });
}

interface Head {
  readonly context?: string;
  readonly commit: string | null;
  readonly effect: string | null;
}

function headOf({ context, commit, effect }: Head): Pick<Summary, "context" | "commit" | "effect"> {
  return { context: context ?? null, commit, effect };
}

const BY_SEVERITY = ["error", "warning"] as const;

/** The first error, or else the first warning: by its code, because a message may name people. */
function firstOf(diagnostics: readonly Diagnostic[]): Summary["diagnostic"] {
  for (const severity of BY_SEVERITY) {
    const found = diagnostics.find((one) => one.severity === severity);
    if (found !== undefined) return { code: found.code, severity, title: rowOf(found.code).title };
  }
  return null;
}

/** No member is longer than this; a commit, an effect and the name of a context are shorter. */
const LONGEST = 300;

function textOf({ formatVersion, result, ...rest }: Summary): string {
  const bounded = (_name: string, value: unknown) =>
    typeof value === "string" ? value.slice(0, LONGEST) : value;
  return `${visibleJson(JSON.parse(JSON.stringify({ formatVersion, result, ...rest }, bounded)))}\n`;
}
