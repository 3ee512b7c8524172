import type { AppliedRun, Refusal } from "../apply/result.js";
import { type Diagnostic, hasErrors } from "../model/diagnostic.js";
import type { Outlook } from "../plan/guards/guards.js";
import type { FailureReport } from "../report/failure/report.js";
import { rowOf } from "../words/sections.js";

/** What each exit code means; public and stable. No other file of the command line names one. */
export const exit = {
  done: 0,
  error: 1,
  pending: 2,
  partial: 3,
  refused: 4,
  invalid: 5,
} as const;

/** How a command can end, in words that each command uses alike. */
const RESULTS = {
  done: exit.done,
  "wrong usage": exit.error,
  "not found": exit.error,
  "not healthy": exit.error,
  "cannot listen": exit.error,
  "file not written": exit.error,
  mistake: exit.error,
  "unusable plan": exit.refused,
  "not approved": exit.refused,
  "not proved": exit.refused,
  "nothing could be accepted": exit.refused,
  declined: exit.refused,
  blocked: exit.refused,
  protected: exit.refused,
  "invalid settings": exit.invalid,
  "invalid manifests": exit.invalid,
} as const satisfies Readonly<Record<string, number>>;

/** How a command can end. */
export type EndedAs = keyof typeof RESULTS;

/** The exit code of a result that is known by its name. */
export function codeOf(result: EndedAs): number {
  return RESULTS[result];
}

/** The exit code of tests: their failures, and whatever kept them from running, are errors. */
export function testedCode(diagnostics: readonly Diagnostic[]): number {
  return hasErrors(diagnostics) ? exit.error : exit.done;
}

/** The exit code of a run as the command-line library left it: it uses negative codes for its own errors, and none for no result. */
export function runCode(left: number | string | null | undefined): number {
  const code = Number(left ?? exit.done);
  return code < 0 ? exit.error : code;
}

/** What the report of a run that failed calls its exit code. */
export function failureOf(code: number): FailureReport["failure"] {
  if (code === exit.done) return "waiting";
  return code === exit.refused ? "refused" : code === exit.invalid ? "invalid" : "failed";
}

const INTERRUPTED: Readonly<Record<string, number>> = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 };

/** The exit code of a run that a signal ended. */
export function interrupted(signal: string): number {
  return INTERRUPTED[signal] ?? exit.error;
}

/**
 * The exit code of a run that ended with errors before it did anything: `refused` if all of them are refusals, `invalid` if
 * some of them are the author's.
 */
export function stopped(diagnostics: readonly Diagnostic[]): number {
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  if (errors.length > 0 && errors.every(isRefusal)) return exit.refused;
  const authored = errors.filter(
    ({ code }) => rowOf(code).exit === "invalid" || !/^(service|apply)\//.test(code),
  );
  return authored.length > 0 ? exit.invalid : exit.error;
}

type Summary = AppliedRun["summary"];

/** Whether the service carried out a step, and did something else than was asked for. */
function isAppliedDifferently({ notable }: Summary): boolean {
  return notable.some(({ diagnostics }) => diagnostics.some(({ code }) => rowOf(code).exit === "partial"));
}

/** The exit code of an apply that sent nothing, by what refused it. */
export function refusedCode({ by, diagnostics }: Refusal): number {
  switch (by) {
    case "recovery":
      return unansweredCode(diagnostics);
    case "planning":
      return stopped(diagnostics);
    case "check":
    case "review":
      return exit.refused;
    default:
      return by satisfies never;
  }
}

/** The exit code of an apply that sent something. `isFlawed` where an output is missing, or a step is done with an error. */
export function appliedCode(applied: AppliedRun, isFlawed: boolean): number {
  const code = sentCode(applied);
  return code === exit.done && isFlawed ? exit.error : code;
}

/** The exit code of an apply whose evidence could not be written: it took effect, and a part of what was asked for is missing. */
export function unprovedCode(code: number, unproved: readonly Diagnostic[]): number {
  return code === exit.done && unproved.length > 0 ? exit.partial : code;
}

function sentCode({ summary, fault, rescue }: AppliedRun): number {
  const { done, failed, refused, skipped, left, uncertain } = summary.outcomes;
  if (summary.interrupted !== null) return interrupted(summary.interrupted);
  if (fault !== null && isRefusal(fault)) return exit.refused;
  if (rescue !== null) return exit.partial;
  if (fault !== null) return done > 0 ? exit.partial : stateFault(fault);
  const undone = failed + refused + skipped + left + uncertain;
  if (undone === 0) return exit.done;
  if (refused > 0) return exit.refused;
  // Without an interrupt and a fault, only blocked steps and the steps that need them are left.
  if (done > 0 || uncertain > 0 || left === undone || isAppliedDifferently(summary)) return exit.partial;
  return exit.error;
}

/** The exit code of a run that the state stopped. */
export function stateFault(diagnostic: Diagnostic): number {
  return exit[rowOf(diagnostic.code).exit ?? "error"];
}

/** The code of a run that ended with an error: it is partly applied where a rescue file has answers of it. */
export function rescued(code: number, file: string | null): number {
  return file !== null && code === exit.error ? exit.partial : code;
}

/** Whether what is asked for is clear, and remit does not do it here, or not now. */
function isRefusal({ code }: Diagnostic): boolean {
  return rowOf(code).exit === "refused";
}

/** The exit code of a plan. One that is not meant to be applied says nothing of what stands in its way. */
export function planCode(
  outlook: Outlook,
  asked: { readonly isToApply: boolean; readonly isDetailed: boolean; readonly foundUnmanaged: boolean },
): number {
  if (outlook === "cannot be applied" && asked.isToApply) return exit.refused;
  const isPending = asked.foundUnmanaged || outlook !== "changes nothing";
  return asked.isDetailed && isPending ? exit.pending : exit.done;
}

/** The exit code of a command that gave a result: a part of it is missing where there are errors. */
export function given(diagnostics: readonly Diagnostic[], isPartial = false): number {
  return isPartial || hasErrors(diagnostics) ? exit.partial : exit.done;
}

/** The exit code of two tenants that were compared: a part is missing where there are errors, and what is not known may differ. */
export function comparedCode(
  diagnostics: readonly Diagnostic[],
  isSame: boolean,
  isDetailed: boolean,
): number {
  const code = given(diagnostics);
  return code === exit.done && isDetailed && !isSame ? exit.pending : code;
}

/** The exit code of a get without a result: nothing of it is the author's, so the command line or the tenant is wrong. */
export function notGot(diagnostics: readonly Diagnostic[]): number {
  const code = stopped(diagnostics);
  return code === exit.invalid ? exit.error : code;
}

/** The exit code of a question without an answer: by what the forge, the checkout or the service says, or because it could not be asked. */
export function unansweredCode(diagnostics: readonly Diagnostic[]): number {
  if (diagnostics.some(({ code }) => rowOf(code).exit === "invalid")) return exit.invalid;
  return postedCode(diagnostics) === exit.refused ? exit.refused : exit.error;
}

/** The exit code of a comment or an issue that was posted, as far as nothing went wrong. */
export function postedCode(diagnostics: readonly Diagnostic[]): number {
  if (diagnostics.some(isRefusal)) return exit.refused;
  return hasErrors(diagnostics) ? exit.error : exit.done;
}

/** The exit code of files that were checked: what is wrong in them, what could not be written, and how many have another layout. */
export function checkedCode(
  diagnostics: readonly Diagnostic[],
  unwritten: readonly Diagnostic[],
  differing = 0,
): number {
  if (hasErrors(diagnostics)) return exit.invalid;
  return differing > 0 ? exit.error : writtenCode(unwritten);
}

/** The exit code of outputs, by what could not be written. */
export function writtenCode(unwritten: readonly Diagnostic[]): number {
  return unwritten.length > 0 ? exit.error : exit.done;
}

/** The exit code of a run after its figures: a file of them that could not be written fails a run that was done. */
export function measuredCode(code: number, found: readonly Diagnostic[]): number {
  return code === exit.done && hasErrors(found) ? exit.error : code;
}
