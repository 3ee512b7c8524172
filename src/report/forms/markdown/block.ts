import { moreOf } from "../../../words/more.js";
import { inline, placeLink } from "../../text/escape.js";
import { many } from "../../text/layout.js";
import { type Block, needingTitle, type Rows } from "../../view/blocks.js";
import { detailsOf } from "./details.js";
import { tableHead, tableRow } from "./table.js";

/** So many rows and names are in one fold. */
const MOST = 200;
/** Up to so many rows are not folded. */
const MOST_OPEN = 20;

/** The folds of a block: of its step, or of what its rows have in common and of each row. */
export function detailsOfBlock(block: Block, linkBase: string | null): string {
  if (block.as === "step") {
    const names = block.needing.slice(0, MOST).map(({ address }) => `- ${inline(address)}`);
    const what = needingTitle(block.needing.length);
    const needing = names.length === 0 ? [] : [`**${what}**`, names.join("\n")];
    return [detailsOf(block.face, linkBase), ...needing].join("\n\n");
  }
  if (block.as === "alike")
    return block.all
      .slice(0, MOST)
      .map((step) => detailsOf(step, linkBase))
      .join("\n\n");
  return [tableOfRows(block, linkBase), ...block.shapes.map((shape) => detailsOf(shape, linkBase))].join(
    "\n\n",
  );
}

/** A row for each row of shapes; folded where they are many. */
function tableOfRows({ rows, shapes }: Rows, linkBase: string | null): string {
  const shown = rows.slice(0, MOST);
  const names = shapes.map(({ address }) => address.replace(/^.*?\/|\[…\]$/g, ""));
  const table = [
    tableHead([[inline(`row of ${names.join(", ")}`)], ["its own"], ["people", "right"], ["line"]]),
    ...shown.map(({ name, values, people, place }) =>
      tableRow([
        `**${inline(name)}**`,
        inline(values.join(", ")),
        inline(people.join(", ")),
        place === null ? "" : placeLink(place, linkBase),
      ]),
    ),
  ].join("\n");
  const all = [table, ...moreOf(rows.length - shown.length)].join("\n\n");
  return rows.length <= MOST_OPEN
    ? all
    : `<details><summary>${many(rows.length, "row")}</summary>\n\n${all}\n\n</details>`;
}
