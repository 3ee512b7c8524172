import { type Checked, type Diagnostic, formatLine, lineAt } from "../../model/diagnostic.js";
import { isObject, type Json, same } from "../../model/json.js";
import { type Environment, isEmptyVariable, type OpenName, readVariable } from "../../model/variables.js";
import type { Term } from "../../plan/guards/acknowledge.js";
import { NO_OWN_GUARDS, type SettingsInForce } from "../../plan/guards/rules.js";
import type { LoosenedDefault, SettingDifference, SettingPlace } from "../../plan/guards/settings.js";
import { say } from "../../words/say.js";
import type { SettingFlags } from "./flags.js";
import { type ProjectFile, type SettingPath, writtenIn } from "./projectFile.js";
import { members, part, type SettingPart } from "./row.js";
import {
  rowOf,
  SETTING_NAMES,
  type Setting,
  type SettingName,
  type Settings,
  type SettingValue,
  settingsOf,
} from "./table.js";

/** What a reader must know first: what the working tree cannot decide, then what it does, then what it may tighten. */
const IN_ORDER = (["fixed", "intent", "limit"] as const).flatMap((decider) =>
  SETTING_NAMES.filter((name) => rowOf(name).decides.is === decider),
);

/**
 * Decides between the settings of the reviewed branch and those of the working tree. Nothing that comes out permits more
 * than the reviewed branch does, but intent.
 */
export function decide(reviewed: Settings, tree: Settings, today: string): Settings {
  const term = termOf(reviewed, today);
  return settingsOf((name) => choose(name, reviewed, tree, term));
}

/** Where the settings of the working tree differ from those of the reviewed branch. `placeOf` finds a line of the tree's file. */
export function differencesBetween(
  reviewed: Settings,
  tree: Settings,
  placeOf: (path: SettingPath) => SettingPlace | null,
): readonly SettingDifference[] {
  return IN_ORDER.flatMap((name) => differencesOf(name, reviewed, tree, placeOf));
}

/** The day, and for how long an entry may hold by these settings. */
function termOf({ limits }: Settings, today: string): Term {
  return { today, limits: limits.value };
}

/** The settings that permit more than their defaults do. What has expired permits nothing. */
export function loosenedIn(settings: Settings, today: string): readonly LoosenedDefault[] {
  const term = termOf(settings, today);
  return IN_ORDER.flatMap((name) => loosenedBy(name, settings, "holding", term));
}

/** The entries of a project file that have ended, and so permit nothing. */
export function endedIn(settings: Settings, today: string): readonly LoosenedDefault[] {
  const term = termOf(settings, today);
  return IN_ORDER.flatMap((name) => loosenedBy(name, settings, "ended", term));
}

function choose<N extends SettingName>(
  name: N,
  reviewed: Settings,
  tree: Settings,
  term: Term,
): Setting<SettingValue<N>> {
  const { decides } = rowOf(name);
  const [inForce, own] = [reviewed[name], tree[name]] as const;
  if (decides.is === "intent") return own;
  if (decides.is === "fixed") return inForce;
  return { ...inForce, value: decides.tighter(inForce.value, own.value, term) };
}

function differencesOf<N extends SettingName>(
  name: N,
  reviewed: Settings,
  tree: Settings,
  placeOf: (path: SettingPath) => SettingPlace | null,
): readonly SettingDifference[] {
  const { decides } = rowOf(name);
  const before = byName(partsOf(name, reviewed[name].value));
  const after = byName(partsOf(name, tree[name].value));
  return [...new Set([...before.keys(), ...after.keys()])]
    .sort()
    .flatMap((part): readonly SettingDifference[] => {
      const [inForce, own] = [before.get(part), after.get(part)];
      if (same(inForce?.value, own?.value)) return [];
      return [
        {
          setting: part,
          effect:
            decides.is === "limit"
              ? effectOf(decides.isWithin(own?.value, inForce?.value, part))
              : EFFECTS[decides.is],
          inForce: inForce?.shown ?? null,
          workingTree: own?.shown ?? null,
          place: own === undefined ? null : placeOf(own.path),
        },
      ];
    });
}

const EFFECTS = { intent: "intent", fixed: "loosens" } as const;

function effectOf(isTighter: boolean): SettingDifference["effect"] {
  return isTighter ? "tightens" : "loosens";
}

/** What a setting permits beyond its default; nothing where no one set it. Of a list with last days, these entries alone. */
function loosenedBy<N extends SettingName>(
  name: N,
  settings: Settings,
  which: "holding" | "ended",
  term: Term,
): readonly LoosenedDefault[] {
  const { value: set, from: source, by } = settings[name];
  const { decides, entries, fallback } = rowOf(name);
  if (by === "default" || decides.is === "fixed") return [];
  if (entries === undefined && which === "ended") return [];
  const looked = entries === undefined ? set : entries[which](set, term);
  const standard = byName(partsOf(name, fallback));
  return partsOf(name, looked).flatMap(({ name: part, value, shown, span }): readonly LoosenedDefault[] => {
    const usual = standard.get(part);
    const isLoose =
      decides.is === "intent" ? decides.loosens(value) : !decides.isWithin(value, usual?.value, part);
    const from = span === null ? source : formatLine(lineAt(span));
    return isLoose ? [{ setting: part, value: shown, standard: usual?.shown ?? null, from }] : [];
  });
}

function partsOf<N extends SettingName>(name: N, value: SettingValue<N>): readonly SettingPart[] {
  const { name: called = name, parts, printed } = rowOf(name);
  if (parts !== undefined) return parts(value);
  return isObject(value) ? members(called, value) : [part(called, value as Json, printed?.(value))];
}

/** The parts by their names; of several with one name, all values. */
function byName(parts: readonly SettingPart[]): ReadonlyMap<string, SettingPart> {
  const found = new Map<string, SettingPart>();
  for (const one of parts) {
    const before = found.get(one.name);
    const value = before === undefined ? one.value : [before.value, one.value].flat();
    found.set(one.name, before === undefined ? one : { ...before, value, shown: value });
  }
  return found;
}

/** A project file and the settings that follow from it, the flags and the environment. */
interface SettingsSource {
  /** Null where there is none, or where it could not be read. */
  readonly file: ProjectFile | null;
  readonly settings: Settings;
}

/** The settings that count in a run. */
export interface Ruling {
  readonly settings: Settings;
  readonly trust: SettingsInForce;
}

/**
 * The settings in force: the working tree's own, or those of the reviewed branch where one is named. Reports what is
 * wrong with the acknowledgements of both; one of the reviewed branch with a fault does not hold.
 */
export function settingsInForce(
  own: SettingsSource,
  reviewed: (SettingsSource & { readonly from: SettingsInForce["from"] }) | null,
  today: string,
): Checked<Ruling> {
  const settings = reviewed === null ? own.settings : decide(reviewed.settings, own.settings, today);
  const differences =
    reviewed === null
      ? []
      : differencesBetween(written(reviewed), written(own), (path) => placeIn(own.file, path));
  const proposal = {
    limits: own.settings.limits.value,
    acknowledgements: own.settings.acknowledgements.value,
    own: [],
  };
  const ended = endedIn(settings, today);
  const trust: SettingsInForce = {
    from: reviewed?.from ?? null,
    differences,
    loosened: loosenedIn(settings, today),
    ...(ended.length === 0 ? {} : { ended }),
    proposal: reviewed === null ? null : proposal,
    own: NO_OWN_GUARDS,
  };
  const term = termOf(settings, today);
  const faults = (source: SettingsSource, as: "error" | "note") => [
    ...unread(source, as),
    ...SETTING_NAMES.flatMap((name) => entryFaults(name, source, term, as)),
  ];
  return {
    value: { settings, trust },
    diagnostics: [...faults(own, "error"), ...(reviewed === null ? [] : faults(reviewed, "note"))],
  };
}

/** What a project file alone says: a flag or a variable does not hide what a change proposes. */
function written({ file }: SettingsSource): Settings {
  return resolveSettings({}, {}, file).settings;
}

function placeIn(file: ProjectFile | null, path: SettingPath) {
  const place = file === null ? null : writtenIn(file, path);
  return lineAt(place?.span);
}

/** The values of the project file that no setting of their key can have: the defaults hold. */
function unread({ file, settings }: SettingsSource, as: "error" | "note"): readonly Diagnostic[] {
  const isOfFile = (name: SettingName) => !["operator", "default"].includes(settings[name].by);
  return Object.entries(file?.value ?? {}).flatMap(([at, written]) => {
    const names = SETTING_NAMES.filter((name) => keyOf(name) === at);
    const [first] = names;
    // A value in force was read before.
    const isRead = names.some((name) => isOfFile(name) || rowOf(name).read(written, file) !== undefined);
    if (first === undefined || isRead) return [];
    const what = rowOf(first).noun ?? "in the right form";
    return [say("config/value", { name: at, what }, { severity: as, ...(file && writtenIn(file, [at])) })];
  });
}

/** The key of the project file that a setting is read from. */
function keyOf(name: SettingName): string {
  const { name: shown = name, at = shown } = rowOf(name);
  return at;
}

/** The entries of a setting that do not hold, each at its line; all are notes where `as` says so. */
function entryFaults<N extends SettingName>(
  name: N,
  { file, settings }: SettingsSource,
  term: Term,
  as: "error" | "note",
): readonly Diagnostic[] {
  const { entries } = rowOf(name);
  const { value, by } = settings[name];
  if (file === null || entries === undefined || by === "default") return [];
  return entries.faults(value, term).map(({ path, severity, ...why }) => ({
    ...why,
    severity: as === "note" ? as : severity,
    ...writtenIn(file, path),
  }));
}

/** A variable whose value has the wrong form. */
export interface BadVariable {
  readonly name: string;
  readonly message: string;
}

/** Where the value of a setting may come from. */
interface SettingSources {
  readonly flags: SettingFlags;
  readonly env: Environment;
  readonly file: ProjectFile | null;
  readonly tree: "reviewed branch" | "working tree";
}

/** A whole run's settings: a flag before a variable before the project file before the default. */
export function resolveSettings(
  flags: SettingFlags,
  env: Environment,
  file: ProjectFile | null,
  tree: SettingSources["tree"] = "working tree",
): { readonly settings: Settings; readonly badVariables: readonly BadVariable[] } {
  const badVariables: BadVariable[] = [];
  const settings = settingsOf((name) => {
    const { value, bad } = resolveSetting(name, { flags, env, file, tree });
    badVariables.push(...bad);
    return value;
  });
  return { settings, badVariables };
}

function resolveSetting<N extends SettingName>(
  name: N,
  { flags, env, file, tree }: SettingSources,
): { readonly value: Setting<SettingValue<N>>; readonly bad: readonly BadVariable[] } {
  const { flag, variables = [], read, noun, fallback } = rowOf(name);
  const variable = variables.find((one) => readVariable(env, one.name) !== undefined) ?? variables[0];
  const bad = variables.filter((one) => one !== variable).flatMap((one) => emptyIn(env, one));
  const given = flag === undefined ? undefined : flags[flag];
  if (given !== undefined)
    return { value: { value: read(given, file) ?? fallback, from: `--${flag}`, by: "operator" }, bad };
  if (variable !== undefined) {
    bad.push(...emptyIn(env, variable));
    const text = readVariable(env, variable.name);
    const value = text === undefined ? undefined : (variable.read ?? read)(text, file);
    if (value !== undefined) return { value: { value, from: variable.name, by: "operator" }, bad };
    if (text !== undefined) {
      const message = `${variable.name} is not ${noun ?? "in the right form"}`;
      bad.push({ name: variable.name, message });
    }
  }
  const at = keyOf(name);
  const written = file?.value[at];
  const value = written === undefined ? undefined : read(written, file);
  if (file !== null && value !== undefined) {
    const from = `${file.name}:${file.placeOf([at]).span.start.line}`;
    return { value: { value, from, by: tree }, bad };
  }
  return { value: { value: fallback, from: "default", by: "default" }, bad };
}

function emptyIn(env: Environment, { name }: { readonly name: OpenName }): readonly BadVariable[] {
  return isEmptyVariable(env, name) ? [{ name, message: `${name} is set, but empty` }] : [];
}
