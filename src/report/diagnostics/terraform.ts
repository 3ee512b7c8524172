import { type Diagnostic, hasErrors } from "../../model/diagnostic.js";
import { counted, uncounted } from "../plan/terraform.js";

/** A check of manifests for GitLab: it changes nothing in the tenant; with errors it has no result. */
export function toTerraform(diagnostics: readonly Diagnostic[]): string {
  return hasErrors(diagnostics)
    ? uncounted("The manifests are invalid.")
    : counted({ create: 0, update: 0, delete: 0 });
}
