import { say } from "../../words/say.js";
import { codeOf } from "../fault.js";
import { StateError } from "../store.js";

/** PostgreSQL's codes of answers that the fault table below names. */
const NO_TABLE = "42P01";
const NO_RIGHT = "42501";
const NO_KEY = "42P10";
const READ_ONLY = "25006";
const DISK_FULL = "53100";
/** Classes of faults that pass: the connection, a lack of resources, a server that stops, a conflict of transactions. */
const PASSING = /^(08|53|57P|40)/;
/** What two runs get that make the same table at once. */
const MADE_AT_ONCE = new Set(["23505", "42P07", "42710"]);

/** Whether the server has not answered, or cannot now. */
export function isPassing(error: unknown): boolean {
  const code = codeOf(error);
  return isState(code) ? PASSING.test(code) : !(error instanceof StateError);
}

/** PostgreSQL's codes have five characters; those of the system begin with E. */
function isState(code: string): boolean {
  return /^[0-9A-Z]{5}$/.test(code) && !/^E[A-Z]{4}$/.test(code);
}

/** Whether the tables are not there. */
export function hasNoTables(error: unknown): boolean {
  return error instanceof StateError && codeOf(error.cause) === NO_TABLE;
}

/** Whether another run makes the tables in this moment. */
export function isMadeAtOnce(error: unknown): boolean {
  return error instanceof StateError && MADE_AT_ONCE.has(codeOf(error.cause));
}

/** What the server's refusal means. */
export function answered(name: string, cause: unknown): StateError {
  const code = codeOf(cause);
  if (code === NO_KEY)
    return new StateError(
      say("state/no-swap#database", { name, what: "it inserts a second row of the same name" }),
      { cause },
    );
  if (code === NO_RIGHT)
    return refused(
      name,
      code,
      "this user may not do that",
      "Give it the rights that docs/stores.md lists.",
      cause,
    );
  if (code === READ_ONLY)
    return refused(
      name,
      code,
      "it may only be read",
      "Name the server that writes, and not a replica.",
      cause,
    );
  if (code === DISK_FULL)
    return refused(name, code, "the disk of its server is full", "Make room on its server.", cause);
  if (code.startsWith("28"))
    return refused(name, code, "it does not accept this user", "Check PGUSER and PGPASSWORD.", cause);
  if (code === "3D000")
    return refused(name, code, "it has no such database", "Make it, or name another.", cause);
  return refused(name, code, "it refuses a statement", "Look for that code in its log.", cause);
}

function refused(name: string, code: string, why: string, next: string, cause: unknown): StateError {
  return new StateError(say("state/refused#withCode", { name, why, code, next }), { cause });
}

/** The server stays away. */
export function unreachable(name: string, cause: unknown): StateError {
  const code = codeOf(cause);
  if (code === DISK_FULL)
    return new StateError(say("state/unreachable#diskFull", { name, code }), { cause, refusal: "again" });
  return new StateError(say("state/unreachable#database", { name, code }), { cause, refusal: "again" });
}
