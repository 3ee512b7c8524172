import { relative, sep } from "node:path";
import packageFile from "../../../../package.json" with { type: "json" };
import { type FormOf, type FormOptions, render } from "../../../entry/formats.js";
import { loadManifests } from "../../../entry/manifests.js";
import { hasErrors, readVariable, strictly } from "../../../entry/values.js";
import type { Context } from "../../commandLine/context.js";
import { exit } from "../../commandLine/exit.js";
import { forReader, paintFor } from "../../output/diagnostics.js";
import type { World } from "../../outside/world.js";
import { manifestPaths, openProject } from "../../project/project.js";

/** The flags of `remit validate`. */
export interface ValidateFlags {
  readonly format: FormOf<"diagnostics">;
  readonly strict: boolean;
  readonly quiet: boolean;
  /** Whether the reader wants to know what was left out. */
  readonly verbose: boolean;
  readonly settingsFrom?: string;
  /** Read before the command starts. */
  readonly color?: boolean;
}

/** Checks manifests and prints the diagnostics on standard output, in any format. */
export default async function validate(
  this: Context,
  { format, strict, quiet, verbose, ...flags }: ValidateFlags,
  ...paths: readonly string[]
): Promise<void> {
  const { world } = this;
  const { value: project, diagnostics: ofProject } = await openProject(world, flags);
  const { value, diagnostics: ofManifests } = await loadManifests({
    paths: manifestPaths(world, project, paths),
    cwd: project.root,
    stdin: () => world.stdin.bytes(),
    apps: project.settings.apps.value,
  });
  const all = [...ofProject, ...ofManifests];
  const diagnostics = forReader(strict ? strictly(all) : all, verbose);
  world.stdout.write(await render(format, "diagnostics", diagnostics, optionsFor(world, project.root)));
  if (format === "text" && !quiet && diagnostics.length === 0)
    world.stdout.write(`${allValid(value.length)}\n`);
  if (hasErrors(diagnostics)) this.process.exitCode = exit.invalid;
}

function optionsFor(world: World, root: string): FormOptions {
  const { stdout } = world;
  return {
    columns: stdout.isTerminal ? stdout.columns : Number.POSITIVE_INFINITY,
    paint: paintFor(world, stdout),
    legend: false,
    verbose: false,
    maxBytes: null,
    linkBase: null,
    folder: folderInCheckout(world, root),
    version: packageFile.version,
  };
}

/** The project's folder in the checkout; a runner of GitHub Actions names the checkout's root. */
function folderInCheckout({ env }: World, root: string): string {
  const path = relative(readVariable(env, "GITHUB_WORKSPACE") ?? root, root);
  return path.startsWith("..") ? "" : path.split(sep).join("/");
}

function allValid(count: number): string {
  return count === 1 ? "the manifest is valid" : `all ${count} manifests are valid`;
}
