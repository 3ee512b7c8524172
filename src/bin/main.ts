import { realpathSync, statSync } from "node:fs";
import { relative, resolve } from "node:path";
import { run } from "@stricli/core";
import { complete } from "../cli/completion/complete.js";
import { codeOf, runCode } from "../cli/exitCode.js";
import type { Context } from "../cli/run/context.js";
import { reasonOf } from "../cli/world/reason.js";
import type { World } from "../cli/world/world.js";
import { VERSION_FLAGS } from "../commands/version/alone.js";
import type { Diagnostic } from "../model/diagnostic.js";
import { formatNotice } from "../report/diagnostics/brief.js";
import { say } from "../words/say.js";
import { makeApplication } from "./application.js";

/** Runs one command line in a world and gives its exit code. */
export async function main(line: readonly string[], outside: World): Promise<number> {
  // A completion gets its line, with -C among its words, from the shell.
  const isCompletion = line[0] === "__complete";
  const moved = await enterFolder(isCompletion ? line.slice(1) : line, outside);
  if ("refusal" in moved) {
    outside.stderr.write(moved.refusal);
    return codeOf("wrong usage");
  }
  const argv = isCompletion ? ["__complete", ...moved.argv] : moved.argv;
  const world = coloured(moved.world, argv);
  const [first, ...rest] = argv;
  if (first === undefined) {
    world.stdout.write(WELCOME);
    return codeOf("done");
  }
  const streams: Context["process"] = { stdout: world.stdout, stderr: world.stderr };
  const context: Context = { process: streams, world, words: isCompletion ? rest : argv };
  const application = makeApplication(world.env);
  if (isCompletion) {
    world.stdout.write(await complete(application, context));
    return codeOf("done");
  }
  await run(application, respell(first, rest), context);
  return runCode(streams.exitCode);
}

/** The environment, with the colour flags as the colour variables that they override. */
function coloured(world: World, argv: readonly string[]): World {
  const end = argv.indexOf("--");
  const flags = end === -1 ? argv : argv.slice(0, end);
  const wanted = flags.findLast((flag) => flag === "--color" || flag === "--no-color");
  if (wanted === undefined) return world;
  const variables = wanted === "--color" ? { FORCE_COLOR: "1", NO_COLOR: "" } : { NO_COLOR: "1" };
  return { ...world, env: { ...world.env, ...variables } };
}

/** The command line with the usual ways to ask for help and the version replaced by those of remit. */
function respell(first: string, rest: readonly string[]): readonly string[] {
  if (first === "help") return [...rest, "--help"];
  if (VERSION_FLAGS.includes(first)) return ["version", ...rest];
  return [first, ...rest];
}

/** What `remit` without a command prints: the most important commands, and where the others are listed. */
const WELCOME = `remit keeps access-governance configuration in git.

  remit init       write a project to start from, on the embedded sandbox
  remit validate   check the manifests, offline
  remit plan       show what would change, and why
  remit apply      make it so

\`remit --help\` lists every command, \`remit COMMAND --help\` explains one.
`;

/** A command line without `-C DIR`, and the world as that folder sees it; or why that folder cannot be entered. */
type Moved = { readonly argv: readonly string[]; readonly world: World } | { readonly refusal: string };

/**
 * Runs the command as if it was started in the folder after `-C`, which may be before or after the command. No link of a checkout
 * leads there: a change could replace the folder by a link to another project of the repository.
 */
export async function enterFolder(argv: readonly string[], world: World): Promise<Moved> {
  const end = argv.indexOf("--");
  const at = argv.findIndex((word, place) => word === "-C" && (end === -1 || place < end));
  if (at === -1) return { argv, world };
  const folder = argv[at + 1];
  if (folder === undefined || folder === "") return refused(say("command/folder#missing"));
  const rest = [...argv.slice(0, at), ...argv.slice(at + 2)];
  try {
    const named = resolve(world.cwd, folder);
    const cwd = realpathSync(named);
    const link = cwd === named ? null : (await import("../cli/world/links.js")).linkOfCheckout(named);
    if (link !== null)
      return refused(
        say("command/folder#link", {
          folder,
          link: relative(world.cwd, link),
          to: relative(world.cwd, cwd) || ".",
        }),
      );
    if (!statSync(cwd).isDirectory()) return refused(say("command/folder#notFolder", { folder }));
    return enterFolder(rest, { ...world, cwd });
  } catch (error) {
    const reason = reasonOf(String((error as NodeJS.ErrnoException).code));
    return refused(say("command/folder#closed", { folder, reason }));
  }
}

function refused(why: Diagnostic & { readonly hint: string }): Moved {
  return { refusal: `${formatNotice(why)}\n` };
}
