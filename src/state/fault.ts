import { StateError } from "./backend.js";

/** Codes of the system that mean that there is no room for more. */
const FULL = new Set(["ENOSPC", "EDQUOT", "EFBIG"]);
/** Codes of the system that mean that this user may not write there. */
const FORBIDDEN = new Set(["EROFS", "EACCES", "EPERM"]);

/** The system's code of a fault: `ENOSPC`. */
export function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error && typeof error.code === "string"
    ? error.code
    : "EUNKNOWN";
}

/** What was kept is as it was: the file could not be written. */
export function unwritable(name: string, cause: unknown): StateError {
  const code = codeOf(cause);
  const [why, next] = FULL.has(code)
    ? ["the disk is full", "Make room"]
    : FORBIDDEN.has(code)
      ? ["it may not be written", "Give this user the right to write to its folder"]
      : ["the system refused", "Mend that"];
  const hint = `${next}, and run the same command again: what was kept before is untouched, and what was done since is found again.`;
  return fault("state/unwritable", `${name} could not be written: ${why} (${code})`, hint, cause);
}

/** The file is there and could not be read. */
export function unreadable(name: string, cause: unknown): StateError {
  const hint = "Give this user the right to read it; remit does not go on without what it remembers.";
  return fault("state/unreadable", `${name} could not be read (${codeOf(cause)})`, hint, cause);
}

/** The file is not a state, or no longer a whole one, and nothing is known of one before it. */
export function damaged(name: string, why: string): StateError {
  const hint = `No whole one was kept beside it. Put a copy of your own in its place; where there is none, move ${name} away: the next plan works without a state, and finds again what the service can show.`;
  return fault(DAMAGED, `${name} is damaged: ${why}`, hint);
}

/** The same of a file whose predecessor is whole. */
export function replaceable({ message }: StateError, name: string, backup: string): StateError {
  const hint = `The one kept before it is ${backup}: look at it, and copy it over ${name} to go on from there.`;
  return fault(DAMAGED, message, hint);
}

/** Whether an error tells of a damaged state. */
export function isDamage(error: unknown): error is StateError {
  return error instanceof StateError && error.diagnostic.code === DAMAGED;
}

const DAMAGED = "state/damaged";

/** The file is of a format this version does not know. */
export function tooNew(name: string, writtenBy: string): StateError {
  const hint = `Use remit ${writtenBy} or newer; this version would lose what it does not know.`;
  return fault("state/newer-format", `${name} was written by remit ${writtenBy}, in a newer format`, hint);
}

/** Somebody else has kept another snapshot since this run began. */
export function changedMeanwhile(name: string, kept: string, following: string): StateError {
  const hint =
    "Run the same command again: it plans from the new state and finds again what this run has done. Nothing was overwritten.";
  return fault("state/changed", `${name} was changed by another run: it has ${kept}, not ${following}`, hint);
}

/** Any other thing that is wrong with what is kept. */
export function fault(code: string, message: string, hint: string, cause?: unknown): StateError {
  return new StateError({ code, severity: "error", message, hint }, cause === undefined ? {} : { cause });
}
