/** What a plan says, in the order of reading: each form prints what it has of it in this order. */
const SECTIONS = [
  "verdict",
  /** What the plan is about. */
  "facts",
  "figures",
  /** What a reader must not miss: of people, and of anything else. */
  "counted",
  "loud",
  /** What each step means for people, where they are printed already. */
  "people",
  "spread",
  "reviews",
  "groups",
  /** What the change permits, and what stops it. */
  "before",
  "guards",
  "meant",
  "drifted",
  "earlier",
  "after",
  "legend",
  /** How it was counted, what was not seen, and the counts. */
  "about",
] as const;

/** A section of a plan. */
export type SectionName = (typeof SECTIONS)[number];

/**
 * What of a plan in a terminal is printed: its steps, without what they mean for people, as long as that is not counted;
 * or the rest, once it is.
 */
export type PlanPart = "whole" | "steps" | "rest";

/** What does not wait for people. A verdict does: who loses access, and what a guard says of that, may change it. */
const EARLY: ReadonlySet<SectionName> = new Set<SectionName>([
  "facts",
  "loud",
  "before",
  "meant",
  "drifted",
  "legend",
]);

/** The sections of a part of a plan. */
export function sectionsOf(part: PlanPart): readonly SectionName[] {
  if (part === "whole") return SECTIONS.filter((name) => name !== "people");
  return SECTIONS.filter((name) => EARLY.has(name) === (part === "steps"));
}
