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
