import { realpathSync } from "node:fs";
import { basename, dirname } from "node:path";
import { contextsIn, PROJECT_FILES } from "../../manifest/contexts.js";
import { readSources } from "../../manifest/files.js";
import { type Checked, type Diagnostic, hasErrors } from "../../model/diagnostic.js";
import { isEmptyVariable, readVariable, variablesOf } from "../../model/variables.js";
import { say } from "../../words/say.js";
import type { World } from "../world/world.js";
import { type ContextTenant, type ContextTenants, settingsWithout, tenantsOf } from "./contextTenants.js";
import { findProjectFile } from "./findProjectFile.js";
import type { SettingFlags } from "./flags.js";
import type { PipelineSettings } from "./pipelineSettings.js";
import { type ProjectFile, projectFileFrom, writtenIn } from "./projectFile.js";
import type { Reviewed } from "./reviewedBranch.js";
import type { ContextNames } from "./selectContext.js";
import type { Settings } from "./table.js";
import type { BadVariable } from "./whoDecides.js";

/**
 * How much of the settings a command needs. `in force`: all of them, in a pipeline of a pull request those of its base. `all`: the
 * working tree's. `intent`: those of intent. `unchecked`: a first look without a check.
 */
export type SettingsAsked = "in force" | "all" | "intent" | "unchecked";

/** What a run reads of its project, whichever context it then looks at. */
export interface ProjectOnDisk {
  readonly root: string;
  readonly hasFile: boolean;
  readonly need: SettingsAsked;
  /** The working tree's own file. */
  readonly own: Checked<ProjectFile | null>;
  /** Null where no other settings are named, or none were asked for. */
  readonly reviewed: Checked<Reviewed | null> | null;
  readonly pipeline: PipelineSettings | null;
  /** The file whose settings are in force. */
  readonly inForce: ProjectFile | null;
  /** Null where a file cannot be read, so that no context can be chosen. */
  readonly contexts: ContextNames | null;
  readonly tenants: ContextTenants;
  /** The settings of the project as it was without contexts, where its state may be beside those of the contexts. */
  readonly nameless: Settings | null;
  /** What is wrong with the contexts beside each other. */
  readonly faults: readonly Diagnostic[];
  readonly badVariables: readonly BadVariable[];
  readonly passed: readonly Diagnostic[];
}

const NAME = /^[a-z0-9-]{1,40}$/;

/** Names that mean something else: every context, and the folder of the schemas for editors. */
const TAKEN = ["all", "schemas"];

/** Which context was the first to have a state, a server or a variable. */
interface Seen {
  readonly states: Map<string, string>;
  readonly servers: Map<string, string>;
  readonly variables: Map<string, string>;
}

/** Reads the project file and the one whose settings are in force, and judges their contexts beside each other. */
export async function readProject(
  world: World,
  flags: SettingFlags,
  need: SettingsAsked,
): Promise<ProjectOnDisk> {
  const { path, passed } = findProjectFile(world.cwd);
  const root = path === null ? world.cwd : dirname(path);
  const check = need === "unchecked" ? () => [] : (await import("./configCheck.js")).checkConfig;
  const own = path === null ? { value: null, diagnostics: [] } : await readProjectFile(path, root, check);
  const named = settingsNamed(world, flags);
  const isWhole = need === "in force" || need === "all";
  const pipeline =
    need === "in force" && named.value === null
      ? await (await import("./pipelineSettings.js")).pipelineSettings(world)
      : null;
  const from = named.value ?? pipeline?.from ?? null;
  const reviewed =
    !isWhole || from === null
      ? null
      : await (await import("./reviewedBranch.js")).readSettingsFrom(world, root, from, check);
  const inForce = reviewed?.value == null ? own.value : reviewed.value.file;
  // Where only the working tree's file cannot be read, the failed run still belongs to a context of the settings in force.
  const isUnread = hasErrors(reviewed === null ? own.diagnostics : reviewed.diagnostics);
  const readable = hasErrors(own.diagnostics) ? inForce : own.value;
  const tenants = tenantsOf(inForce, root);
  return {
    root,
    hasFile: path !== null,
    need,
    own,
    reviewed,
    pipeline,
    inForce,
    contexts: isUnread
      ? null
      : { own: readable === null ? [] : contextsIn(readable.value), inForce: [...tenants.keys()] },
    tenants,
    nameless: settingsWithout(inForce, root, tenants),
    faults: need === "unchecked" ? [] : faultsIn(root, { own: own.value, inForce, tenants }),
    badVariables: named.badVariables,
    passed,
  };
}

/** What is wrong with the contexts of both files. */
function faultsIn(
  root: string,
  files: {
    readonly own: ProjectFile | null;
    readonly inForce: ProjectFile | null;
    readonly tenants: ContextTenants;
  },
): readonly Diagnostic[] {
  const { own, inForce, tenants } = files;
  const ofReviewed = contextFaults(inForce, tenants);
  return own === inForce ? ofReviewed : [...contextFaults(own, tenantsOf(own, root)), ...ofReviewed];
}

function settingsNamed({ env }: World, { settingsFrom }: SettingFlags) {
  const name = "REMIT_SETTINGS_FROM";
  const isEmpty = settingsFrom === undefined && isEmptyVariable(env, name);
  return {
    value: settingsFrom ?? readVariable(env, name) ?? null,
    badVariables: isEmpty ? [{ name, message: `${name} is set, but empty` }] : [],
  };
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

/** What is wrong with the contexts of a project file: with one alone, and with one beside an earlier one. */
export function contextFaults(file: ProjectFile | null, tenants: ContextTenants): readonly Diagnostic[] {
  if (file === null) return [];
  const badNames = [...tenants.keys()].filter((name) => !NAME.test(name) || TAKEN.includes(name));
  if (badNames.length > 0)
    return badNames.map((name) =>
      say(
        TAKEN.includes(name) ? "context/invalid#taken" : "context/invalid#name",
        { name },
        placeOf(file, name),
      ),
    );
  const seen: Seen = { states: new Map(), servers: new Map(), variables: new Map() };
  return [...tenants.values()].flatMap((tenant) => besideOthers(file, tenant, seen));
}

/** A context has the state, the server or a variable of an earlier one; each earlier one is named once. */
function besideOthers(
  file: ProjectFile,
  { context: name, is }: ContextTenant,
  { states, servers, variables }: Seen,
): readonly Diagnostic[] {
  const faults = new Map<string, Diagnostic>();
  const compare = (
    key: `context/invalid#${"state" | "server" | "variable"}`,
    seen: Map<string, string>,
    what: string,
  ): void => {
    const first = firstWith(seen, what, name);
    if (first === name || faults.has(first)) return;
    const span = writtenIn(file, ["contexts", first])?.span;
    const related = span === undefined ? [] : [{ message: `the context ${first} is here`, span }];
    const place = { ...placeOf(file, name), related };
    faults.set(first, say(key, { first, name, what }, place));
  };
  compare("context/invalid#state", states, is.state);
  if (is.server !== null) compare("context/invalid#server", servers, is.server);
  for (const variable of variablesOf(name)) compare("context/invalid#variable", variables, variable.name);
  return [...faults.values()];
}

/** The context that was the first to have something; this one where none before it had. */
function firstWith(seen: Map<string, string>, what: string, name: string): string {
  const first = seen.get(what) ?? name;
  seen.set(what, first);
  return first;
}

function placeOf(file: ProjectFile, name: string) {
  return { ...writtenIn(file, ["contexts", name]) };
}
