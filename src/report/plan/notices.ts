import type { Diagnostic, Span } from "../../model/diagnostic.js";
import { codeOf, DENIED } from "../../plan/guards/own/ownGuard.js";
import { quote } from "../../words/quote.js";
import { say } from "../../words/say.js";
import { type Statement, sentencesOf } from "../statement.js";
import type { FieldReport, FindingReport, PlanReport, StepReport } from "./report.js";
import { labelOf } from "./words/labels.js";
import { isProposed } from "./words/settings.js";

/**
 * What a plan has to say, as diagnostics: its findings, its blocked steps, what drifted, the diagnostics of its steps and of
 * the run, and its statements. Formats that know only lines and messages print these.
 */
export function noticesOfPlan(report: PlanReport): readonly Diagnostic[] {
  const places = new Map(report.steps.map((step) => [step.address, step.place]));
  return [
    ...report.findings.map((finding) => noticeOf(finding, report, places.get(finding.address ?? "") ?? null)),
    ...report.steps.flatMap(noticesOfStep),
    ...noticesOfStatements(report),
  ];
}

/** Statements as diagnostics; what the run itself found keeps its places. */
export function noticesOfStatements({
  statements,
  diagnostics,
}: Pick<PlanReport, "statements" | "diagnostics">): readonly Diagnostic[] {
  const found = new Set(diagnostics.map(({ code }) => code));
  const others = statements.filter(({ code }) => !found.has(code));
  return [...diagnostics, ...others.map(noticeOfStatement)];
}

function noticeOfStatement(one: Statement): Diagnostic {
  const { code, severity, objects } = one;
  const [first] = objects;
  return quote(code, severity, sentencesOf(one).join("; "), lineOf(first?.place ?? null));
}

/** The span of a whole line, where no more is known. */
export function lineOf(place: StepReport["place"], line = place?.line): { readonly span?: Span } {
  if (place === null || line === undefined) return {};
  const start = { line, column: 1 };
  return { span: { file: place.file, start, end: start } };
}

/** The place of a field: where its value is written first, then the manifest that uses it. */
function placeOf(
  { line, file }: FieldReport,
  place: StepReport["place"],
): Pick<Diagnostic, "span" | "related"> {
  if (file === null || line === null || place === null) return lineOf(place, line ?? place?.line);
  const { span } = lineOf(place);
  const related = span === undefined ? [] : [{ message: "the manifest uses it here", span }];
  return { ...lineOf({ file, line }), related };
}

/** The diagnostics of a step as notices: each names the step, and stands on its line where it has no other place. */
export function ownNotices({
  address,
  place,
  diagnostics,
}: Pick<StepReport, "address" | "place" | "diagnostics">): readonly Diagnostic[] {
  return diagnostics.map((diagnostic) => ({
    ...lineOf(place),
    ...diagnostic,
    message: about(address, diagnostic.message),
    check: `${diagnostic.code} ${address}`,
  }));
}

/** A sentence that names what it is about. */
function about(address: string, message: string): string {
  return message.includes(address) ? message : `${address}: ${message}`;
}

function noticeOf(finding: FindingReport, { isDecided }: PlanReport, place: StepReport["place"]): Diagnostic {
  const { guard, address, message, flag, acknowledged } = finding;
  const isOpen = acknowledged === null && !isProposed(finding) && isDecided;
  const severity = isOpen ? "error" : acknowledged === null ? "warning" : "note";
  return quote(codeOf(guard), severity, address === null ? message : about(address, message), {
    check: address === null ? codeOf(guard) : `${codeOf(guard)} ${address}`,
    ...lineOf(place),
    ...(isOpen ? { hint: flag === null ? DENIED : `To acknowledge it, add \`${flag}\`.` } : {}),
  });
}

function noticesOfStep(step: StepReport): readonly Diagnostic[] {
  const { address, action, reason, place, diagnostics } = step;
  const own = ownNotices(step);
  const isExplained = diagnostics.some(({ severity }) => severity === "error");
  const blocked: readonly Diagnostic[] =
    action !== "blocked" || isExplained
      ? []
      : [say("plan/blocked", { address, reason }, { check: `plan/blocked ${address}`, ...lineOf(place) })];
  return [...blocked, ...own, ...driftOf(step)];
}

/** What the tenant changed since the last apply: a field at a time, or the whole object. */
function driftOf(step: StepReport): readonly Diagnostic[] {
  const { address, place, fields, isDrift, reason } = step;
  const drifted = fields.filter(({ cause }) => cause === "drifted" || cause === "both");
  if (drifted.length > 0)
    return drifted.map((field) =>
      say(
        "plan/drift#field",
        { address, path: field.path, step: endOf(step, field) },
        { check: `plan/drift ${address} ${field.path}`, ...placeOf(field, place) },
      ),
    );
  return isDrift
    ? [say("plan/drift#object", { address, reason }, { check: `plan/drift ${address}`, ...lineOf(place) })]
    : [];
}

/** What an apply of the plan makes of a drifted field. */
function endOf(step: StepReport, { cause }: FieldReport): string {
  if (labelOf(step) !== "update") return "";
  return cause === "both" ? "; an apply writes the edited value" : "; an apply reverts it";
}
