import { randomBytes } from "node:crypto";
import { isObject, parseJson } from "../../model/json.js";
import { parseOwner } from "../owner.js";
import type { Owner } from "../store.js";
import type { CommitDraft, Heads } from "./repository.js";

/** Bytes that no other run has: two pushes of equal commits would both succeed. */
const RANDOM = 16;
const FILE = "lock.json";

/** A commit of the lock, which names where the state was. Each one is another, also of one holder. */
export function lockDraft(owner: Owner, from: Heads, now: number): CommitDraft {
  const random = randomBytes(RANDOM).toString("hex");
  const lock = { owner: JSON.stringify(owner), random, state: from.state };
  return {
    parent: from.lock,
    message: `Hold the lock\n\n${trailers(owner)}`,
    author: authorOf(owner),
    at: Math.floor(now / 1000),
    removed: [],
    files: new Map([[FILE, `${JSON.stringify(lock)}\n`]]),
  };
}

/** Who holds a lock, by the files of its commit; null where it does not say. */
export function holderIn(files: ReadonlyMap<string, string>): Owner | null {
  const lock = parseJson(files.get(FILE) ?? "");
  return isObject(lock) ? parseOwner(lock.owner) : null;
}

/** The commit that the state was at when a lock was last renewed; null where there was none, or it does not say. */
export function stateIn(files: ReadonlyMap<string, string>): string | null {
  const lock = parseJson(files.get(FILE) ?? "");
  return isObject(lock) && typeof lock.state === "string" && /^[0-9a-f]{40,64}$/.test(lock.state)
    ? lock.state
    : null;
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
