import { fault } from "../fault.js";
import { StateError, type Trace } from "../store.js";

/** The remote did not answer, or did not let this user read. */
export function unreachable(name: string, words: string): StateError {
  const hint =
    "Check its address, the credentials and its certificate (docs/stores.md), and run the same command again.";
  return fault("state/unreachable", `${name} did not answer${saying(words)}`, hint, undefined, "again");
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

/** What a push that was not taken means: the remote refused it, or did not answer. */
export function notTaken(
  { isRejected, words }: { readonly isRejected: boolean; readonly words: string },
  name: string,
  ref: string,
): StateError {
  return isRejected ? refused(name, ref, words) : unreachable(name, words);
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
