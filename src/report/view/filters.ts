import { MOVEMENTS, type Movement, mostOf } from "../plan/byPeople.js";
import type { StepReport } from "../plan/report.js";
import { CAUSES } from "../plan/words/reasons.js";

/** What a page can be filtered and ordered by, besides the action; a member without a value is absent. */
export interface Filters {
  readonly kind: readonly string[];
  readonly cause: readonly string[];
  readonly label: readonly string[];
  readonly app: readonly string[];
  readonly people: readonly string[];
  /** The most people who lose access, and who gain it; 0 for none. */
  readonly loses: number;
  readonly gains: number;
}

const MOVES: Readonly<Record<Movement, string>> = {
  loses: "lose access",
  gains: "gain access",
  leaves: "leave a review",
  enters: "enter a review",
};

/** What the filters and the order of a page compare of a step, besides its action. */
export function filtersOf(step: StepReport): Filters {
  const { address, fields, isDrift, labels, app } = step;
  const causes = fields.flatMap(({ cause, edit }) => [
    cause === null ? "" : CAUSES[cause],
    edit === null ? "" : "this change",
  ]);
  return {
    kind: address.replace(/^\d+ × /, "").split("/", 1),
    cause: [...new Set([isDrift ? CAUSES.drifted : "", ...causes])].filter((cause) => cause !== ""),
    label: Object.entries(labels).map(([name, value]) => `${name}=${value}`),
    app: app === null ? [] : [app],
    people: MOVEMENTS.filter((name) => mostOf(step, name) > 0).map((name) => MOVES[name]),
    loses: mostOf(step, "loses"),
    gains: mostOf(step, "gains"),
  };
}
