import { byPlace, type Diagnostic } from "../../model/diagnostic.js";
import { count } from "../diagnostics/counts.js";
import type { FailureReport } from "../failure/report.js";
import type { OutcomeReport } from "../outcome/report.js";
import type { PlanReport } from "../plan/report.js";
import { boundedJson } from "../text/visible.js";

/** A plan for a program: `schemas/report.json`, with every member always present. */
export function renderPlanJson(report: PlanReport): string {
  return boundedJson({ ...wholeIn(report), steps: report.steps.map(wholeIn) });
}

/** The version of the JSON that diagnostics are printed as; `schemas/diagnostics.json` describes it. */
const DIAGNOSTICS_FORMAT = 1;

/** Diagnostics for a program: `schemas/diagnostics.json`, with every member always present. */
export function toJson(diagnostics: readonly Diagnostic[]): string {
  return boundedJson({
    formatVersion: DIAGNOSTICS_FORMAT,
    counts: count(diagnostics),
    diagnostics: [...diagnostics].sort(byPlace).map(whole),
  });
}

/** A run without a result for a program: `schemas/failure.json`, with every member always present. */
export function renderFailureJson(report: FailureReport): string {
  return boundedJson(wholeIn(report));
}

/** The outcome of an apply for a program: `schemas/outcome.json`, with every member always present. */
export function renderOutcomeJson(report: OutcomeReport): string {
  const fault = report.fault === null ? null : whole(report.fault);
  return boundedJson({ ...wholeIn(report), steps: report.steps.map(wholeIn), fault });
}

function wholeIn<T extends { readonly diagnostics: readonly Diagnostic[] }>(one: T) {
  return { ...one, diagnostics: one.diagnostics.map(whole) };
}

/** A diagnostic for a program: every member is always present, and null if it has no value. */
function whole({ code, severity, message, hint, span, excerpt, related }: Diagnostic) {
  return {
    code,
    severity,
    message,
    hint: hint ?? null,
    span: span ?? null,
    excerpt: excerpt ?? null,
    related: related ?? [],
  };
}
