import type { StepReport } from "../../plan/report.js";
import { labelOf } from "../../plan/words/labels.js";
import { SIGNS } from "../../plan/words/signs.js";
import type { Page } from "../../text/page.js";

const WORD = Math.max(...Object.keys(SIGNS).map((action) => action.length));

/** The start of a step's first line: a sign and a word, always equally wide. */
export function markOf(step: StepReport, { paint }: Page): string {
  const { sign, role } = SIGNS[step.action];
  return `${paint(role, `${sign} ${labelOf(step).padEnd(WORD)}`)} `;
}

/** Spaces as wide as a mark. */
export const UNDER_MARK = " ".repeat(WORD + 3);
