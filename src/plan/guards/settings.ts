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

/** How much a plan may do without an acknowledgement, where a project sets nothing. */
export const DEFAULT_LIMITS = {
  maxDeletes: 5,
  /** Objects that remit stops managing because of a decision. */
  maxForgets: 5,
  /** Writes in all; null for no limit. */
  maxChanges: null as number | null,
  /** Of the objects that are there, how many in a hundred may be changed or deleted. */
  maxChangesPercent: 50,
  /** So few changes never trip the percentage, and so few people no limit in people. */
  changesFloor: 10,
  /** The most people who may lose access by one plan; null for no limit. */
  maxLosing: null as number | null,
  /** The most people who may gain access by one plan; null for no limit. */
  maxGaining: null as number | null,
  /** Whether people who may newly hold both sides of a conflict need an acknowledgement, or only those who do for certain. */
  conflict: "certain" as "certain" | "strict",
  /** Whether the first write to an object that cannot be read needs an acknowledgement, where `interface: core` is set. */
  firstWrite: "ask" as "ask" | "allow",
  /** For how many days from today an acknowledgement in the project file may hold. */
  acknowledgeDays: 90,
};

/** The limits that are in force. */
export type Limits = Readonly<typeof DEFAULT_LIMITS>;
