import { existsSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { findCheckout, isWithin, readSources } from "../../entry/documents.js";
import { type Checked, type Diagnostic, hasErrors } from "../../entry/values.js";
import type { World } from "../outside/world.js";
import { termFaults } from "./acknowledgementTerm.js";
import { settle } from "./config.js";
import { type ProjectFile, projectFileFrom } from "./projectFile.js";
import type { SettingFlags, Settings } from "./settings.js";

/** Where the project is, and its settings; paths in plans and reports are relative to `root`. */
export interface Project {
  readonly root: string;
  /** Whether there is a project file: only then the manifests that it names are a project. */
  readonly hasFile: boolean;
  readonly settings: Settings;
}

const NAMES = ["remit.yaml", "remit.yml"];

/**
 * Finds the project file here or in a folder above that is part of the checkout, and works out every setting.
 * A command that only looks may skip the check of the file, which takes time to load.
 */
export async function openProject(
  world: World,
  flags: SettingFlags,
  file: "checked" | "as it is" = "checked",
): Promise<Checked<Project>> {
  const { path, passed } = findProjectFile(world.cwd);
  const root = path === null ? world.cwd : dirname(path);
  const read = path === null ? { value: null, diagnostics: [] } : await readProjectFile(path, root, file);
  const { settings, badVariables } = settle(flags, world.env, read.value);
  const paths = insideOnly(root, settings);
  const variables = badVariables.map(
    ({ name, message }): Diagnostic => ({
      code: "config/variable",
      severity: "error",
      message,
      hint: `Correct ${name}, or remove it.`,
    }),
  );
  const today = new Date(world.clock.now()).toISOString().slice(0, 10);
  const { limits, acknowledgements } = settings;
  const terms =
    read.value === null || file !== "checked"
      ? []
      : termFaults(read.value, acknowledgements.value, { today, limits: limits.value });
  const diagnostics = [...read.diagnostics, ...variables, ...paths.diagnostics, ...terms, ...passed];
  return { value: { root, hasFile: path !== null, settings: paths.value }, diagnostics };
}

/** The settings without the paths that name a place outside the project. */
function insideOnly(root: string, settings: Settings): Checked<Settings> {
  const { manifests, sandbox } = settings;
  const isInside = (path: string) => isWithin(root, resolve(root, path));
  const { seed, faults } = sandbox.value;
  const outside = [
    ...manifests.value.filter((path) => !isInside(path)).map((path) => leadsOutside(path, manifests.from)),
    ...[seed, faults].flatMap((path) =>
      path === null || isInside(path) ? [] : [leadsOutside(path, sandbox.from)],
    ),
  ];
  if (outside.length === 0) return { value: settings, diagnostics: [] };
  const kept = {
    manifests: { ...manifests, value: manifests.value.filter(isInside) },
    sandbox: { ...sandbox, value: { ...sandbox.value, seed: null, faults: null } },
  };
  return { value: { ...settings, ...kept }, diagnostics: outside };
}

function leadsOutside(path: string, from: string): Diagnostic {
  return {
    code: "file/outside",
    severity: "error",
    message: `${path} (${from}) is outside the project, so remit does not read it`,
    hint: "Put it into the project's folder. A path outside it can only be given on the command line.",
  };
}

/** The paths of a command line, or the project's own where it has none; absolute. */
export function manifestPaths(
  world: World,
  { root, settings }: Project,
  paths: readonly string[],
): readonly string[] {
  if (paths.length > 0) return paths.map((path) => (path === "-" ? path : resolve(world.cwd, path)));
  return settings.manifests.value.map((path) => resolve(root, path));
}

/** The project file that is used, and why one in a folder above is not. */
interface Found {
  readonly path: string | null;
  readonly passed: readonly Diagnostic[];
}

function findProjectFile(from: string): Found {
  const own = projectFileIn(from);
  if (own !== null) return { path: own, passed: [] };
  const checkout = findCheckout(from)?.root ?? null;
  for (let folder = from; dirname(folder) !== folder && folder !== checkout; ) {
    folder = dirname(folder);
    const path = projectFileIn(folder);
    if (path === null) continue;
    if (checkout === null)
      return { path: null, passed: [notUsed(path, "is in no checkout with this folder")] };
    if (mayOthersWrite(folder) || mayOthersWrite(path))
      return { path: null, passed: [notUsed(path, "may be written by other users")] };
    return { path, passed: [] };
  }
  return { path: null, passed: [] };
}

function projectFileIn(folder: string): string | null {
  return NAMES.map((name) => join(folder, name)).find((path) => existsSync(path)) ?? null;
}

const OTHERS_MAY_WRITE = 0o002;

function mayOthersWrite(path: string): boolean {
  return (statSync(path).mode & OTHERS_MAY_WRITE) !== 0;
}

function notUsed(path: string, why: string): Diagnostic {
  return {
    code: "config/parent",
    severity: "warning",
    message: `remit does not use ${path}: it ${why}`,
    hint: `If it is yours, run remit in its folder: remit -C ${dirname(path)} …`,
  };
}

async function readProjectFile(
  path: string,
  root: string,
  file: "checked" | "as it is",
): Promise<Checked<ProjectFile | null>> {
  const sources = await readSources({ paths: [path], cwd: root });
  const [source] = sources.value;
  if (source === undefined) return { value: null, diagnostics: sources.diagnostics };
  const check = file === "checked" ? (await import("./configCheck.js")).checkConfig : () => [];
  const read = projectFileFrom(source, check);
  // A link of the project file's name may lead to a file that holds something else.
  const isItself = NAMES.includes(basename(realpathSync(path)));
  const found = isItself ? read.diagnostics : read.diagnostics.map(withoutExcerpt);
  const diagnostics = [...sources.diagnostics, ...found];
  return { value: hasErrors(diagnostics) ? null : read.value, diagnostics };
}

/** A diagnostic without the line it is about. */
export function withoutExcerpt({ excerpt: _, ...diagnostic }: Diagnostic): Diagnostic {
  return diagnostic;
}
