import { relative, sep } from "node:path";
import packageFile from "../../../../package.json" with { type: "json" };
import { toGithub, toJson, toSarif } from "../../../entry/diagnostics.js";
import { loadManifests } from "../../../entry/manifests.js";
import { type Diagnostic, hasErrors, strictly } from "../../../entry/values.js";
import type { Context } from "../../commandLine/context.js";
import { exit } from "../../commandLine/exit.js";
import { findingsFor } from "../../output/findings.js";
import type { World } from "../../outside/world.js";
import { manifestPaths, openProject } from "../../project/project.js";

type Format = "text" | "json" | "github" | "sarif";

/** The flags of `remit validate`. */
export interface ValidateFlags {
  readonly format: Format;
  readonly strict: boolean;
  readonly quiet: boolean;
  /** Heeded before the command begins. */
  readonly color?: boolean;
}

/** Checks manifests and prints what was found, on standard output in any format. */
export default async function validate(
  this: Context,
  { format, strict, quiet }: ValidateFlags,
  ...paths: readonly string[]
): Promise<void> {
  const { world } = this;
  const { value: project, diagnostics: faults } = await openProject(world, {});
  const { value, diagnostics: found } = await loadManifests({
    paths: manifestPaths(world, project, paths),
    cwd: project.root,
    stdin: () => world.stdin.bytes(),
    apps: project.settings.apps.value,
  });
  const all = [...faults, ...found];
  const diagnostics = strict ? strictly(all) : all;
  world.stdout.write(print(diagnostics, format, world, project.root));
  if (format === "text" && !quiet && diagnostics.length === 0)
    world.stdout.write(`${allValid(value.length)}\n`);
  if (hasErrors(diagnostics)) this.process.exitCode = exit.invalid;
}

function print(diagnostics: readonly Diagnostic[], format: Format, world: World, root: string): string {
  switch (format) {
    case "text":
      return findingsFor(world, world.stdout, diagnostics);
    case "json":
      return toJson(diagnostics);
    case "github":
      return toGithub(diagnostics, { folder: folderInCheckout(world, root) });
    case "sarif":
      return toSarif(diagnostics, { folder: folderInCheckout(world, root), version: packageFile.version });
    default:
      return format satisfies never;
  }
}

/** Where the project stands in the checkout; a runner of GitHub Actions says where that begins. */
function folderInCheckout({ env }: World, root: string): string {
  const path = relative(env.GITHUB_WORKSPACE || root, root);
  return path.startsWith("..") ? "" : path.split(sep).join("/");
}

function allValid(count: number): string {
  return count === 1 ? "the manifest is valid" : `all ${count} manifests are valid`;
}
