import { visibleJson } from "../text/visible.js";
import type { PlanReport, ShownAction } from "./report.js";

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
