import type { Diagnostic, Severity } from "../model/diagnostic.js";

type Place = Partial<Omit<Diagnostic, "code" | "severity" | "message">>;

/** A diagnostic in words that are not in the table: those of a guard or a test of the project, or of an earlier report. */
export function quote(code: string, severity: Severity, message: string, place: Place = {}): Diagnostic {
  return { code, severity, message, ...place };
}
