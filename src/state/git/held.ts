import { randomBytes } from "node:crypto";
import { isObject, parseJson } from "../../model/json.js";
import { parseOwner } from "../owner.js";
import type { Owner } from "../store.js";
import type { CommitDraft, Heads } from "./repository.js";

/** Bytes that no other run has: two pushes of equal commits would both succeed. */
const RANDOM = 16;
const FILE = "lock.json";

/**
 * A commit of the lock, which names the commit of the state that goes with it: `state` is where the state was before.
 * Each one is another, also of one holder. `isLeft` says that its holder gave the lock up and could not write all that it
 * had. No one holds the lock then, and who looked before that sees that a run came between.
 */
export function lockDraft(
  owner: Owner,
  from: Heads,
  at: string | null,
  now: number,
  isLeft = false,
): CommitDraft {
  const random = randomBytes(RANDOM).toString("hex");
  const lock = { owner: JSON.stringify(owner), random, state: from.state, at, ...(isLeft && { isLeft }) };
  return {
    parent: from.lock,
    message: `${isLeft ? "Leave" : "Hold"} the lock\n\n${trailers(owner)}`,
    author: authorOf(owner),
    at: Math.floor(now / 1000),
    removed: [],
    files: new Map([[FILE, `${JSON.stringify(lock)}\n`]]),
  };
}

/** Whether a commit is one of a lock, by its files: a ref with another one is not remit's, whatever it is called. */
export function isLock(files: ReadonlyMap<string, string>): boolean {
  const lock = parseJson(files.get(FILE) ?? "");
  return (
    files.size === 1 &&
    isObject(lock) &&
    typeof lock.random === "string" &&
    "at" in lock &&
    holderIn(files) !== null
  );
}

/** Whether the holder of a lock gave it up: any run may take it at once. */
export function isLeftIn(files: ReadonlyMap<string, string>): boolean {
  const lock = parseJson(files.get(FILE) ?? "");
  return isObject(lock) && lock.isLeft === true;
}

/** Who holds a lock, by the files of its commit; null where it does not say. */
export function holderIn(files: ReadonlyMap<string, string>): Owner | null {
  const lock = parseJson(files.get(FILE) ?? "");
  return isObject(lock) ? parseOwner(lock.owner) : null;
}

/** The commit that the state was at when a lock was last renewed; null where there was none, or it does not say. */
export function stateIn(files: ReadonlyMap<string, string>): string | null {
  const lock = parseJson(files.get(FILE) ?? "");
  return isObject(lock) ? (commitIn(lock.at) ?? commitIn(lock.state)) : null;
}

/** The commit of the state that went with a lock; null for none. */
export function witnessIn(files: ReadonlyMap<string, string>): string | null {
  const lock = parseJson(files.get(FILE) ?? "");
  return isObject(lock) ? commitIn(lock.at) : null;
}

function commitIn(value: unknown): string | null {
  return typeof value === "string" && /^[0-9a-f]{40,64}$/.test(value) ? value : null;
}

/** The last lines of the message of a commit: the run and the user. */
export function trailers({ id, command, host, pid, job, user }: Owner): string {
  const run = `Run: ${id} (${command}, process ${pid} on ${host})`;
  return [run, ...(job === null ? [] : [`Job: ${job}`]), `User: ${user ?? "unknown"}`]
    .map(oneLine)
    .join("\n");
}

/** Who commits, as git writes it. */
export function authorOf({ user, host }: Owner): string {
  const clean = (text: string) => text.replace(/[^\w.@+ -]/g, "_");
  return `${clean(user ?? "remit")} <remit@${clean(host)}>`;
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, " ");
}
