import { type Environment, isEmptyVariable, type OpenName, readVariable } from "../../model/variables.js";
import type { SettingFlags } from "./flags.js";
import type { ProjectFile } from "./projectFile.js";
import { type Setting, type Settings, settingsOf } from "./settings.js";
import { rowOf, type SettingName, type SettingValue } from "./table.js";

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
  const { name: shown = name, at = shown, flag, variables = [], read, noun, fallback } = rowOf(name);
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
