import { fault } from "../fault.js";
import { StateError, type Trace } from "../store.js";

/** The remote did not answer, or did not let this user read. */
export function unreachable(name: string, words: string): StateError {
  if (isForbidden(words)) return forbidden(name, "read", words);
  const hint =
    "Check its address, the credentials and its certificate (docs/stores.md), and run the same command again.";
  return fault("state/unreachable", `${name} did not answer${saying(words)}`, hint, undefined, "again");
}

/** What a push that was not taken means. The remote was read after it. */
export function notTaken(
  {
    isRejected,
    words,
    inTheWay,
  }: { readonly isRejected: boolean; readonly words: string; readonly inTheWay: string | null },
  name: string,
  ref: string,
): StateError {
  if (isForbidden(words)) return forbidden(name, "push", words);
  if (inTheWay !== null) return blockedBy(name, ref, inTheWay);
  if (UNSTORED.test(words)) return unstored(name, words);
  return isRejected ? refused(name, ref, words) : unanswered(name, words);
}

/*
 * What git itself says, in English because of LC_ALL=C. A remote's own words follow "remote: " on each line, and are not
 * looked at.
 */
/** HTTP 401 and 403, and the question for a password that follows a 401 without credentials. */
const FORBIDDEN =
  /^(?:fatal: unable to access .*The requested URL returned error: 40[13]|error: RPC failed; HTTP 40[13]\b.*|fatal: Authentication failed for .*|fatal: could not read (?:Username|Password) for .*)$/m;
/** The protocol's report that the objects of a push were not stored. */
const UNSTORED = /^error: remote unpack failed: /m;

function isForbidden(words: string): boolean {
  return FORBIDDEN.test(words);
}

/** The remote does not let these credentials do that. */
function forbidden(name: string, what: "read" | "push", words: string): StateError {
  const message = `the credentials may not ${what === "read" ? "read from" : "push to"} ${name}${saying(words)}`;
  const hint =
    what === "read"
      ? "Give a token or a key that may read the repository, and push to it (docs/stores.md)."
      : "They may read the repository. Give a token or a key that may push to it, too (docs/stores.md).";
  return fault("state/forbidden", message, hint, undefined, "never");
}

/** A ref is a file or a folder, and never both. */
function blockedBy(name: string, ref: string, other: string): StateError {
  return fault(
    "state/refused",
    `${ref} cannot be made: ${other} exists, and a ref cannot be below another one (${name})`,
    "Give the state another name, for example git:#NAME. remit never moves or removes a ref that it has not made.",
  );
}

/** The remote takes a push, and cannot keep its objects. */
function unstored(name: string, words: string): StateError {
  const hint =
    "Its disk may be full, a quota used up or the size of a push limited, or its files may not be written. Make room there, and run the same command again.";
  const message = `${name} could not store what was pushed${saying(words)}`;
  return fault("state/unwritable", message, hint, undefined, "again");
}

/** A push has no answer, and a look at the refs after it has one. */
function unanswered(name: string, words: string): StateError {
  const hint =
    "It can be read. If that stays so, the credentials may lack the right to push: over ssh git cannot tell. Otherwise, run the same command again.";
  const message = `${name} did not answer a push${saying(words)}`;
  return fault("state/unreachable", message, hint, undefined, "again");
}

/** The remote answers, and does not take the ref. */
function refused(name: string, ref: string, words: string): StateError {
  const branch = "git:#refs/heads/remit-state";
  const hint = ref.startsWith("refs/heads/")
    ? "The credentials must be allowed to push to this branch, and to the branch of its lock beside it."
    : `The credentials must be allowed to push. If the host takes branches only, name one: ${branch}.`;
  const message = `${name} did not take ${ref}${saying(words)}`;
  // A hook or a host that is busy refuses one push and takes the next; a person may correct a right meanwhile.
  return fault("state/refused", message, hint, undefined, "again");
}

/** git is not there, or failed at a thing that needs no remote. */
export function broken(name: string, words: string): StateError {
  const hint = "The store needs git 2.31 or newer, and room in the folder of temporary files.";
  return fault("state/unwritable", `git could not prepare the state (${name})${saying(words)}`, hint);
}

/** The ref contains something else. */
export function foreign(name: string, ref: string): StateError {
  return fault(
    "state/damaged",
    `${ref} is not a state of remit (${name})`,
    "Name another ref. remit never writes to a ref that it has not made.",
  );
}

/** The ref beside the state, where its lock goes, has something else. */
export function foreignLock(name: string, lock: string): StateError {
  return fault(
    "state/foreign-lock",
    `${lock} is not a lock of remit, and the lock of the state goes there (${name})`,
    "Rename that ref, or give the state another name. remit never moves or removes a ref that it has not made.",
  );
}

/** The state is not at the commit that its lock names: someone has moved its ref. */
export function rolledBack(name: string, ref: string, commit: string | null): StateError {
  const what = commit === null ? "that there was none" : `commit ${commit}`;
  const again = commit === null ? "Remove that ref" : `Push that commit to ${ref} again: a clone may have it`;
  return fault(
    ROLLED_BACK,
    `${ref} was moved while a run held its lock: the lock names ${what} (${name})`,
    `${again}. To continue with what is there, run \`remit state unlock\`; where the service cannot be read, what was created since is then created again.`,
  );
}

/** Whether an error says so. */
export function isRolledBack(error: unknown): boolean {
  return error instanceof StateError && error.diagnostic.code === ROLLED_BACK;
}

const ROLLED_BACK = "state/rolled-back";

/** The ref of the state was changed by another than the holder of its lock. */
export function rewritten(name: string, ref: string): StateError {
  return fault(
    "state/changed",
    `${ref} was changed while this run held its lock (${name})`,
    "Find out who pushed to it, and push the commit that the lock names to it again.",
  );
}

/** The ref of the state was removed, and its lock was not. */
export function lostRef(name: string, { what, remedy }: Trace): StateError {
  return fault(
    "state/lost-ref",
    `the state is missing (${name}), but ${what} shows that a state existed`,
    remedy,
  );
}

/** The remote carried out two writes of which one was to win. */
export function noSwap(name: string): StateError {
  return fault(
    "state/no-swap",
    `${name} ignores the conditions of writes: two pushes created one ref`,
    "Two runs could hold its lock at once. Use another server.",
  );
}

/** What git says of every failure over ssh; ssh has given the reason in the line before. */
const OVER_SSH = "fatal: Could not read from remote repository.";

/** The last thing that git said, without an address: it may contain credentials. */
function saying(words: string): string {
  const lines = words
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
  const place = lines.findLastIndex((line) => /^(fatal|error|remote|!|ssh)\b|\[/.test(line));
  const isVague = lines[place] === OVER_SSH && place > 0;
  const last = lines[isVague ? place - 1 : place] ?? "";
  const clean = last.replace(/[a-z+]+:\/\/[^\s']+/gi, "(address)").slice(0, 200);
  return clean === "" ? "" : ` (git: ${clean})`;
}
