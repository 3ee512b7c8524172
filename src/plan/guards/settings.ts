import type { Json } from "../../model/json.js";

/** A line of a project file. */
export interface SettingPlace {
  readonly file: string;
  readonly line: number;
}

/** A setting that the working tree's project file has with another value than the settings in force. */
export interface SettingDifference {
  /** Its name, as in the project file: `guards.maxDeletes`, `removed.EntitlementAutomation/all-staff`. */
  readonly setting: string;
  /**
   * `intent` and `tightens`: the working tree's value is part of this plan. `loosens`: it is only proposed, and in force
   * once it is merged.
   */
  readonly effect: "intent" | "tightens" | "loosens";
  /** Null where it is not set. */
  readonly inForce: Json;
  readonly workingTree: Json;
  /** Null where the working tree does not write it. */
  readonly place: SettingPlace | null;
}

/** A setting in force that permits more than its default does. */
export interface LoosenedDefault {
  readonly setting: string;
  readonly value: Json;
  readonly standard: Json;
  /** Where it was set: a flag, a variable, or a line of a project file. */
  readonly from: string;
}

/** What a plan says of the settings that it was made with. */
export interface PlanSettings {
  /** What `--settings-from` named, and its commit; null where the working tree's own settings are in force. */
  readonly from: { readonly named: string; readonly commit: string | null } | null;
  readonly differences: readonly SettingDifference[];
  readonly loosened: readonly LoosenedDefault[];
  /** Entries under `acknowledge:` and `ignore:` that have ended, and so permit nothing; absent where none has. */
  readonly ended?: readonly LoosenedDefault[];
}
