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

/** A whole run's settings: a flag before a variable before the project file before the default. */
export function resolveSettings(
  flags: SettingFlags,
  env: Environment,
  file: ProjectFile | null,
  tree: "reviewed branch" | "working tree" = "working tree",
): { readonly settings: Settings; readonly badVariables: readonly BadVariable[] } {
  const badVariables: BadVariable[] = [];

  function settingOf<N extends SettingName>(name: N): Setting<SettingValue<N>> {
    const { name: shown = name, at = shown, flag, variables = [], read, noun, fallback } = rowOf(name);
    const variable = variables.find((one) => readVariable(env, one.name) !== undefined) ?? variables[0];
    badVariables.push(...variables.filter((one) => one !== variable).flatMap((one) => emptyIn(env, one)));
    const given = flag === undefined ? undefined : flags[flag];
    if (given !== undefined)
      return { value: read(given, file) ?? fallback, from: `--${flag}`, by: "operator" };
    if (variable !== undefined) {
      badVariables.push(...emptyIn(env, variable));
      const text = readVariable(env, variable.name);
      const value = text === undefined ? undefined : (variable.read ?? read)(text, file);
      if (value !== undefined) return { value, from: variable.name, by: "operator" };
      if (text !== undefined) {
        const message = `${variable.name} is not ${noun ?? "in the right form"}`;
        badVariables.push({ name: variable.name, message });
      }
    }
    const written = file?.value[at];
    const value = written === undefined ? undefined : read(written, file);
    if (file !== null && value !== undefined)
      return { value, from: `${file.name}:${file.placeOf([at]).span.start.line}`, by: tree };
    return { value: fallback, from: "default", by: "default" };
  }

  const settings = settingsOf(settingOf);
  return { settings, badVariables };
}

function emptyIn(env: Environment, { name }: { readonly name: OpenName }): readonly BadVariable[] {
  return isEmptyVariable(env, name) ? [{ name, message: `${name} is set, but empty` }] : [];
}
