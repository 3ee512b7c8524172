import type { Page } from "../../text/page.js";
import { SIGNS } from "../../view/signs.js";
import type { StepView } from "../../view/step.js";

const WORD = Math.max(...Object.keys(SIGNS).map((action) => action.length));

/** The start of a step's first line: a sign and a word, always equally wide. */
export function markOf({ action, label }: StepView, { paint }: Page): string {
  const { sign, role } = SIGNS[action];
  return `${paint(role, `${sign} ${label.padEnd(WORD)}`)} `;
}

/** Spaces as wide as a mark. */
export const UNDER_MARK = " ".repeat(WORD + 3);
