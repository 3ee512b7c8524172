import type { StepReport } from "../../plan/report.js";
import { SIGNS } from "../../plan/words/signs.js";
import { tame } from "../../text/visible.js";

const LONGEST = 120;

/** A step in the fewest bytes: its sign and its address. */
export function briefOf({ action, address }: StepReport): string {
  const { sign } = SIGNS[action];
  const name = [...tame(address)];
  const shown = name.length <= LONGEST ? name : [...name.slice(0, LONGEST - 1), "…"];
  return `${sign.trim() === "" ? action : sign} ${shown.join("")}`;
}
