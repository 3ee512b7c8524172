import { counted } from "../plan/terraform.js";
import type { OutcomeReport } from "./report.js";

/** What an apply did, in the three counts that GitLab shows of a Terraform report. */
export function renderOutcomeTerraform({ done }: OutcomeReport): string {
  return counted({
    create: done.create ?? 0,
    update: (done.update ?? 0) + (done.replace ?? 0),
    delete: done.delete ?? 0,
  });
}
