import { widthOf, wrap } from "../text/layout.js";
import type { Page } from "../text/page.js";
import { marginOf, tame } from "../text/visible.js";
import { BARS_LEGEND, type Bars, blocksOfBar } from "../view/bars.js";

/** No bar is longer, however wide the page is. */
const LONGEST = 40;

/** Who gains and who loses access, as bars of the first attribute; nothing where there is none. */
export function renderBars([first]: readonly Bars[], { columns, paint }: Page): readonly string[] {
  if (first === undefined) return [];
  const rows = first.bars.map((bar) => ({ ...bar, name: tame(bar.name) }));
  const widest = (texts: readonly string[]) => Math.max(...texts.map(widthOf));
  const name = widest(rows.map((one) => one.name));
  const number = widest(rows.map((one) => one.number));
  const room = Math.max(1, Math.min(LONGEST, columns - name - number - 6));
  const head = `${paint("strong", `Who gains and who loses access, ${tame(first.title)}`)} ${paint("frame", `(${BARS_LEGEND})`)}`;
  const lines = rows.map((bar) => {
    const [sure, may] = blocksOfBar(bar, room);
    const role = bar.as === "gains" ? "added" : "removed";
    const gap = " ".repeat(name - widthOf(bar.name));
    return `${marginOf("  ", bar.name)}${bar.name}${gap}  ${paint(role, `${sure}${may}`)}  ${bar.number}`;
  });
  return [...wrap(head, columns, "", "  "), ...lines];
}
