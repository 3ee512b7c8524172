import { isCount, isText, type Members, misfit, orNull } from "../model/expectation.js";
import { isObject, parseJson } from "../model/json.js";
import { say } from "../words/say.js";
import type { AppliedBy } from "./snapshot.js";
import { type Owner, StateError } from "./store.js";

/** What a lock says of its holder. */
export const OWNER: Members = {
  id: isText,
  host: isText,
  pid: isCount,
  command: isText,
  since: isText,
  job: orNull(isText),
  user: orNull(isText),
};

/** The owner that a lock names; null where it does not say whose it is. */
export function parseOwner(text: unknown): Owner | null {
  const owner = typeof text === "string" ? parseJson(text) : null;
  return isObject(owner) && misfit(owner, OWNER) === null ? (owner as unknown as Owner) : null;
}

/** The run that holds a lock, in words: enough for a person to find its process and its job. */
export function ownerInWords(owner: Owner | null): string {
  if (owner === null) return "another run";
  const { command, pid, host, job, since } = owner;
  return `${command} (process ${pid} on ${host}${job === null ? "" : `, ${job}`}, since ${since})`;
}

/** The lock was not free in time; `next` says how it becomes free. */
export function lockedBy(name: string, owner: Owner | null, timeout: number, next: string): StateError {
  return new StateError(
    say("state/locked", { name, owner: ownerInWords(owner), timeout: timeout / 1000, next }),
  );
}

/** How the lock of a store with a lease becomes free. */
export const BY_LEASE =
  "The lock of a dead run becomes free by itself. If you are sure that it is dead, `remit state unlock` frees it at once.";

/** Which version of a state it is, whose it is, and who applied last, as sentences. */
export function aboutState({ serial, project, appliedBy }: StateLabels): string {
  const whose = project == null ? "It names no project." : `It belongs to the project ${project}.`;
  const head = `It was saved ${serial === 1 ? "once" : `${serial} times`}. ${whose}`;
  if (appliedBy == null) return head;
  const { host, user, job, since } = appliedBy;
  const at = job === null ? host : `${host}, ${job}`;
  return `${head} Last applied${user === null ? "" : ` by ${user}`} on ${at}, ${since}.`;
}

/** What of a state says which one it is. */
interface StateLabels {
  readonly serial: number | null;
  readonly project?: string | null;
  readonly appliedBy?: AppliedBy | null;
}
