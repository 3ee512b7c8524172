import failureSchema from "../../schemas/failure.json" with { type: "json" };
import outcomeSchema from "../../schemas/outcome.json" with { type: "json" };
import planSchema from "../../schemas/report.json" with { type: "json" };
import type { Checked, Diagnostic } from "../model/diagnostic.js";
import { parseJson } from "../model/json.js";
import { formatPath } from "../model/path.js";
import { compile } from "../schema/compile.js";
import type { Check } from "../schema/shape.js";
import { quote } from "../words/quote.js";
import { say } from "../words/say.js";
import type { FailureReport } from "./failure/report.js";
import type { OutcomeReport } from "./outcome/report.js";
import type { PlanReport } from "./plan/report.js";

const checks = {
  plan: compile(planSchema),
  outcome: compile(outcomeSchema),
  failure: compile(failureSchema),
};

/** Reads a report that `remit plan --report json=FILE` wrote; null, with the reason, for anything else. */
export function readPlanReport(text: string): Checked<PlanReport | null> {
  return readReport<PlanReport>(text, checks.plan, (why) => say("report/malformed#plan", { why }));
}

/** Reads an outcome that `remit apply --report json=FILE` wrote; null, with the reason, for anything else. */
export function readOutcome(text: string): Checked<OutcomeReport | null> {
  return readReport<OutcomeReport>(text, checks.outcome, (why) => say("outcome/malformed", { why }));
}

/** Reads the report of a run without a result, as `--report json=FILE` wrote it; null, with the reason, for anything else. */
export function readFailure(text: string): Checked<FailureReport | null> {
  const read = readReport<FailureReport>(text, checks.failure, (why) =>
    say("report/malformed#failure", { why }),
  );
  if (read.value === null) return read;
  const diagnostics = read.value.diagnostics.map(withoutNulls);
  return { value: { ...read.value, diagnostics }, diagnostics: [] };
}

/** A report has every member of a diagnostic, and null for one without a value. */
function withoutNulls({ code, severity, message, ...more }: Diagnostic): Diagnostic {
  const held = Object.fromEntries(Object.entries(more).filter(([, value]) => value !== null));
  return quote(code, severity, message, held);
}

function readReport<Report>(
  text: string,
  check: Check,
  refusal: (why: string) => Diagnostic,
): Checked<Report | null> {
  const value = parseJson(text);
  const [problem] = value === undefined ? [{ path: [], message: "it is not JSON" }] : check(value);
  if (problem === undefined) return { value: value as unknown as Report, diagnostics: [] };
  const why = `${formatPath(problem.path)} ${problem.message}`.trimStart();
  return { value: null, diagnostics: [refusal(why)] };
}
