import { openCompiled } from "../cli/world/compiledCode.js";
import { collectEarly } from "../cli/world/memory.js";
import { makeLoader } from "./modules.js";

/** Runs a command line with the modules of the command as the build wrote them; the folder is null where they are in none. */
export async function runLine(
  line: readonly string[],
  textOf: (name: string) => string,
  folder: string | null,
): Promise<void> {
  // V8 takes no code that was compiled under other flags.
  collectEarly();
  const compiled = openCompiled(folder);
  const { start } = makeLoader(textOf, compiled)("start.js") as typeof import("./start.js");
  await start(line);
  compiled.keep();
}
