import { say } from "../../words/say.js";
import { Rejected } from "../objects.js";
import { StateError } from "../store.js";

/** The remote did not answer, or did not let this user read. */
export function unreachable(name: string, words: string): StateError {
  const said = { name, saying: saying(words) };
  if (isForbidden(words)) return new StateError(say("state/forbidden#read", said));
  return new StateError(say("state/unreachable#remote", said), { refusal: "again" });
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
  const said = { name, ref, saying: saying(words) };
  if (isForbidden(words)) return new StateError(say("state/forbidden#push", said));
  if (inTheWay !== null) return new StateError(say("state/refused#blockedBy", { ...said, other: inTheWay }));
  const key = UNSTORED.test(words)
    ? "state/unwritable#unstored"
    : isRejected
      ? ref.startsWith("refs/heads/")
        ? "state/refused#branch"
        : "state/refused#ref"
      : "state/unreachable#push";
  // A hook or a host that is busy refuses one push and takes the next; a person may correct a right meanwhile.
  return new (isRejected ? Rejected : StateError)(say(key, said), { refusal: "again" });
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

/** git is not there, or failed at a thing that needs no remote. */
export function broken(name: string, words: string): StateError {
  return new StateError(say("state/unwritable#git", { name, saying: saying(words) }));
}

/** The state is not at the commit that its lock names: someone has moved its ref. */
export function rolledBack(name: string, ref: string, commit: string): StateError {
  return new StateError(say("state/rolled-back#commit", { name, ref, commit }));
}

/** Whether an error says so. */
export function isRolledBack(error: unknown): boolean {
  return error instanceof StateError && error.diagnostic.code === "state/rolled-back";
}

/** The ref of the state was removed, and its lock was not: the lock names a commit that is gone. */
export function lostRef(name: string, ref: string, commit: string): StateError {
  return new StateError(say("state/lost-ref", { name, ref, commit }));
}

/** Something else has the name of the lock. */
export function foreignLock(name: string, lock: string): StateError {
  return new StateError(say("state/foreign-lock", { lock, name }));
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
