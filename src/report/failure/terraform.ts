import { uncounted } from "../plan/terraform.js";
import { type FailureReport, sentenceOf } from "./report.js";

/** A failed run for GitLab: it has no counts. */
export function renderFailureTerraform(report: FailureReport): string {
  return uncounted(sentenceOf(report));
}
