import type { Action } from "../../../plan/step.js";
import type { Page } from "../../text/page.js";
import { SIGNS } from "../signs.js";

const WORD = Math.max(...Object.keys(SIGNS).map((action) => action.length));

/** What an action begins its first line with: a sign and a word, as wide for each. */
export function markOf(action: Action, { paint }: Page): string {
  const { sign, role } = SIGNS[action];
  return `${paint(role, `${sign} ${action.padEnd(WORD)}`)} `;
}

/** As much room as a mark takes. */
export const UNDER_MARK = " ".repeat(WORD + 3);
