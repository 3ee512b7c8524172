import type { Page } from "../../text/page.js";
import { labelOf } from "../labels.js";
import type { StepReport } from "../report.js";
import { SIGNS } from "../signs.js";

const WORD = Math.max(...Object.keys(SIGNS).map((action) => action.length));

/** What the first line of a step begins with: a sign and a word, as wide for each. */
export function markOf(step: StepReport, { paint }: Page): string {
  const { sign, role } = SIGNS[step.action];
  return `${paint(role, `${sign} ${labelOf(step).padEnd(WORD)}`)} `;
}

/** As much room as a mark takes. */
export const UNDER_MARK = " ".repeat(WORD + 3);
