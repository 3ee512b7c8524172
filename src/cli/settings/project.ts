import { relative, resolve, sep } from "node:path";
import { type Contexts, contextsIn, dataFolderOf } from "../../manifest/contexts.js";
import { isWithin } from "../../manifest/files.js";
import type { ValuesFile } from "../../manifest/vocabulary.js";
import { type Checked, type Diagnostic, hasErrors } from "../../model/diagnostic.js";
import {
  type Environment,
  isEmptyVariable,
  isSetVariable,
  renameVariables,
  variablesOf,
} from "../../model/variables.js";
import type { SettingsInForce } from "../../plan/guards/rules.js";
import { shownAddress } from "../../state/stores.js";
import { say } from "../../words/say.js";
import { CREDENTIAL_VARIABLES } from "../credentials/service.js";
import type { World } from "../world/world.js";
import type { ContextTenant } from "./contextTenants.js";
import type { SettingFlags } from "./flags.js";
import { fileOfContext, type ProjectFile } from "./projectFile.js";
import { type ProjectOnDisk, readProject, type SettingsAsked } from "./projectOnDisk.js";
import type { Reviewed } from "./reviewedBranch.js";
import {
  type ContextNames,
  contextNamed,
  otherPlaces,
  type Selected,
  selectContext,
} from "./selectContext.js";
import {
  rowOf,
  type Setting,
  type SettingName,
  type Settings,
  type SettingValue,
  settingsOf,
} from "./table.js";
import { type Ruling, resolveSettings, settingsInForce } from "./whoDecides.js";
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
  /** The tenants of the contexts in the settings in force, in order. */
  readonly tenants: readonly ContextTenant[];
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
 * Which context a project is opened for: the one that the operator names, none, or a certain one of several. `beside` is one
 * whose tenant is asked beside that of another context.
 */
type ContextAsked = "named" | "none" | { readonly each: string } | { readonly beside: string };

/** How a context came to be the one of a run: alone, or as one of several that the run is about. */
type Chosen = "alone" | "among several";

/** Finds the project file, works out every setting, and which of them are in force. */
export async function openProject(
  world: World,
  flags: SettingFlags,
  need: SettingsAsked = "in force",
  asked: ContextAsked = "named",
): Promise<Checked<Project>> {
  const disk = await readProject(world, flags, need);
  return projectFor(disk, world, flags, asked);
}

/** A project as one context sees it; its files were read before. */
export function projectFor(
  disk: ProjectOnDisk,
  world: World,
  flags: SettingFlags,
  asked: ContextAsked,
): Checked<Project> {
  const { root, need, own: read, reviewed, pipeline, inForce, tenants } = disk;
  const chosen = disk.contexts === null ? NO_CONTEXT : chooseContext(disk.contexts, world, flags, asked);
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
  const isWhole = need === "in force" || need === "all";
  const isOneOfSeveral = typeof asked === "object";
  const isEach = isOneOfSeveral && "each" in asked;
  const tenant = current === null || isEach || !isWhole ? undefined : tenants.get(current);
  const ofContext = [
    ...disk.faults,
    ...(held?.as === "after merge" ? [] : chosen.diagnostics),
    ...emptyVariables(world.env, current),
    ...(tenant === undefined ? [] : otherPlaces(tenant, root, { flags, env: world.env })),
  ];
  const diagnostics = [
    ...read.diagnostics,
    ...(reviewed?.diagnostics ?? []),
    ...(pipeline === null || pipeline.fault === null ? [] : [pipeline.fault]),
    ...(need === "unchecked" ? [] : ofContext),
    ...[...own.badVariables, ...disk.badVariables].map((one) => say("config/variable#wrong", { ...one })),
    ...paths.diagnostics,
    ...(need === "unchecked" ? [] : terms),
    ...disk.passed,
  ];
  const names = read.value === null ? [] : contextsIn(read.value.value);
  const isAlone: Chosen = isOneOfSeveral && names.length > 1 ? "among several" : "alone";
  const value: Project = {
    root,
    hasFile: disk.hasFile,
    settings: paths.value,
    trust: ruling.trust,
    reviewedGuards: source?.settings.ownGuards.value ?? [],
    contexts: { names, current },
    tenants: [...tenants.values()],
    nameless: current === null ? null : disk.nameless,
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
  names: ContextNames,
  { env }: World,
  flags: SettingFlags,
  asked: ContextAsked,
): Checked<Selected> {
  if (asked === "none") return NO_CONTEXT;
  if (asked !== "named") return selectContext(names, "each" in asked ? asked.each : asked.beside);
  const { value: named, diagnostics } = contextNamed(env, flags);
  return hasErrors(diagnostics) ? { ...NO_CONTEXT, diagnostics } : selectContext(names, named);
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

/** The settings without the paths that name a place outside the project. */
function insideOnly(root: string, { settings, trust }: Ruling): Checked<Settings> {
  const { state } = settings;
  const isInside = (path: string) => isWithin(root, resolve(root, path));
  // A settings file that the operator names may name any place; one of a repository may not.
  const isNamedByFile =
    state.by === "working tree" || (state.by === "reviewed branch" && trust.from?.commit !== null);
  const isStateOutside = isNamedByFile && isPath(state.value) && !isInside(state.value);
  const isOdd = isNamedByFile && isPath(state.value) && !isStateOutside && !isPlaceOfState(root, state.value);
  const outside: Diagnostic[] = [];
  const named = { value: shownAddress(state.value), from: state.from };
  if (isStateOutside) outside.push(say("file/outside#stateOutside", named));
  else if (isOdd) outside.push(say("state/place", named));
  function withoutOutside<N extends SettingName>(name: N): Setting<SettingValue<N>> {
    const { paths } = rowOf(name);
    const setting = settings[name] as Setting<SettingValue<N>>;
    if (paths === undefined || setting.by === "default") return setting;
    const left = paths.of(setting.value).filter((path) => !isInside(path));
    outside.push(...left.map((path) => say("file/outside#leadsOutside", { path, from: setting.from })));
    return { ...setting, value: paths.without(setting.value, new Set(left)) };
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

/** The paths of a command line, or the project's own where it has none; absolute. */
export function manifestPaths(
  world: World,
  { root, settings }: Project,
  paths: readonly string[],
): readonly string[] {
  if (paths.length > 0) return paths.map((path) => (path === "-" ? path : resolve(world.cwd, path)));
  return settings.manifests.value.map((path) => resolve(root, path));
}

/** What the manifests of a project are read with, whichever they are. */
export function readingOf(project: Project) {
  const { root: cwd, settings, contexts } = project;
  const { apps, expansion } = settings;
  return { cwd, apps: apps.value, limits: expansion.value, values: valuesFilesOf(project), contexts };
}

/** The files with named values that the settings of a project name; absolute. */
export function valuesFilesOf({ root, settings }: Pick<Project, "root" | "settings">): readonly ValuesFile[] {
  return settings.values.value.map(({ path, place }) => ({ path: resolve(root, path), place }));
}

/**
 * The environment as a context sees it: its own variables by the names that every project uses. Where it has credentials
 * of its own, no others count, but an identity token that it lacks. Among several contexts, each has only its own.
 */
export function environmentOf(env: Environment, context: string | null, chosen: Chosen): Environment {
  if (context === null) return env;
  const set = variablesOf(context).filter(({ name }) => isSetVariable(env, name));
  const ofClient = set.filter(({ as }) => CREDENTIAL_VARIABLES.includes(as));
  const hidden = new Set<string>(ofClient.length > 0 || chosen !== "alone" ? CREDENTIAL_VARIABLES : []);
  if (chosen !== "alone") hidden.add("REMIT_STATE_KEY");
  const isIdentified = ofClient.some(({ as }) => as !== "REMIT_CLIENT_ID");
  if (chosen === "alone" && !isIdentified)
    for (const name of ["REMIT_OIDC_TOKEN", "REMIT_OIDC_TOKEN_FILE"] as const) hidden.delete(name);
  return renameVariables(env, hidden, set);
}

/** Variables of a context that are set, and empty. */
function emptyVariables(env: Environment, context: string | null): readonly Diagnostic[] {
  const empty = context === null ? [] : variablesOf(context).filter(({ name }) => isEmptyVariable(env, name));
  return empty.map(({ name }) => say("config/variable#emptyVariables", { name }));
}
