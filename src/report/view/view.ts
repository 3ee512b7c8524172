import { byPeople } from "../plan/byPeople.js";
import type { PlanReport, StepReport } from "../plan/report.js";
import { lastLine } from "../plan/words/tally.js";
import { ofRank, type Statement } from "../statement.js";
import { type Bars, barsOf } from "./bars.js";
import { type Block, blocksOf, groupsIn, type Rows } from "./blocks.js";
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
  readonly figures: readonly Figure[];
  /** What a reader must not miss, and no figure says: of people, and of anything else. */
  readonly counted: readonly Statement[];
  readonly loud: readonly Statement[];
  /** The steps that are printed already, where it was counted later what they mean for people. */
  readonly people: readonly StepView[];
  readonly spread: readonly Bars[];
  readonly reviews: readonly ReviewChange[];
  /** What has parts that change together. */
  readonly groups: readonly Rows[];
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

/**
 * The view of a plan, or of a part of it. A comment shows deletes first, then by people; other forms by risk. What not every
 * form and every part prints is made when it is asked for.
 */
export function viewOf(
  report: PlanReport,
  order: "risk" | "people" = "risk",
  part: PlanPart = "whole",
): View {
  const { steps, statements, people, counts, pending, effect, findings } = report;
  const [before, after] = [ofRank(statements, "before"), ofRank(statements, "after")];
  const isRest = part === "rest";
  const changes = changesOf(report, isRest ? [] : order === "risk" ? steps : orderedByPeople(steps));
  return {
    sections: sectionsOf(part),
    get verdict() {
      return verdictOfPlan(report);
    },
    facts: factsOf(report),
    effect,
    get figures() {
      return figuresOf(report);
    },
    ...besideFigures(report),
    people: isRest ? steps.filter((step) => step.people !== null).map(stepView) : [],
    get spread() {
      return barsOf(people?.spread ?? []);
    },
    get reviews() {
      return reviewsIn(steps);
    },
    get groups() {
      return groupsIn([...changes.meant, ...changes.drifted]);
    },
    before,
    get guards() {
      return guardsView(report);
    },
    changes,
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
