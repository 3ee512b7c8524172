import { byPeople } from "../plan/byPeople.js";
import type { PlanReport, StepReport } from "../plan/report.js";
import { lastLine } from "../plan/words/tally.js";
import { ofRank, type Statement } from "../statement.js";
import { type Bars, barsOf } from "./bars.js";
import { type Block, blocksOf } from "./blocks.js";
import { type Fact, factsOf } from "./facts.js";
import { besideFigures, type Figure, figuresOf } from "./figures.js";
import { type GuardsView, guardsView } from "./guards.js";
import { type ReviewChange, reviewsIn } from "./reviews.js";
import { driftOf, type PlanVerdict, verdictOfPlan } from "./verdict.js";

/** A plan for a reader, in the order of reading. Every form prints it, and computes nothing of the plan. */
export interface View {
  readonly verdict: PlanVerdict;
  /** The tenant, the commit, and what the project was compared with. */
  readonly facts: readonly Fact[];
  readonly effect: string;
  /** What a reader must not miss: all of it, and what no figure says. */
  readonly loud: readonly Statement[];
  readonly besideFigures: readonly Statement[];
  readonly figures: readonly Figure[];
  readonly spread: readonly Bars[];
  readonly reviews: readonly ReviewChange[];
  readonly before: readonly Statement[];
  readonly guards: GuardsView;
  readonly changes: ChangesView;
  readonly after: readonly Statement[];
  /** What else is said: what asks for something, and what is good to know. */
  readonly about: readonly Statement[];
  readonly blocked: number;
  /** Whether an apply would do anything. */
  readonly pending: boolean;
  readonly lastLine: string;
}

/** The steps of a plan, those that stand together as one. */
interface ChangesView {
  readonly all: readonly Block[];
  readonly meant: readonly Block[];
  /** What only reverts the tenant, and what stands above it. */
  readonly drifted: readonly Block[];
  readonly driftTitle: string;
  /** What was pending before the change that the plan is about. */
  readonly before: readonly Block[];
}

/**
 * What of a plan in a terminal is printed: its steps, without what they mean for people, as long as that is not counted;
 * or the rest, once it is.
 */
export type PlanPart = "whole" | "steps" | "rest";

/** The view of a plan. A comment shows deletes first, then by people; other forms by risk. */
export function viewOf(report: PlanReport, order: "risk" | "people" = "risk"): View {
  const { steps, statements, people, counts, pending, effect } = report;
  return {
    verdict: verdictOfPlan(report),
    facts: factsOf(report),
    effect,
    loud: ofRank(statements, "top"),
    besideFigures: besideFigures(report),
    figures: figuresOf(report),
    spread: barsOf(people?.spread ?? []),
    reviews: reviewsIn(steps),
    before: ofRank(statements, "before"),
    guards: guardsView(report),
    changes: changesOf(report, order === "risk" ? steps : orderedByPeople(steps)),
    after: ofRank(statements, "after"),
    about: ofRank(statements, "end", "detail"),
    blocked: counts.blocked,
    pending,
    lastLine: lastLine(report),
  };
}

function changesOf(report: PlanReport, steps: readonly StepReport[]): ChangesView {
  const all = blocksOf(steps);
  return {
    all,
    meant: all.filter(({ face }) => !face.isDrift),
    drifted: all.filter(({ face }) => face.isDrift),
    driftTitle: driftOf(report),
    before: blocksOf(report.since?.pending ?? []),
  };
}

function orderedByPeople(steps: readonly StepReport[]): readonly StepReport[] {
  const isDelete = ({ action }: StepReport) => Number(action === "delete");
  return steps.toSorted(
    (one, other) => isDelete(other) - isDelete(one) || byPeople(one, other) || other.risk - one.risk,
  );
}

/** How much a plan needs a reader: an open guard or a blocked step first, then what changes something. */
export function attentionOf({ guards, blocked, pending }: View): number {
  return guards.open > 0 || blocked > 0 ? 2 : Number(pending);
}
