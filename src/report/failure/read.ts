import failureSchema from "../../../schemas/failure.json" with { type: "json" };
import type { Checked, Diagnostic } from "../../model/diagnostic.js";
import { compile } from "../../schema/compile.js";
import { quote } from "../../words/quote.js";
import { say } from "../../words/say.js";
import { readReport } from "../readReport.js";
import type { FailureReport } from "./report.js";

const check = compile(failureSchema);

/** Reads the report of a run without a result, as `--report json=FILE` wrote it; null, with the reason, for anything else. */
export function readFailure(text: string): Checked<FailureReport | null> {
  const read = readReport<FailureReport>(text, check, (why) => say("report/malformed#failure", { why }));
  if (read.value === null) return read;
  const diagnostics = read.value.diagnostics.map(withoutNulls);
  return { value: { ...read.value, diagnostics }, diagnostics: [] };
}

/** A report has every member of a diagnostic, and null for one without a value. */
function withoutNulls({ code, severity, message, ...more }: Diagnostic): Diagnostic {
  const held = Object.fromEntries(Object.entries(more).filter(([, value]) => value !== null));
  return quote(code, severity, message, held);
}
