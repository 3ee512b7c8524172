import { resolve } from "node:path";
import { render } from "../../../entry/formats.js";
import { loadManifests } from "../../../entry/manifests.js";
import { strictly } from "../../../entry/values.js";
import { checkedCode } from "../../exitCode.js";
import { forReader, printDiagnostics } from "../../print/diagnostics.js";
import { type OutputFlags, show } from "../../print/show.js";
import type { Context } from "../../run/context.js";
import { manifestPaths, openProject } from "../../settings/project.js";

/** The flags of `remit validate`. */
export interface ValidateFlags extends OutputFlags {
  readonly strict: boolean;
  readonly settingsFrom?: string;
}

/** Checks manifests and prints the diagnostics on standard output, in any format. */
export default async function validate(
  this: Context,
  flags: ValidateFlags,
  ...paths: readonly string[]
): Promise<void> {
  const { world } = this;
  const { format, strict, quiet, verbose } = flags;
  const { value: project, diagnostics: ofProject } = await openProject(world, flags);
  const { value, diagnostics: ofManifests } = await loadManifests({
    paths: manifestPaths(world, project, paths),
    cwd: project.root,
    stdin: () => world.stdin.bytes(),
    apps: project.settings.apps.value,
    values: project.settings.values.value.map((path) => resolve(project.root, path)),
  });
  const all = [...ofProject, ...ofManifests];
  const diagnostics = forReader(strict ? strictly(all) : all, verbose);
  const { isTerminal } = world.stdout;
  const unwritten = await show(world, flags, {
    hasSigns: false,
    // A program that reads lines finds each diagnostic on one of its own.
    render: (form, { columns, ...options }) =>
      render(form, "diagnostics", diagnostics, { ...options, columns: isTerminal ? columns : Infinity }),
  });
  printDiagnostics(world, world.stderr, unwritten);
  if (format === "text" && !quiet && diagnostics.length === 0)
    world.stdout.write(`${allValid(value.length)}\n`);
  this.process.exitCode = checkedCode(diagnostics, unwritten);
}

function allValid(count: number): string {
  return count === 1 ? "the manifest is valid" : `all ${count} manifests are valid`;
}
