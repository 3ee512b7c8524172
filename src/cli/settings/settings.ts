import type { NamedBy } from "../credentials/give.js";
import { SETTING_NAMES, type SettingName, type SettingValue } from "./table.js";

/** A value and where it came from: a flag, a variable, a line of a project file, or the default. */
export interface Setting<T> {
  readonly value: T;
  readonly from: string;
  readonly by: SetBy;
}

/** Who set a value: the operator by a flag or a variable, the project file of one of the two trees, or no one. */
type SetBy = "operator" | "reviewed branch" | "working tree" | "default";

/** All settings of a run, each with the place where it was set. */
export type Settings = { readonly [N in SettingName]: Setting<SettingValue<N>> };

/** Settings that are made one by one. */
export function settingsOf(make: <N extends SettingName>(name: N) => Setting<SettingValue<N>>): Settings {
  return Object.fromEntries(SETTING_NAMES.map((name) => [name, make(name)])) as unknown as Settings;
}

/** Whether a setting was named by the operator or the reviewed branch, and not by the working tree alone. */
export function namerOf({ by }: Setting<unknown>): NamedBy {
  return by === "working tree" ? "working tree" : "operator";
}
