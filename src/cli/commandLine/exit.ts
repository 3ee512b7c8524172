import { type Diagnostic, hasErrors } from "../../entry/values.js";

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

/** The exit code of a run that ended with errors before it did anything: `invalid` if all of them are the author's. */
export function stopped(diagnostics: readonly Diagnostic[]): number {
  const authored = diagnostics.filter(({ code }) => !/^(service|apply)\//.test(code));
  return hasErrors(authored) ? exit.invalid : exit.error;
}
