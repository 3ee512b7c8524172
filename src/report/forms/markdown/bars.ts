import { fence } from "../../text/escape.js";
import { plain } from "../../text/paint.js";
import type { View } from "../../view/view.js";
import { renderBars } from "../bars.js";

/** So wide are the bars of a text that a phone shows without a scroll bar. */
const COLUMNS = 44;

/** Who gains and who loses access, as a block of text; nothing where no bar stands for enough people. */
export function barsBlock(spread: View["spread"]): readonly string[] {
  const lines = renderBars(spread, { columns: COLUMNS, paint: plain });
  return lines.length === 0 ? [] : [fence(lines, "text")];
}
