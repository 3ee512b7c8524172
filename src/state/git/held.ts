import { randomBytes } from "node:crypto";
import { hasMembers, isCount, isText, type Members, orNull, such } from "../../model/expectation.js";
import { isObject, parseJson } from "../../model/json.js";
import type { StateHead } from "../head.js";
import { OWNER } from "../owner.js";
import type { Owner } from "../store.js";
import { misfitOf } from "../validity.js";
import type { CommitDraft } from "./repository.js";

/** Bytes that no other run has: two pushes of equal commits would both succeed. */
const RANDOM = 16;
export const LOCK_FILE = "lock.json";

/** What a commit of the lock says: the members of the head that a sign of life changes. */
interface LockFile extends Pick<StateHead, "writtenBy" | "turn" | "lock"> {
  /** The commit of the state that goes with it. */
  readonly at: string;
  /** When it was made, by the clock of its holder, in milliseconds since 1970. */
  readonly time: number;
}

/**
 * A commit of the lock. Each one is another, also of one holder. Without a lock it says that a holder gave it up, and could
 * not write all that it had: who looked before sees that a run came between.
 */
export function lockDraft(file: LockFile, owner: Owner | null, parent: string | null): CommitDraft {
  const random = randomBytes(RANDOM).toString("hex");
  return {
    parent,
    message: `${file.lock === null ? "Leave" : "Hold"} the lock\n\n${trailers(owner)}`,
    author: authorOf(owner),
    at: Math.floor(file.time / 1000),
    removed: [],
    files: new Map([[LOCK_FILE, `${JSON.stringify({ ...file, random })}\n`]]),
  };
}

/** What a commit of a lock says, by its files; null for any other commit, whatever its ref is called. */
export function lockIn(files: ReadonlyMap<string, string>): LockFile | null {
  const lock = parseJson(files.get(LOCK_FILE) ?? "");
  const isLock = files.size === 1 && isObject(lock) && misfitOf(lock, MEMBERS) === null;
  return isLock ? (lock as unknown as LockFile) : null;
}

const MEMBERS: Members = {
  writtenBy: isText,
  turn: isCount,
  lock: orNull(hasMembers({ token: isText, owner: hasMembers(OWNER) })),
  at: such((value) => typeof value === "string" && /^[0-9a-f]{40,64}$/.test(value)),
  time: isCount,
};

/** The last lines of the message of a commit: the run and the user. */
export function trailers(owner: Owner | null): string {
  if (owner === null) return "User: unknown";
  const { id, command, host, pid, job, user } = owner;
  const run = `Run: ${id} (${command}, process ${pid} on ${host})`;
  return [run, ...(job === null ? [] : [`Job: ${job}`]), `User: ${user ?? "unknown"}`]
    .map(oneLine)
    .join("\n");
}

/** Who commits, as git writes it. */
export function authorOf(owner: Owner | null): string {
  const clean = (text: string) => text.replace(/[^\w.@+ -]/g, "_");
  return `${clean(owner?.user ?? "remit")} <remit@${clean(owner?.host ?? "unknown")}>`;
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, " ");
}
