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
