import { StateError, type WriteRefusal } from "./store.js";

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
  const [why, next] = FULL.has(code)
    ? ["the disk is full", "Make room"]
    : FORBIDDEN.has(code)
      ? ["it may not be written", "Give this user the right to write to its folder"]
      : ["the system refused", "Fix that"];
  const hint = `${next}, and run the same command again. What was saved before is untouched.`;
  const message = `${name} could not be written: ${why} (${code})`;
  return fault("state/unwritable", message, hint, cause, LASTING.has(code) ? "never" : "again");
}

/** The file is there and could not be read. */
export function unreadable(name: string, cause: unknown): StateError {
  const hint = "Give this user the right to read it. remit does not continue without its state.";
  return fault("state/unreadable", `${name} could not be read (${codeOf(cause)})`, hint, cause);
}

/** What is kept is not a complete state. */
export function damaged(name: string, why: string): StateError {
  const hint = `Put a copy of your own in its place. If you have none, move ${name} away: the next plan works without a state and reads what the service can show.`;
  return fault(DAMAGED, `${name} is damaged: ${why}`, hint);
}

/** The same of a file whose backup is not whole either. */
export function irreplaceable({ message, diagnostic }: StateError): StateError {
  return fault(DAMAGED, message, `The backup beside it is damaged or missing, too. ${diagnostic.hint}`);
}

/** The same of a file whose backup is whole. */
export function replaceable({ message }: StateError, name: string, backup: string): StateError {
  const hint = `The version before it is ${backup}. Check it, then copy it over ${name} to continue from there.`;
  return fault(DAMAGED, message, hint);
}

/** Whether an error is about a damaged state. */
export function isDamage(error: unknown): error is StateError {
  return error instanceof StateError && error.diagnostic.code === DAMAGED;
}

const DAMAGED = "state/damaged";

/** What is kept is of a newer format; `writtenBy` is the version that wrote it, null where it does not say. */
export function tooNew(name: string, writtenBy: string | null): StateError {
  const [by, version] =
    writtenBy === null
      ? ["a newer remit", "a newer remit"]
      : [`remit ${writtenBy}`, `remit ${writtenBy} or newer`];
  const hint = `Use ${version}. This version would lose what it does not know.`;
  return fault("state/newer-format", `${name} was written by ${by}, in a newer format`, hint);
}

/** What is kept is of no format that a release wrote. */
export function unreleased(name: string, why: string): StateError {
  const hint =
    "If a newer remit wrote it, use that one. Otherwise give the state another name in `state:` and begin without it: `remit import` writes manifests of what the tenant has.";
  return fault("state/unreleased-format", `${name} has a format that was never released: ${why}`, hint);
}

/** This run no longer holds the lock of the state: another run took it, a person removed it, or it was released. */
export function lockLost(name: string): StateError {
  return fault(
    "state/lock-lost",
    `this run no longer holds the lock of the state (${name})`,
    "Nothing more is started. Let the other run end, then run the same command again.",
    undefined,
    "held",
  );
}

/** A person removed the lock of this run, from a store whose locks no run takes over. */
export function lockRemoved(name: string): StateError {
  return fault(
    "state/lock-lost",
    `a person removed the lock of this run (${name}), for example with \`remit state unlock\``,
    "Nothing more is started. Ask who removed it and whether another run has begun, then run the same command again.",
    undefined,
    "held",
  );
}

/** The server refuses a write, although this run holds the lock: it may accept the next attempt. */
export function refusedNow(name: string): StateError {
  return fault(
    "state/refused",
    `${name} refuses a write of the holder of its lock`,
    "Look into the log of its server. The run tries again under its lock.",
    undefined,
    "again",
  );
}

/** A lock that the first write should have acquired is not this run's: nothing was written, and nothing sent. */
export function notAcquired(name: string): StateError {
  return fault(
    NOT_ACQUIRED,
    `another run was faster to lock the state (${name})`,
    "Nothing was changed. Run the same command again.",
    undefined,
    "held",
  );
}

/** Whether an error says so. */
export function isNotAcquired(error: unknown): boolean {
  return error instanceof StateError && error.diagnostic.code === NOT_ACQUIRED;
}

const NOT_ACQUIRED = "state/not-acquired";

/** The state was saved again and again while it was read. */
export function keepsChanging(name: string): StateError {
  return fault(
    "state/changing",
    `${name} changed each time it was read`,
    "Another run is saving it. Run the same command again.",
  );
}

/** Another run has saved another snapshot since this run began. */
export function changedMeanwhile(name: string, kept: string, following: string): StateError {
  const hint =
    "Run the same command again: it plans from the new state and finds again what this run has done. Nothing was overwritten.";
  return fault("state/changed", `${name} was changed by another run: it has ${kept}, not ${following}`, hint);
}

/** The state was moved away from there. */
export function movedAway(name: string, to: string): StateError {
  const hint = `Name ${to} in \`state:\`, REMIT_STATE or --state. If that was not meant to be, \`remit state move\` takes it back.`;
  return fault("state/moved", `the state is not kept at ${name} any more: it was moved to ${to}`, hint);
}

/** Any other thing that is wrong with what is kept; `refusal` says what that means for the same write, sent again. */
export function fault(
  code: string,
  message: string,
  hint: string,
  cause?: unknown,
  refusal: WriteRefusal = "never",
): StateError {
  const options = cause === undefined ? { refusal } : { cause, refusal };
  return new StateError({ code, severity: "error", message, hint }, options);
}
