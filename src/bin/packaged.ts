import { readFileSync } from "node:fs";
import { join } from "node:path";
import { runLine } from "./runLine.js";

/** Runs a command line with the modules in the folder `command` beside this one. */
export function runPackaged(line: readonly string[]): Promise<void> {
  const folder = join(import.meta.dirname, "command");
  return runLine(line, (name) => readFileSync(join(folder, name), "utf8"), folder);
}
