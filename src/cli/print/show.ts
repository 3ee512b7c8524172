import { dirname, relative, resolve, sep } from "node:path";
import packageFile from "../../../package.json" with { type: "json" };
import type { Diagnostic } from "../../model/diagnostic.js";
import { readVariable } from "../../model/variables.js";
import type { Form, FormOptions } from "../../report/forms/table.js";
import { plain } from "../../report/text/paint.js";
import type { PlanPart } from "../../report/view/sections.js";
import type { outputFlags } from "../run/flags.js";
import { findProjectFile } from "../settings/findProjectFile.js";
import type { FlagsOf } from "../settings/flags.js";
import { readUserFile, writeUserFile } from "../world/userFile.js";
import type { World } from "../world/world.js";
import { tryToWrite } from "../world/write.js";
import { paintFor } from "./diagnostics.js";
import { addStepSummary } from "./stepSummary.js";

/** The flags of every command that prints a result. */
export type OutputFlags = FlagsOf<typeof outputFlags>;

/** The columns of a text that is written to a file. */
const PAGE = 100;

/** Gives a result in one format. */
type Render = (format: Form, options: FormOptions, reader: "terminal" | "others") => Promise<string>;

/** A result that is ready to be printed. */
export interface Printable {
  readonly render: Render;
  /** Whether its text has signs, which are explained to a reader who sees them for the first time. Read only for a terminal. */
  readonly hasSigns: boolean;
  /** The exit code of the run; null where it is not known, and without a run. */
  readonly exitCode: number | null;
}

/** Where a result goes: `output` is standard output, `files` are the reports and the summary of the job. */
type Destination = "output" | "files" | "output and files";

/** Prints a result on standard output, and writes it to each file a `--report` names; gives the errors. */
export async function show(
  world: World,
  flags: OutputFlags,
  { render, hasSigns, exitCode }: Printable,
  to: Destination = "output and files",
  part: PlanPart = "whole",
): Promise<readonly Diagnostic[]> {
  const [isPrinted, isWritten] = [to !== "files", to !== "output"];
  const isText = flags.format === "text" && isPrinted && world.stdout.isTerminal;
  const legend = isText && part !== "rest" && hasSigns && (await isLegendNew(world));
  const options: FormOptions = {
    columns: world.stdout.columns,
    paint: paintFor(world, world.stdout),
    legend,
    part: isText ? part : "whole",
    verbose: flags.verbose,
    maxBytes: flags.maxBytes ?? null,
    linkBase: flags.linkBase ?? null,
    folder: folderInWorkspace(world),
    packed: null,
    version: packageFile.version,
    exitCode,
  };
  if (isPrinted) world.stdout.write(await render(flags.format, options, isText ? "terminal" : "others"));
  if (legend) await rememberLegend(world);
  if (!isWritten) return [];
  const forFiles: FormOptions = { ...options, columns: PAGE, paint: plain, legend: false, part: "whole" };
  const diagnostics: Diagnostic[] = [];
  for (const { format, file } of flags.report ?? []) {
    const text = await render(format, forFiles, "others");
    const path = resolve(world.cwd, file);
    diagnostics.push(...(await tryToWrite(world, { path, shown: file, text, access: "private when new" })));
  }
  await addStepSummary(world, (maxBytes) => render("markdown", { ...forFiles, maxBytes }, "others"));
  return diagnostics;
}

const FILE = "shown.json";

/** Whether this user has not seen yet what the signs of a plan mean. */
async function isLegendNew(world: World): Promise<boolean> {
  const shown = await readUserFile(world, world.cwd, FILE);
  return shown.legend !== true;
}

/** Remembers outside the project that the user has seen it. */
async function rememberLegend(world: World): Promise<void> {
  const shown = await readUserFile(world, world.cwd, FILE);
  await writeUserFile(world, world.cwd, FILE, { ...shown, legend: true });
}

/**
 * The project's folder from the root of the checkout, with `/`; a pipeline of GitHub or GitLab names that root. Empty where
 * it is the root, or where no pipeline says so.
 */
function folderInWorkspace({ env, cwd }: World): string {
  const root = readVariable(env, "GITHUB_WORKSPACE") ?? readVariable(env, "CI_PROJECT_DIR");
  if (root === undefined) return "";
  const { path } = findProjectFile(cwd);
  const folder = relative(root, path === null ? cwd : dirname(path));
  return folder.startsWith("..") ? "" : folder.split(sep).join("/");
}
