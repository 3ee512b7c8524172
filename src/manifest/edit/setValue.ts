import { isScalar, type Scalar } from "yaml";
import type { Json } from "../../model/json.js";
import { columnOf, eolOf, lineEnd } from "../lines.js";
import type { Replaced } from "./edit.js";
import { isFlow, type Spot } from "./find.js";
import { flowText, indented, isNested, memberLines } from "./like.js";
import { behindComment, endOf, isCollection, type Opened, type RowOrMember } from "./opened.js";
import { blockText, isSameProse, quotesOf, scalarText } from "./scalarText.js";

/** Another value in the place of one: its quotes or its block stay where they can hold it. */
export function setValue(
  opened: Opened,
  found: Spot & { readonly held: RowOrMember },
  value: Json,
  isProse: boolean,
): readonly Replaced[] {
  const { text } = opened;
  const { node, held, isInFlow } = found;
  if (node === null || isEmptyScalar(node)) {
    // `name:` has nothing that could be replaced.
    const at = node === null ? held.open : Math.max(held.open, node.range[0]);
    const gap = /\s/.test(text[at - 1] ?? "") ? "" : " ";
    return [{ range: [at, at], text: `${gap}${inline(opened, found, value)}` }];
  }
  const [start] = node.range;
  const end = endOf(text, node, start);
  if (isCollection(node) && !isFlow(node)) return [instead(opened, found, value, end)];
  const quotes = quotesOf(node);
  if (typeof value === "string" && quotes === null)
    return blockEdits(opened, found, value, isProse, start, end);
  if (typeof value === "string" && value.includes("\n") && !isInFlow && quotes !== null) {
    const block = isCommentBelow(text, end, columnOf(text, held.start))
      ? null
      : lines(opened, held, value, isProse);
    if (block !== null && quotes === "plain" && behindComment(text, end) === end)
      return [{ range: [start, end], text: block }];
  }
  const isBlocked =
    isNested(value) &&
    !isInFlow &&
    behindComment(text, end) === end &&
    text.slice(held.open, start).trim() === "";
  return isBlocked
    ? [instead(opened, found, value, end)]
    : [{ range: [start, end], text: inline(opened, found, value) }];
}

function isEmptyScalar(node: NonNullable<Spot["node"]>): boolean {
  return isScalar(node) && node.type === "PLAIN" && node.source === "";
}

function inline(opened: Opened, { node, isInFlow }: Spot, value: Json): string {
  if (typeof value === "object" && value !== null) return flowText(value, node, opened);
  const quotes = opened.isJson ? "double" : (quotesOf(node) ?? "double");
  return scalarText(value as string | boolean | null, { isInFlow, quotes });
}

/** A value in the place of a block, or a block in the place of a value: from the colon on. */
function instead(
  opened: Opened,
  { held, node }: { readonly held: RowOrMember; readonly node: Spot["node"] },
  value: Json,
  end: number,
): Replaced {
  const { text } = opened;
  // The comment on the last line of a block goes with it.
  const behind = node !== null && !isFlow(node) && isCollection(node) ? behindComment(text, end) : end;
  const comment = text.slice(held.open, behindComment(text, held.open));
  if (!isNested(value))
    return { range: [held.open, behind], text: ` ${flowText(value, null, opened)}${comment}` };
  const column = columnOf(text, held.start);
  const [, ...below] = memberLines(
    { name: held.name ?? "-", value },
    isFlow(node) ? undefined : held,
    opened,
  );
  const eol = eolOf(text);
  return { range: [held.open, behind], text: `${comment}${eol}${indented(below, column).join(eol)}` };
}

/** Another text in a block: the lines below its header, or all of it where the header cannot stay. */
function blockEdits(
  opened: Opened,
  { held, node }: { readonly held: RowOrMember; readonly node: Spot["node"] },
  value: string,
  isProse: boolean,
  start: number,
  end: number,
): readonly Replaced[] {
  const { text } = opened;
  const eol = eolOf(text);
  const headEnd = Math.min(lineEnd(text, start), end);
  const head = text.slice(start, headEnd).replace(/\r$/, "");
  const header = /^\S+/.exec(head)?.[0] ?? "|";
  const column = columnOf(text, held.start);
  const body = text
    .slice(headEnd, end)
    .split("\n")
    .find((line) => line.trim() !== "");
  const number = Number(/[1-9]/.exec(header)?.[0] ?? 0);
  const indent =
    number > 0 ? indentAbove(node, column) + number : /^ */.exec(body ?? "")?.[0].length || column + 2;
  const headers = [header, header.replace(/^>/, "|")];
  for (const one of headers) {
    const block = blockText(value, { header: one, column, indent, eol, isProse });
    if (block === null) continue;
    if (one === header && headEnd < end) return [{ range: [lineEnd(text, start) + 1, end], text: block }];
    return [{ range: [start, end], text: `${one}${head.slice(header.length)}${eol}${block}` }];
  }
  const comment = head.slice(header.length);
  return [
    { range: [start, end], text: `${scalarText(value, { isInFlow: false, quotes: "double" })}${comment}` },
  ];
}

/** Whether the next line is a comment that would become part of a block. */
function isCommentBelow(text: string, offset: number, column: number): boolean {
  const below = /^\s*\n( *)#/.exec(text.slice(lineEnd(text, offset)));
  return (below?.[1]?.length ?? 0) > column;
}

/** The column that the number in a header counts from. */
function indentAbove(node: Spot["node"], column: number): number {
  const token = isScalar(node) ? (node as Scalar.Parsed).srcToken : undefined;
  return token?.type === "block-scalar" ? Math.max(0, token.indent) : column;
}

/** A text of several lines as a block, where one line would hide them; null where a block cannot hold it. */
function lines({ text }: Opened, held: RowOrMember, value: string, isProse: boolean): string | null {
  const column = columnOf(text, held.start);
  const eol = eolOf(text);
  const block = blockText(value, { header: "|-", column, indent: column + 2, eol, isProse });
  return block === null || isSameProse(value, "") ? null : `|-${eol}${block}`;
}
