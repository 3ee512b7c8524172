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
import { type PlanPart, type SectionName, sectionsOf } from "./sections.js";
import { type StepView, stepView } from "./step.js";
import { driftOf, type PlanVerdict, verdictOfPlan } from "./verdict.js";

/** A plan for a reader. Every form prints its sections in their order, and computes nothing of the plan. */
export interface View {
  readonly sections: readonly SectionName[];
  readonly verdict: PlanVerdict;
  /** The tenant, the commit, and what the project was compared with. */
  readonly facts: readonly Fact[];
  readonly effect: string;
  /** What a reader must not miss: all of it, and what no figure says. */
  readonly loud: readonly Statement[];
  readonly besideFigures: readonly Statement[];
  readonly figures: readonly Figure[];
  /** The steps that are printed already, where it was counted later what they mean for people. */
  readonly people: readonly StepView[];
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
  /** Whether the last line says all: no step, no finding and nothing around them. */
  readonly isQuiet: boolean;
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
  readonly earlier: readonly Block[];
}

/** The view of a plan, or of a part of it. A comment shows deletes first, then by people; other forms by risk. */
export function viewOf(
  report: PlanReport,
  order: "risk" | "people" = "risk",
  part: PlanPart = "whole",
): View {
  const { steps, statements, people, counts, pending, effect, findings } = report;
  const [before, after] = [ofRank(statements, "before"), ofRank(statements, "after")];
  const isRest = part === "rest";
  return {
    sections: sectionsOf(part),
    verdict: verdictOfPlan(report),
    facts: factsOf(report),
    effect,
    loud: ofRank(statements, "top"),
    besideFigures: besideFigures(report),
    figures: figuresOf(report),
    people: isRest ? steps.filter((step) => step.people !== null).map(stepView) : [],
    spread: barsOf(people?.spread ?? []),
    reviews: reviewsIn(steps),
    before,
    guards: guardsView(report),
    changes: changesOf(report, isRest ? [] : order === "risk" ? steps : orderedByPeople(steps)),
    after,
    about: ofRank(statements, "end", "detail"),
    blocked: counts.blocked,
    pending,
    isQuiet: [steps, findings, before, after].every((list) => list.length === 0),
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
    earlier: blocksOf(report.since?.pending ?? []),
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
