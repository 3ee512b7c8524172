import { existsSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { tameLine } from "../../../entry/messages.js";
import { type Imported, importObjects } from "../../../entry/session.js";
import { type Diagnostic, hasErrors } from "../../../entry/values.js";
import type { Context } from "../../commandLine/context.js";
import { exit, stopped } from "../../commandLine/exit.js";
import { printDiagnostics } from "../../output/diagnostics.js";
import { showReading } from "../../output/reading.js";
import type { World } from "../../outside/world.js";
import { tryToWrite } from "../../outside/write.js";
import { manifestPaths } from "../../project/project.js";
import type { SettingFlags } from "../../project/settings.js";
import { requestFrom } from "../../session/planning.js";
import { type Run, sessionOf, withRun } from "../../session/run.js";
import { completenessLines, completenessWith } from "../state/completeness.js";
import { choiceFrom, type ImportChoiceFlags } from "./choice.js";
import { type Placement, placementOf } from "./placement.js";
import { countsOf, leftOutLines } from "./summary.js";

/** The flags of `remit import`. */
export interface ImportFlags extends SettingFlags, ImportChoiceFlags {
  readonly out?: string;
  readonly dryRun: boolean;
  readonly quiet: boolean;
  readonly verbose: boolean;
  /** Read before the command starts. */
  readonly color?: boolean;
}

/** An import plans all that it wrote, and decides nothing else. */
const PLANNING = { prune: false, impact: "off", people: false, strict: false } as const;

/** Writes manifests for what the tenant has and no manifest describes. */
export default async function importCommand(
  this: Context,
  flags: ImportFlags,
  ...texts: readonly string[]
): Promise<void> {
  const { world } = this;
  const choice = choiceFrom(flags, texts);
  if (choice.diagnostics.length > 0) {
    printDiagnostics(world, world.stderr, choice.diagnostics);
    this.process.exitCode = exit.error;
    return;
  }
  this.process.exitCode = await withRun(world, { command: "import", flags, tenant: true }, async (run) => {
    const placement = placementOf(world, run.project, flags.out);
    if ("code" in placement) {
      printDiagnostics(world, world.stderr, [placement]);
      return exit.error;
    }
    const mode = { offline: false, refreshOnly: false };
    const { value: request } = await requestFrom(run, { ...flags, ...PLANNING }, mode, []);
    if (request === null) return exit.error;
    const project = [...new Set([...manifestPaths(world, run.project, []), placement.folder])].filter(
      existsSync,
    );
    const { progress, end } = showReading(world, flags);
    const { folder: _, file: __, ...names } = placement;
    const order = {
      request: { ...request, manifests: { ...request.manifests, project, paths: [] } },
      choice: choice.value,
      ...names,
      progress,
    };
    const { value, diagnostics } = await importObjects(order, sessionOf(run)).finally(end);
    printDiagnostics(world, world.stderr, diagnostics, flags.verbose);
    if (value === null) return stopped(diagnostics);
    return finish(run, flags, placement, value, diagnostics);
  });
}

/** Prints or writes the manifests, and says what has none. */
async function finish(
  run: Run,
  flags: ImportFlags,
  placement: Placement,
  imported: Imported,
  diagnostics: readonly Diagnostic[],
): Promise<number> {
  const { world, project } = run;
  const { manifests } = imported;
  // Where nothing was found and a list is missing, the errors say it all.
  if (manifests.length === 0 && imported.leftOut.length === 0 && hasErrors(diagnostics))
    return stopped(diagnostics);
  const unwritten = flags.dryRun ? print(world, imported) : await write(run, flags, placement, imported);
  printDiagnostics(world, world.stderr, unwritten);
  const folder = shownFrom(project.root, placement.folder);
  const done = flags.dryRun ? "can be written" : "written";
  const lines = [
    manifests.length === 0
      ? "No new manifest: remit found nothing else in the tenant that it can write."
      : `${manifests.length} ${manifests.length === 1 ? "manifest" : "manifests"} ${done} to ${folder}/: ${countsOf(manifests)}.`,
    ...(manifests.length === 0 || flags.dryRun
      ? []
      : [
          "The new manifests change nothing in the tenant. `remit apply` records the objects in the state, without a call.",
        ]),
    ...leftOutLines(imported),
  ];
  if (unwritten.length === 0) world.stderr.write(lines.map((line) => `${line}\n`).join(""));
  const looked = completenessWith(project.settings.interface.value).filter(({ kind }) =>
    imported.kinds.includes(kind),
  );
  world.stderr.write(completenessLines(world, looked));
  if (unwritten.length > 0) return exit.error;
  const isPartial = imported.leftOut.some(({ because }) => because === "unread" || because === "unwritable");
  return isPartial || hasErrors(diagnostics) ? exit.partial : exit.done;
}

/** All manifests as one stream, so that `remit validate -` can read it. */
function print({ stdout }: World, { manifests }: Imported): readonly Diagnostic[] {
  stdout.write(manifests.map(({ text }) => text).join("---\n"));
  return [];
}

/** Writes each manifest as a whole file of its own; stops at the first that cannot be written. */
async function write(
  { world, project }: Run,
  { quiet }: ImportFlags,
  { folder, file }: Placement,
  { manifests }: Imported,
): Promise<readonly Diagnostic[]> {
  const place = { ...world, cwd: project.root };
  for (const { kind, name, text } of manifests) {
    const path = join(folder, file(kind, name));
    const shown = shownFrom(project.root, path);
    const failures = existsSync(path)
      ? [isTaken(shown)]
      : await tryToWrite(place, { path, shown, text, access: "open" });
    if (failures.length > 0) return failures;
    if (!quiet) world.stdout.write(`${tameLine(shown)}\n`);
  }
  return [];
}

function shownFrom(root: string, path: string): string {
  const shown = relative(root, resolve(path)).replaceAll("\\", "/");
  return shown === "" ? "." : shown;
}

function isTaken(path: string): Diagnostic {
  return {
    code: "command/already-there",
    severity: "error",
    message: `${path} already exists, so it was not changed`,
    hint: "Import again: remit chooses another name.",
  };
}
