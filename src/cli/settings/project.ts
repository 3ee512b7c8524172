import { realpathSync } from "node:fs";
import { basename, dirname, relative, resolve, sep } from "node:path";
import { type Contexts, contextsIn, dataFolderOf } from "../../manifest/contexts.js";
import { isWithin, readSources } from "../../manifest/files.js";
import { PROJECT_FILES } from "../../manifest/git/decidingFiles.js";
import type { ValuesFile } from "../../manifest/vocabulary.js";
import { type Checked, type Diagnostic, hasErrors } from "../../model/diagnostic.js";
import { type Environment, isEmptyVariable, readVariable } from "../../model/variables.js";
import type { SettingsInForce } from "../../plan/guards/rules.js";
import type { World } from "../world/world.js";
import { contextFaults, settingsWithout } from "./contextFaults.js";
import { type Chosen, emptyVariables, environmentOf } from "./contextVariables.js";
import { findProjectFile } from "./findProjectFile.js";
import type { SettingFlags } from "./flags.js";
import { type Ruling, settingsInForce } from "./inForce.js";
import { type BadVariable, resolveSettings } from "./precedence.js";
import { fileOfContext, type ProjectFile, projectFileFrom } from "./projectFile.js";
import { type Reviewed, readSettingsFrom } from "./reviewedBranch.js";
import { contextNamed, otherPlaces, type Selected, selectContext } from "./selectContext.js";
import { type Setting, type Settings, settingsOf } from "./settings.js";
import { rowOf, type SettingName, type SettingValue } from "./table.js";
import { afterMerge, type Withheld } from "./withheld.js";

/** Where the project is, and its settings; paths in plans and reports are relative to `root`. */
export interface Project {
  readonly root: string;
  /** Whether there is a project file: only then the manifests that it names are a project. */
  readonly hasFile: boolean;
  /** Those in force. */
  readonly settings: Settings;
  /** Where they come from, and what the working tree's own settings say otherwise. */
  readonly trust: SettingsInForce;
  /** The files with guards that the reviewed branch's settings name; none where the working tree's own are in force. */
  readonly reviewedGuards: readonly string[];
  /** The contexts of the working tree, and the one that the run is about. */
  readonly contexts: Contexts;
  /** The names of the contexts in the settings in force. */
  readonly inForce: readonly string[];
  /** The settings of the project as it was without contexts, where its state may be beside the context's. */
  readonly nameless: Settings | null;
  /** Whether the settings in force have that context, and the working tree no longer does. */
  readonly isDeparted: boolean;
  /** What the pipeline of this run does not do; null where nothing keeps it from it. */
  readonly held: Withheld | null;
  /** Where remit keeps its data in the project. */
  readonly dataFolder: string;
  /** The environment as the context sees it: with its own credentials by their usual names. */
  readonly env: Environment;
}

/**
 * How much of the settings a command needs. `in force`: all of them, in a pipeline of a pull request those of its base. `all`: the
 * working tree's. `intent`: those of intent. `unchecked`: a first look without a check.
 */
export type SettingsAsked = "in force" | "all" | "intent" | "unchecked";

/** Which context a project is opened for: the one that the operator names, none, or a certain one of several. */
export type ContextAsked =
  | { readonly as: "named" }
  | { readonly as: "none" }
  | { readonly as: "each"; readonly name: string };

const NAMED: ContextAsked = { as: "named" };

/** Finds the project file, works out every setting, and which of them are in force. */
export async function openProject(
  world: World,
  flags: SettingFlags,
  need: SettingsAsked = "in force",
  asked: ContextAsked = NAMED,
): Promise<Checked<Project>> {
  const { path, passed } = findProjectFile(world.cwd);
  const root = path === null ? world.cwd : dirname(path);
  const check = need === "unchecked" ? () => [] : (await import("./configCheck.js")).checkConfig;
  const read = path === null ? { value: null, diagnostics: [] } : await readProjectFile(path, root, check);
  const named = settingsNamed(world, flags);
  const isWhole = need === "in force" || need === "all";
  const pipeline =
    need === "in force" && named.value === null
      ? await (await import("./pipelineSettings.js")).pipelineSettings(world)
      : null;
  const from = named.value ?? pipeline?.from ?? null;
  const reviewed = !isWhole || from === null ? null : await readSettingsFrom(world, root, from, check);
  const isReviewed = reviewed !== null && reviewed.value !== null;
  const inForce = isReviewed ? reviewed.value.file : read.value;
  // Where only the working tree's file cannot be read, the failed run still belongs to a context of the settings in force.
  const isUnread = hasErrors(reviewed === null ? read.diagnostics : reviewed.diagnostics);
  const readable = hasErrors(read.diagnostics) ? inForce : read.value;
  const chosen = isUnread ? NO_CONTEXT : chooseContext({ own: readable, inForce }, world, flags, asked);
  const { current, isDeparted } = chosen.value;
  const held = pipeline?.held ?? (pipeline?.from == null ? null : heldContext(chosen.diagnostics));
  const seen = (file: ProjectFile | null) =>
    file === null || current === null ? file : fileOfContext(file, current);
  const ownFile = seen(isDeparted ? inForce : read.value);
  const own = resolveSettings(flags, world.env, ownFile);
  const today = new Date(world.clock.now()).toISOString().slice(0, 10);
  const source = reviewed === null ? null : sourceOf(reviewed.value, seen, flags, world);
  const { value: ruling, diagnostics: terms } = settingsInForce(
    { file: ownFile, settings: own.settings },
    source,
    today,
  );
  const paths = insideOnly(root, ruling);
  const about = { flags, env: world.env };
  const ofContext = [
    ...contextFaults(read.value, root),
    ...(isReviewed ? contextFaults(inForce, root) : []),
    ...(held?.as === "after merge" ? [] : chosen.diagnostics),
    ...emptyVariables(world.env, current),
    ...(inForce === null || current === null || asked.as === "each" || !isWhole
      ? []
      : otherPlaces(inForce, current, root, about)),
  ];
  const diagnostics = [
    ...read.diagnostics,
    ...(reviewed?.diagnostics ?? []),
    ...(pipeline === null || pipeline.fault === null ? [] : [pipeline.fault]),
    ...(need === "unchecked" ? [] : ofContext),
    ...[...own.badVariables, ...named.badVariables].map(badVariable),
    ...paths.diagnostics,
    ...(need === "unchecked" ? [] : terms),
    ...passed,
  ];
  const names = contextsIn(read.value?.value ?? {});
  const isAlone: Chosen = asked.as === "each" && names.length > 1 ? "among several" : "alone";
  const value: Project = {
    root,
    hasFile: path !== null,
    settings: paths.value,
    trust: ruling.trust,
    reviewedGuards: source?.settings.ownGuards.value ?? [],
    contexts: { names, current },
    inForce: contextsIn(inForce?.value ?? {}),
    nameless: inForce === null || current === null ? null : settingsWithout(inForce, root),
    isDeparted,
    held,
    dataFolder: dataFolderOf(current),
    env: environmentOf(world.env, current, isAlone),
  };
  return { value, diagnostics };
}

/** A context that only the change has is planned once it is merged. */
function heldContext(diagnostics: readonly Diagnostic[]): Withheld | null {
  const proposed = diagnostics.find(({ code }) => code === "context/proposed");
  return proposed === undefined ? null : afterMerge(proposed.message);
}

const NO_CONTEXT: Checked<Selected> = { value: { current: null, isDeparted: false }, diagnostics: [] };

function chooseContext(
  files: Parameters<typeof selectContext>[0],
  { env }: World,
  flags: SettingFlags,
  asked: ContextAsked,
): Checked<Selected> {
  if (asked.as === "none") return NO_CONTEXT;
  if (asked.as === "each") return selectContext(files, asked.name);
  const { value: named, diagnostics } = contextNamed(env, flags);
  return hasErrors(diagnostics) ? { ...NO_CONTEXT, diagnostics } : selectContext(files, named);
}

function settingsNamed({ env }: World, { settingsFrom }: SettingFlags) {
  const name = "REMIT_SETTINGS_FROM";
  const isEmpty = settingsFrom === undefined && isEmptyVariable(env, name);
  return {
    value: settingsFrom ?? readVariable(env, name) ?? null,
    badVariables: isEmpty ? [{ name, message: `${name} is set, but empty` }] : [],
  };
}

/** The settings of the reviewed branch; the defaults where it could not be read. */
function sourceOf(
  reviewed: Reviewed | null,
  seen: (file: ProjectFile | null) => ProjectFile | null,
  flags: SettingFlags,
  { env }: World,
) {
  const file = seen(reviewed?.file ?? null);
  return {
    file,
    settings: resolveSettings(flags, env, file, "reviewed branch").settings,
    from: reviewed === null ? null : { named: reviewed.named, commit: reviewed.commit },
  };
}

function badVariable({ name, message }: BadVariable): Diagnostic {
  return { code: "config/variable", severity: "error", message, hint: `Correct ${name}, or remove it.` };
}

/** The settings without the paths that name a place outside the project. */
function insideOnly(root: string, { settings, trust }: Ruling): Checked<Settings> {
  const { state } = settings;
  const isInside = (path: string) => isWithin(root, resolve(root, path));
  // A settings file that the operator names may name any place; one of a repository may not.
  const isNamedByFile =
    state.by === "working tree" || (state.by === "reviewed branch" && trust.from?.commit !== null);
  const isStateOutside = isNamedByFile && isPath(state.value) && !isInside(state.value);
  const isOdd = isNamedByFile && isPath(state.value) && !isStateOutside && !isPlaceOfState(root, state.value);
  const outside: Diagnostic[] = isStateOutside ? [stateOutside(state)] : isOdd ? [notForStates(state)] : [];
  function withoutOutside<N extends SettingName>(name: N): Setting<SettingValue<N>> {
    const { paths } = rowOf(name);
    const setting = settings[name] as Setting<SettingValue<N>>;
    const left = paths?.of(setting.value).filter((path) => !isInside(path)) ?? [];
    outside.push(...left.map((path) => leadsOutside(path, setting.from)));
    return paths === undefined ? setting : { ...setting, value: paths.without(setting.value, new Set(left)) };
  }
  const value = settingsOf(withoutOutside);
  return { value, diagnostics: outside };
}

/** Whether an address of a state is a path, and not that of a store. */
function isPath(address: string): boolean {
  return !/^[a-z][a-z0-9+.-]+:/i.test(address);
}

/**
 * Whether other programs leave a path of the project alone: a file of `.remit`, or one whose name ends with state.json, in no
 * hidden folder and in no package. What a tool runs or reads as its configuration has none of these names.
 */
function isPlaceOfState(root: string, path: string): boolean {
  const [file = "", ...above] = relative(root, resolve(root, path)).split(sep).reverse();
  const folders = above.reverse();
  const isOwn = folders[0] === ".remit";
  const rest = isOwn ? folders.slice(1) : folders;
  const isHidden = [...rest, file].some((name) => name.startsWith(".") || name === "node_modules");
  return !isHidden && (isOwn ? file.endsWith(".json") : /(?:^|[-_.])state\.json$/.test(file));
}

function notForStates({ value, from }: Settings["state"]): Diagnostic {
  return {
    code: "state/place",
    severity: "error",
    message: `the state ${value} (${from}) is at a place that another program may run or read as its configuration`,
    hint: "Name a .json file in .remit, such as .remit/prod.json, or one whose name ends with state.json. Give any other path in REMIT_STATE or --state.",
  };
}

function stateOutside({ value, from }: Settings["state"]): Diagnostic {
  return {
    code: "file/outside",
    severity: "error",
    message: `the state ${value} (${from}) is outside the project, so remit does not use it`,
    hint: "Name a path inside the project, or the address of a store. Give a path outside it in REMIT_STATE or --state.",
  };
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

/** The files with named values that the settings of a project name; absolute. */
export function valuesFilesOf({ root, settings }: Pick<Project, "root" | "settings">): readonly ValuesFile[] {
  return settings.values.value.map(({ path, place }) => ({ path: resolve(root, path), place }));
}

async function readProjectFile(
  path: string,
  root: string,
  check: Parameters<typeof projectFileFrom>[1],
): Promise<Checked<ProjectFile | null>> {
  const sources = await readSources({ paths: [path], cwd: root });
  const [source] = sources.value;
  if (source === undefined) return { value: null, diagnostics: sources.diagnostics };
  const read = projectFileFrom(source, check);
  // A link of the project file's name may lead to a file that holds something else.
  const isItself = PROJECT_FILES.includes(basename(realpathSync(path)));
  const found = isItself ? read.diagnostics : read.diagnostics.map(withoutExcerpt);
  const diagnostics = [...sources.diagnostics, ...found];
  return { value: hasErrors(diagnostics) ? null : read.value, diagnostics };
}

/** A diagnostic without the line it is about. */
export function withoutExcerpt({ excerpt: _, ...diagnostic }: Diagnostic): Diagnostic {
  return diagnostic;
}
