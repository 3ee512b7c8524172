import { type Diagnostic, hasErrors } from "../../model/diagnostic.js";
import { type FailureReport, sentenceOf } from "../failure/report.js";
import type { OutcomeReport } from "../outcome/report.js";
import type { PlanReport, ShownAction } from "../plan/report.js";
import { visibleJson } from "../text/visible.js";

/**
 * The three counts that GitLab shows of a Terraform report. A replacement counts as what is done to the new object, and
 * what changes only the state counts nowhere.
 */
export function renderPlanTerraform({ counts, steps }: PlanReport): string {
  const by = (action: ShownAction) => steps.filter(({ replaces }) => replaces?.by === action).length;
  return counted({
    create: counts.create + by("create"),
    update: counts.update + by("update"),
    delete: counts.delete,
  });
}

/** Counts in the form that GitLab reads: exactly these three members. */
export function counted(counts: {
  readonly create: number;
  readonly update: number;
  readonly delete: number;
}): string {
  const { create, update, delete: deleted } = counts;
  return `${visibleJson({ create, update, delete: deleted })}\n`;
}

/** The report of a run without counts: without the three members GitLab reports that the result is missing, and shows no zeros. */
export function uncounted(why: string): string {
  return `${visibleJson({ failure: why })}\n`;
}

/** A check of manifests for GitLab: it changes nothing in the tenant; with errors it has no result. */
export function toTerraform(diagnostics: readonly Diagnostic[]): string {
  return hasErrors(diagnostics)
    ? uncounted("The manifests are invalid.")
    : counted({ create: 0, update: 0, delete: 0 });
}

/** A failed run for GitLab: it has no counts. */
export function renderFailureTerraform(report: FailureReport): string {
  return uncounted(sentenceOf(report));
}

/** What an apply did, in the three counts that GitLab shows of a Terraform report. */
export function renderOutcomeTerraform({ done }: OutcomeReport): string {
  return counted({
    create: done.create ?? 0,
    update: (done.update ?? 0) + (done.replace ?? 0),
    delete: done.delete ?? 0,
  });
}
