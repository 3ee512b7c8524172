import { createHash } from "node:crypto";
import { readFileSync, readlinkSync } from "node:fs";
import type { World } from "./world.js";

/** A word that names a process in the name of a file. */
interface RunMark {
  readonly mark: string;
  /** Whether the process of such a word has certainly ended; false where this process cannot see it. */
  readonly isOver: (mark: string) => boolean;
}

const FORM = /^(\d+)\.(\d+)\.([0-9a-f]{8})$/;
/** The start of a process that the system does not say. */
const UNKNOWN = "0";

/**
 * The mark of this process: its number, when it started, and where its number counts. Computers and containers may
 * share a folder, and the same number is another process there.
 */
export function runMarkOf({ pid, host }: Pick<World["process"], "pid" | "host">): RunMark {
  const here = createHash("sha256").update(`${host}\n${namespace()}`).digest("hex").slice(0, 8);
  return {
    mark: `${pid}.${startOf(pid)}.${here}`,
    isOver(mark) {
      const [, number = "", start, place] = FORM.exec(mark) ?? [];
      if (place !== here) return false;
      if (!isRunning(Number(number))) return true;
      // A number is given again, in a container even to each first process.
      const now = startOf(Number(number));
      return start !== UNKNOWN && now !== UNKNOWN && now !== start;
    },
  };
}

/** What sees the same numbers of processes; empty where the system has only one such space. */
function namespace(): string {
  try {
    return readlinkSync("/proc/self/ns/pid");
  } catch {
    return "";
  }
}

/** When a process started, in ticks since the start of the system: proc(5), field 22 of `stat`. */
function startOf(pid: number): string {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The second field is the program's name in brackets, and may contain both blanks and brackets.
    return text.slice(text.lastIndexOf(")") + 2).split(" ")[19] ?? UNKNOWN;
  } catch {
    return UNKNOWN;
  }
}

/** Whether a process of this computer runs. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // A process of another user cannot be signalled, but it runs.
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
