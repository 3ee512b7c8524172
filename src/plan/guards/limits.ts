/** How much a plan may do without an acknowledgement. */
export interface Limits {
  readonly maxDeletes: number;
  /** Objects that remit stops managing because of a decision. */
  readonly maxForgets: number;
  /** Writes in all; null for no limit. */
  readonly maxChanges: number | null;
  /** Of the objects that are there, how many in a hundred may be changed or deleted. */
  readonly maxChangesPercent: number;
  /** So few changes never trip the percentage, and so few people no limit in people. */
  readonly changesFloor: number;
  /** The most people who may lose access by one plan; null for no limit. */
  readonly maxLosing: number | null;
  /** The most people who may gain access by one plan; null for no limit. */
  readonly maxGaining: number | null;
  /** Whether people who may newly hold both sides of a conflict need an acknowledgement, or only those who do for certain. */
  readonly conflict: "certain" | "strict";
  /** Whether the first write to an object that cannot be read needs an acknowledgement, where `interface: core` is set. */
  readonly firstWrite: "ask" | "allow";
  /** For how many days from today an acknowledgement in the project file may hold. */
  readonly acknowledgeDays: number;
}

/** The limits of a project that sets none. */
export const DEFAULT_LIMITS: Limits = {
  maxDeletes: 5,
  maxForgets: 5,
  maxChanges: null,
  maxChangesPercent: 50,
  changesFloor: 10,
  maxLosing: null,
  maxGaining: null,
  conflict: "certain",
  firstWrite: "ask",
  acknowledgeDays: 90,
};
