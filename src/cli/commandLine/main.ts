import { run } from "@stricli/core";
import { complete } from "../completion/complete.js";
import type { World } from "../outside/world.js";
import { makeApplication } from "./application.js";
import type { Context } from "./context.js";
import { exit } from "./exit.js";
import { enterFolder } from "./folder.js";
import { WELCOME } from "./welcome.js";

/** Runs one command line in a world and gives its exit code. */
export async function main(line: readonly string[], outside: World): Promise<number> {
  // The completion of a half-typed line has its own words, and the folder among them.
  const isCompletion = line[0] === "__complete";
  const moved = enterFolder(isCompletion ? line.slice(1) : line, outside);
  if ("refusal" in moved) {
    outside.stderr.write(moved.refusal);
    return exit.error;
  }
  const argv = isCompletion ? ["__complete", ...moved.argv] : moved.argv;
  const world = coloured(moved.world, argv);
  const [first, ...rest] = argv;
  if (first === undefined) {
    world.stdout.write(WELCOME);
    return exit.done;
  }
  const streams: Context["process"] = { stdout: world.stdout, stderr: world.stderr };
  const context: Context = { process: streams, world, words: isCompletion ? rest : argv };
  const application = makeApplication(world.env);
  if (isCompletion) {
    world.stdout.write(await complete(application, context));
    return exit.done;
  }
  await run(application, respell(first, rest), context);
  return exitCode(streams.exitCode);
}

/** The flags of colour say what the variables of colour say, and come before them. */
function coloured(world: World, argv: readonly string[]): World {
  const end = argv.indexOf("--");
  const flags = end === -1 ? argv : argv.slice(0, end);
  const wanted = flags.findLast((flag) => flag === "--color" || flag === "--no-color");
  if (wanted === undefined) return world;
  const variables = wanted === "--color" ? { FORCE_COLOR: "1", NO_COLOR: "" } : { NO_COLOR: "1" };
  return { ...world, env: { ...world.env, ...variables } };
}

/** What other programs are asked in, in the words of this one. */
function respell(first: string, rest: readonly string[]): readonly string[] {
  if (first === "help") return [...rest, "--help"];
  if (first === "--version" || first === "-V") return ["version", ...rest];
  return [first, ...rest];
}

// The command-line library marks its own faults (an unknown command or flag) with negative codes.
function exitCode(code: number | string | null | undefined): number {
  const number = Number(code ?? exit.done);
  return number < 0 ? exit.error : number;
}
