import type { StepReport } from "../../plan/report.js";
import { fence, inline } from "../../text/escape.js";
import { many } from "../../text/layout.js";
import { tame } from "../../text/tame.js";
import type { Block, ShapeRow } from "../../view/blocks.js";
import { detailsOf } from "./details.js";

/** So many rows and names are in one fold. */
const MOST = 200;

/** What stands together as one step: its line says what all have in common. */
export function faceOf(block: Block): StepReport {
  if (block.as === "step") return block.step;
  const [first, ...others] = block.as === "rows" ? block.shapes : block.steps;
  if (first === undefined) throw new Error("a block has at least one step");
  if (block.as === "rows")
    return { ...first, address: [first, ...others].map(({ address }) => address).join(", "), place: null };
  if (others.length === 0) return first;
  return { ...first, address: `${many(block.steps.length, "object")}`, title: "", place: null };
}

/** The folds of a block: of its step, or of what its rows have in common and of each row. */
export function detailsOfBlock(block: Block, linkBase: string | null): string {
  if (block.as === "step") {
    const names = block.needing.slice(0, MOST).map(({ address }) => `- ${inline(address)}`);
    const what = `and ${block.needing.length} that ${block.needing.length === 1 ? "needs" : "need"} it`;
    const needing = names.length === 0 ? [] : [`**${what}**`, names.join("\n")];
    return [detailsOf(block.step, linkBase), ...needing].join("\n\n");
  }
  if (block.as === "alike")
    return block.steps
      .slice(0, MOST)
      .map((step) => detailsOf(step, linkBase))
      .join("\n\n");
  const rows = block.rows.slice(0, MOST).map(lineOf);
  const more = block.rows.length - rows.length;
  const list = fence([...rows, ...(more > 0 ? [`… and ${more} more`] : [])], "text");
  return [
    ...block.shapes.map((shape) => detailsOf(shape, linkBase)),
    `<details><summary>${many(block.rows.length, "row")}</summary>\n\n${list}\n\n</details>`,
  ].join("\n\n");
}

function lineOf({ name, values, people, place }: ShapeRow): string {
  const where = place === null ? "" : `${place.file}:${place.line}`;
  return [name, ...values, ...people, where]
    .filter((part) => part !== "")
    .map(tame)
    .join("  ");
}
