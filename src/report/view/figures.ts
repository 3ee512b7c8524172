import type { OpenRange } from "../../plan/plan.js";
import type { PlanReport, StepReport } from "../plan/report.js";
import { grouped } from "../plan/words/people.js";
import { lastLine } from "../plan/words/tally.js";
import { ofRank, type Statement, sentencesOf } from "../statement.js";
import { signed } from "./bars.js";

/** One of the figures that a reader sees first. */
export interface Figure {
  readonly of: "People" | "Reviews" | "Objects";
  /** What is added and what is taken, each `+102–109`, or a word. */
  readonly more: string;
  readonly fewer: string;
  /** What is counted, where that is not what the figure is of. */
  readonly unit: string;
  /** What it says in sentences. */
  readonly sentences: readonly string[];
}

/** The codes of the statements that stand below a figure. */
const BELOW = { People: "people/access", Reviews: "people/reviews" } as const;

/** What a plan means for people, for reviews and for objects. */
export function figuresOf(report: PlanReport): readonly Figure[] {
  const { counts, people, steps, statements } = report;
  const said = (of: keyof typeof BELOW) =>
    statements
      .filter(({ code }) => code === BELOW[of])
      .flatMap((one) => sentencesOf(one))
      .map((sentence) => withoutTitle(sentence, of));
  const access = people?.totals.access;
  const isAboutReviews = (people?.totals.reviews.scopes ?? 0) > 0;
  return [
    {
      of: "People",
      more: access === undefined ? "none" : figureOf("+", access.gains),
      fewer: access === undefined ? "" : figureOf("−", access.loses),
      unit: "",
      sentences: said("People"),
    },
    {
      of: "Reviews",
      more: isAboutReviews ? figureOf("+", grantsIn(steps, "added")) : "none",
      fewer: isAboutReviews ? figureOf("−", grantsIn(steps, "removed")) : "",
      unit: isAboutReviews ? "grants" : "",
      sentences: said("Reviews"),
    },
    {
      of: "Objects",
      more: `+${counts.create} ~${counts.update + counts.replace}`,
      fewer: `−${counts.delete}`,
      unit: "",
      sentences: [withoutTitle(lastLine(report), "Plan")],
    },
  ];
}

/** A sentence below a title that it need not say again. */
function withoutTitle(sentence: string, title: string): string {
  return sentence.startsWith(`${title}: `) ? sentence.slice(title.length + 2) : sentence;
}

/** What figures say, as sentences that stand alone: of objects, the last line of the plan does. */
export function saidOf(figures: readonly Figure[]): readonly string[] {
  return figures.flatMap(({ of, sentences }) =>
    of === "Objects" ? [] : sentences.map((text) => `${of}: ${text}`),
  );
}

/** The statements of the head that no figure says: of people, and of anything else. */
export function besideFigures({
  statements,
}: Pick<PlanReport, "statements">): Readonly<Record<"counted" | "loud", readonly Statement[]>> {
  const below = new Set<string>(Object.values(BELOW));
  const beside = ofRank(statements, "top").filter(({ code }) => !below.has(code));
  const isOfPeople = ({ code }: Statement) => code.startsWith("people/");
  return { counted: beside.filter(isOfPeople), loud: beside.filter((one) => !isOfPeople(one)) };
}

/** A number that is added or taken, which may have no highest. */
export function figureOf(sign: string, { low, high }: OpenRange): string {
  if (high === null) return low === 0 ? `${sign}?` : `${sign}${grouped(low)} or more`;
  return signed(sign, { low, high });
}

/** The grants that reviews ask about for the first time, or no longer; without a highest where some were not counted. */
export function grantsIn(steps: readonly StepReport[], side: "added" | "removed"): OpenRange {
  const counts = steps.flatMap(({ people }) => (people?.review?.[side] ?? []).map(({ grants }) => grants));
  const low = counts.reduce<number>((total, grants) => total + (grants ?? 0), 0);
  return { low, high: counts.includes(null) ? null : low };
}
