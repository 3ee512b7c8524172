import { isScalar, type ParsedNode, type Scalar } from "yaml";
import { isObject, type Json } from "../../model/json.js";
import { isPlain } from "../format/scalar.js";
import { doubleQuoted, isEscaped } from "../format/unseen.js";
import { parse } from "../parse/parse.js";

/** How a scalar is written: the quotes around it, if any. */
export type Quotes = "plain" | "single" | "double";

/** Where a scalar is written. */
interface ScalarPlace {
  readonly isInFlow: boolean;
  /** The quotes of what stood there, or of its like. */
  readonly quotes: Quotes;
}

/** The quotes around a scalar; null for a block of lines. */
export function quotesOf(node: ParsedNode | null): Quotes | null {
  if (!isScalar(node)) return "plain";
  switch ((node as Scalar.Parsed).type) {
    case "QUOTE_SINGLE":
      return "single";
    case "QUOTE_DOUBLE":
      return "double";
    case "BLOCK_LITERAL":
    case "BLOCK_FOLDED":
      return null;
    default:
      return "plain";
  }
}

/** A scalar on one line, with the quotes asked for where they can hold it. Every reader of YAML reads the same value. */
export function scalarText(value: string | boolean | null, { isInFlow, quotes }: ScalarPlace): string {
  if (typeof value !== "string") return String(value);
  if (isEscaped(value)) return doubleQuoted(value);
  if (quotes === "plain" && isPlain(value) && (!isInFlow || !/[,[\]{}]/.test(value))) return value;
  if (quotes === "single" && /^[^\p{C}\p{Zl}\p{Zp}]*$/u.test(value))
    return `'${value.replaceAll("'", "''")}'`;
  return doubleQuoted(value);
}

/** Whether remit reads a value back from lines that follow `name:` at a column. */
function readsBack(lines: string, column: number, isMeant: (value: Json) => boolean): boolean {
  const { value, diagnostics } = parse({ file: "", text: `${" ".repeat(column)}k: ${lines}\n`, named: true });
  const [document, ...more] = value;
  if (diagnostics.length > 0 || more.length > 0 || document === undefined || !document.legible) return false;
  return isObject(document.value) && isMeant(document.value.k ?? null);
}

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
