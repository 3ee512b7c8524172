import { setFlagsFromString } from "node:v8";

/**
 * Lets the heap grow by two fifths of what it holds before it is collected again. V8 alone lets it grow to four times as
 * much. Most of what a run allocates is gone with its reply: an apply of 20,000 steps took 770 MB and held 180. A sixth
 * would spare a tenth of the memory, and cost a fifth more CPU time.
 */
export function collectEarly(): void {
  setFlagsFromString("--heap-growing-percent=40");
}
