import { say } from "../words/say.js";
import { StateError } from "./store.js";

/** Codes of the system that mean that the disk is full. */
const FULL = new Set(["ENOSPC", "EDQUOT", "EFBIG"]);
/** Codes of the system that mean that this user may not write there. */
const FORBIDDEN = new Set(["EROFS", "EACCES", "EPERM"]);
/** Codes of the system that another attempt gets again, until a person changes a right, a limit or a mount. */
const LASTING = new Set([...FORBIDDEN, "EDQUOT", "EFBIG"]);

/** The system's code of a fault: `ENOSPC`. */
export function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error && typeof error.code === "string"
    ? error.code
    : "EUNKNOWN";
}

/** The file could not be written; what was saved before is untouched. */
export function unwritable(name: string, cause: unknown): StateError {
  const code = codeOf(cause);
  const why = FULL.has(code)
    ? "state/unwritable#full"
    : FORBIDDEN.has(code)
      ? "state/unwritable#forbidden"
      : "state/unwritable#failed";
  return new StateError(say(why, { name, code }), { cause, refusal: LASTING.has(code) ? "never" : "again" });
}

/** What is kept is not a complete state. */
export function damaged(name: string, why: string): StateError {
  return new StateError(say("state/damaged#why", { name, why }));
}

/** The same of a file whose backup is not whole either. */
export function irreplaceable({ message, diagnostic }: StateError): StateError {
  return new StateError(say("state/damaged#irreplaceable", { message, next: diagnostic.hint ?? "" }));
}

/** The same of a file whose backup is whole. */
export function replaceable({ message }: StateError, name: string, backup: string): StateError {
  return new StateError(say("state/damaged#replaceable", { message, name, backup }));
}

/** Whether an error is about a damaged state. */
export function isDamage(error: unknown): error is StateError {
  return error instanceof StateError && error.diagnostic.code === "state/damaged";
}

/** What is kept is of a newer format; `writtenBy` is the version that wrote it, null where it does not say. */
export function tooNew(name: string, writtenBy: string | null): StateError {
  const diagnostic =
    writtenBy === null
      ? say("state/newer-format#unversioned", { name })
      : say("state/newer-format#versioned", { name, version: writtenBy });
  return new StateError(diagnostic);
}

/** This run no longer holds the lock of the state: another run took it, a person removed it, or it was released. */
export function lockLost(name: string): StateError {
  return new StateError(say("state/lock-lost#gone", { name }), { refusal: "held" });
}

/** Whether an error says so. */
export function isNotAcquired(error: unknown): boolean {
  return error instanceof StateError && error.diagnostic.code === "state/not-acquired";
}
