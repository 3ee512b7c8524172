import type { Json } from "../../model/json.js";
import { isEscaped } from "../format/unseen.js";
import { readsBack } from "./scalarText.js";

/** Whether two texts of prose or code are the same: line ends are equal, and line breaks at the end do not count. */
export function isSameProse(one: Json, other: Json): boolean {
  return typeof one === "string" && typeof other === "string" && proseOf(one) === proseOf(other);
}

/** The lines of a block, below a header such as `|-`, in the column given; null where a block cannot hold or show the text. */
export function blockText(
  text: string,
  {
    header,
    column,
    indent,
    eol,
    isProse,
  }: {
    readonly header: string;
    /** The column of the name that the block belongs to. */
    readonly column: number;
    readonly indent: number;
    readonly eol: string;
    readonly isProse: boolean;
  },
): string | null {
  const prose = proseOf(text);
  const isFolded = header.startsWith(">");
  const lines = isFolded ? prose.split("\n").join("\n\n").split("\n") : prose.split("\n");
  const body = lines.map((line) => (line === "" ? "" : `${" ".repeat(indent)}${line}`)).join("\n");
  const isMeant = (value: Json) => (isProse ? isSameProse(value, text) : value === text);
  if (prose === "" || isEscaped(prose) || !readsBack(`${header}\n${body}`, column, isMeant)) return null;
  return body.replaceAll("\n", eol);
}

function proseOf(text: string): string {
  return text.replace(/\r\n?/g, "\n").replace(/\n+$/, "");
}
