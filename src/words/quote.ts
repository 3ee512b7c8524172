import type { Diagnostic, Severity } from "../model/diagnostic.js";

type Place = Partial<Omit<Diagnostic, "code" | "severity" | "message">>;

/** A diagnostic in words that are not in the table: those of a guard or a test of the project, or of an earlier report. */
export function quote<P extends Place = Place>(
  code: string,
  severity: Severity,
  message: string,
  place?: P,
): Diagnostic & P {
  return { code, severity, message, ...(place as P) };
}
