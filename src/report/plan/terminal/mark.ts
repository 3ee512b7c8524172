import type { Page } from "../../text/page.js";
import { labelOf } from "../labels.js";
import type { StepReport } from "../report.js";
import { SIGNS } from "../signs.js";

const WORD = Math.max(...Object.keys(SIGNS).map((action) => action.length));

/** The start of a step's first line: a sign and a word, always equally wide. */
export function markOf(step: StepReport, { paint }: Page): string {
  const { sign, role } = SIGNS[step.action];
  return `${paint(role, `${sign} ${labelOf(step).padEnd(WORD)}`)} `;
}

/** Spaces as wide as a mark. */
export const UNDER_MARK = " ".repeat(WORD + 3);
