import { byPlace, type Diagnostic } from "../../model/diagnostic.js";
import { count } from "../diagnostics/counts.js";
import type { FailureReport } from "../failure/report.js";
import type { OutcomeReport } from "../outcome/report.js";
import type { PlanReport } from "../plan/report.js";
import { tameJson, visibleJson } from "../text/visible.js";

/** A plan for a program: `schemas/report.json`, with every member always present. */
export function renderPlanJson(report: PlanReport): string {
  const steps = report.steps.map((step) => ({ ...step, diagnostics: step.diagnostics.map(whole) }));
  return `${tameJson(visibleJson({ ...report, steps, diagnostics: report.diagnostics.map(whole) }))}\n`;
}

/** The version of the JSON that diagnostics are printed as; `schemas/diagnostics.json` describes it. */
const DIAGNOSTICS_FORMAT = 1;

/** Diagnostics for a program: `schemas/diagnostics.json`, with every member always present. */
export function toJson(diagnostics: readonly Diagnostic[]): string {
  const text = visibleJson({
    formatVersion: DIAGNOSTICS_FORMAT,
    counts: count(diagnostics),
    diagnostics: [...diagnostics].sort(byPlace).map(whole),
  });
  return `${tameJson(text)}\n`;
}

/** A run without a result for a program: `schemas/failure.json`, with every member always present. */
export function renderFailureJson(report: FailureReport): string {
  return `${tameJson(visibleJson({ ...report, diagnostics: report.diagnostics.map(whole) }))}\n`;
}

/** The outcome of an apply for a program: `schemas/outcome.json`, with every member always present. */
export function renderOutcomeJson(report: OutcomeReport): string {
  const steps = report.steps.map((step) => ({ ...step, diagnostics: step.diagnostics.map(whole) }));
  const fault = report.fault === null ? null : whole(report.fault);
  return `${tameJson(visibleJson({ ...report, steps, fault, diagnostics: report.diagnostics.map(whole) }))}\n`;
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
