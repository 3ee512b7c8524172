import type { Evaluate } from "../../impact/evaluate.js";

/** How people are counted. */
export interface Counting {
  /** Which rules are asked about: those that the plan changes, or all that it is about. */
  readonly about: "changes" | "all rules";
  /** The most calls that counting may make. */
  readonly calls: number;
  /** Whether the plan names people: names are personal data. */
  readonly names: boolean;
  readonly evaluate: Evaluate;
  /** The start of today: `now()` of a rule. */
  readonly today: Date;
}
