import type { GuardInput } from "../../../impact/guard/input.js";
import type { Diagnostic } from "../../../model/diagnostic.js";
import type { Finding } from "../../plan.js";
import type { PeopleMoves } from "./input.js";

/** What guards that a team wrote find in a plan: findings, and what they only say. Neither changes a step. */
export interface OwnFindings {
  readonly findings: readonly Finding[];
  readonly notes: readonly Diagnostic[];
}

/** What was learned beside a plan: who gains and loses by each step, and who holds what. Null where people were not counted. */
export interface GuardFacts {
  readonly moves: PeopleMoves | null;
  readonly holds: GuardInput["holds"];
}

/** Of people nothing was read. */
export const NO_GUARD_FACTS: GuardFacts = {
  moves: null,
  holds: () => ({ unknown: "people were not counted" }),
};
