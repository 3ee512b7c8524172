import type { SessionResult } from "../entry/session.js";
import { type Diagnostic, hasErrors } from "../entry/values.js";

/** What each exit code means; public and stable. */
export const exit = {
  done: 0,
  error: 1,
  pending: 2,
  partial: 3,
  refused: 4,
  invalid: 5,
} as const;

const INTERRUPTED: Readonly<Record<string, number>> = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 };

/** The exit code of a run that a signal ended. */
export function interrupted(signal: string): number {
  return INTERRUPTED[signal] ?? exit.error;
}

/** What is asked for is clear, and remit does not do it here. */
const REFUSALS: ReadonlySet<string> = new Set(["plan/prune-no-state", "state/unnamed"]);

/**
 * The exit code of a run that ended with errors before it did anything: `refused` if all of them are refusals, `invalid` if
 * some of them are the author's.
 */
export function stopped(diagnostics: readonly Diagnostic[]): number {
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  if (errors.length > 0 && errors.every(({ code }) => REFUSALS.has(code))) return exit.refused;
  const authored = diagnostics.filter(({ code }) => !/^(service|apply)\//.test(code));
  return hasErrors(authored) ? exit.invalid : exit.error;
}

type Applied = Extract<SessionResult, { readonly as: "applied" }>;
type Summary = Applied["summary"];

/** Whether the service carried out a step, and did something else than was asked for. */
function isAppliedDifferently({ notable }: Summary): boolean {
  return notable.some(({ diagnostics }) => diagnostics.some(({ code }) => APPLIED_DIFFERENTLY.has(code)));
}

const APPLIED_DIFFERENTLY: ReadonlySet<string> = new Set(["apply/not-kept", "apply/replaced"]);

/** The exit code of an apply that sent something. */
export function appliedCode({ summary, fault, rescue }: Applied): number {
  const { done, failed, refused, skipped, left, uncertain } = summary.outcomes;
  if (summary.interrupted !== null) return interrupted(summary.interrupted);
  if (fault !== null && isByAnotherRun(fault)) return exit.refused;
  if (rescue !== null) return exit.partial;
  if (fault !== null) return done > 0 ? exit.partial : exit.error;
  const undone = failed + refused + skipped + left + uncertain;
  if (undone === 0) return exit.done;
  if (refused > 0) return exit.refused;
  // Without an interrupt and a fault, only blocked steps and the steps that need them are left.
  if (done > 0 || uncertain > 0 || left === undone || isAppliedDifferently(summary)) return exit.partial;
  return exit.error;
}

/** The exit code of a run that the state stopped. */
export function stateFault(diagnostic: Diagnostic): number {
  if (INVALID.has(diagnostic.code)) return exit.invalid;
  return isByAnotherRun(diagnostic) || REFUSED.has(diagnostic.code) ? exit.refused : exit.error;
}

/** Whether another run causes an error: nothing is broken, and waiting helps. */
function isByAnotherRun({ code }: Diagnostic): boolean {
  return BY_ANOTHER_RUN.has(code);
}

/** Errors of the address, the key or the credentials that were given. */
const INVALID: ReadonlySet<string> = new Set([
  "state/address",
  "state/key",
  "state/moved",
  "credentials/unconfirmed-server",
]);

/** What is asked for is clear, and remit does not do it with this state. */
const REFUSED: ReadonlySet<string> = new Set(["state/other-project", "state/unnamed"]);

const BY_ANOTHER_RUN: ReadonlySet<string> = new Set([
  "state/locked",
  "state/changed",
  "state/changing",
  "state/lock-lost",
]);

/** The exit code of a command that gave a result: a part of it is missing where there are errors. */
export function given(diagnostics: readonly Diagnostic[]): number {
  return hasErrors(diagnostics) ? exit.partial : exit.done;
}
