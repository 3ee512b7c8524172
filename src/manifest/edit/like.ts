import { isMap, isSeq, type ParsedNode } from "yaml";
import { isObject, type Json, type JsonObject } from "../../model/json.js";
import { isPlain } from "../format/scalar.js";
import { doubleQuoted } from "../format/unseen.js";
import type { Member } from "./edit.js";
import { isFlow } from "./find.js";
import { heldIn, type Opened, type RowOrMember } from "./opened.js";
import { blockText, type Quotes, quotesOf, scalarText } from "./scalarText.js";

/** A value as text between braces and brackets, in the style of another one: its order of names, its quotes, its spaces. */
export function flowText(value: Json, like: ParsedNode | null, opened: Opened): string {
  if (Array.isArray(value)) return flowList(value, like, opened);
  if (isObject(value)) return flowMap(value, like, opened);
  return scalarText(value as string | boolean | null, { isInFlow: true, quotes: quotesLike(like, opened) });
}

/** A member as text between braces. */
export function flowMember({ name, value }: Member, like: RowOrMember | undefined, opened: Opened): string {
  const gap = like === undefined ? " " : gapOf(like, opened) || (opened.isJson ? "" : " ");
  return `${nameText(name, opened)}:${gap}${flowText(value, like?.node ?? null, opened)}`;
}

/** A member as lines of a block; the first is in column 0. */
export function memberLines(
  { name, value }: Member,
  like: RowOrMember | undefined,
  opened: Opened,
): readonly string[] {
  const start = `${nameText(name, opened)}:`;
  const node = like?.node ?? null;
  const gap = like === undefined ? " " : gapOf(like, opened) || " ";
  if (!isNested(value) || isFlow(node)) {
    const block = typeof value === "string" && value.includes("\n") ? proseBlock(value) : null;
    if (block !== null) return [`${start} |-`, ...block.split("\n")];
    return [
      `${start}${gap}${isNested(value) ? flowText(value, node, opened) : leafText(value, node, opened)}`,
    ];
  }
  return [start, ...indented(linesOf(value, node, opened), 2)];
}

/** A row as lines of a block, its dash in column 0. */
export function rowLines(value: Json, like: RowOrMember | undefined, opened: Opened): readonly string[] {
  const node = like?.node ?? null;
  const gap = like === undefined ? " " : gapOf(like, opened) || " ";
  if (!isNested(value)) return [`-${gap}${leafText(value, node, opened)}`];
  if (isFlow(node)) return [`-${gap}${flowText(value, node, opened)}`];
  const [first = "", ...rest] = linesOf(value, node, opened);
  return [`-${gap}${first}`, ...indented(rest, 1 + gap.length)];
}

/** Lines further to the right; an empty one stays empty. */
export function indented(lines: readonly string[], by: number): readonly string[] {
  return lines.map((line) => (line === "" ? "" : `${" ".repeat(by)}${line}`));
}

/** A list or a map with something in it. */
export function isNested(value: Json): value is JsonObject | readonly Json[] {
  return Array.isArray(value) ? value.length > 0 : isObject(value) && Object.keys(value).length > 0;
}

function linesOf(
  value: JsonObject | readonly Json[],
  like: ParsedNode | null,
  opened: Opened,
): readonly string[] {
  const held = heldIn(opened.text, like);
  if (Array.isArray(value))
    return value.flatMap((item: Json) => rowLines(item, isSeq(like) ? held.at(-1) : undefined, opened));
  return membersLike(value as JsonObject, held).flatMap(([name, item, one]) =>
    memberLines({ name, value: item }, one, opened),
  );
}

/** The members in the order of others of their names; those without one come last. */
function membersLike(
  value: JsonObject,
  held: readonly RowOrMember[],
): readonly (readonly [string, Json, RowOrMember | undefined])[] {
  const place = (name: string) => {
    const at = held.findIndex((one) => one.name === name);
    return at < 0 ? held.length : at;
  };
  return Object.entries(value)
    .map(([name, item]) => [name, item, held.find((one) => one.name === name)] as const)
    .sort(([one], [other]) => place(one) - place(other));
}

function leafText(value: Json, like: ParsedNode | null, opened: Opened): string {
  if (typeof value === "object") return flowText(value, null, opened);
  return scalarText(value as string | boolean, { isInFlow: false, quotes: quotesLike(like, opened) });
}

function proseBlock(text: string): string | null {
  return blockText(text, { header: "|-", column: 0, indent: 2, eol: "\n", isProse: false });
}

function quotesLike(like: ParsedNode | null, { isJson }: Opened): Quotes {
  return isJson ? "double" : (quotesOf(like) ?? "plain");
}

function nameText(name: string, { isJson }: Opened): string {
  return !isJson && isPlain(name) && !/[,[\]{}]/.test(name) ? name : doubleQuoted(name);
}

/** The spaces behind a dash or a colon; empty where there is something else. */
function gapOf({ node, open }: RowOrMember, { text }: Opened): string {
  const between = node === null ? "" : text.slice(open, node.range[0]);
  return /^[ \t]+$/.test(between) ? between : "";
}

function flowMap(value: JsonObject, like: ParsedNode | null, opened: Opened): string {
  const held = isMap(like) ? heldIn(opened.text, like) : [];
  const parts = membersLike(value, held).map(([name, item, one]) =>
    flowMember({ name, value: item }, one, opened),
  );
  if (parts.length === 0) return "{}";
  const { before, between, after } = spacingOf(like, held, opened, " ");
  return `{${before}${parts.join(between)}${after}}`;
}

function flowList(value: readonly Json[], like: ParsedNode | null, opened: Opened): string {
  const held = isSeq(like) ? heldIn(opened.text, like) : [];
  const parts = value.map((item) => flowText(item, held.at(-1)?.node ?? null, opened));
  if (parts.length === 0) return "[]";
  const { before, between, after } = spacingOf(like, held, opened, "");
  return `[${before}${parts.join(between)}${after}]`;
}

interface Spacing {
  readonly before: string;
  readonly between: string;
  readonly after: string;
}

/** The spaces and line breaks inside the brackets of a value; the usual ones where it has none, or comments. */
function spacingOf(
  like: ParsedNode | null,
  held: readonly RowOrMember[],
  { text }: Opened,
  pad: string,
): Spacing {
  const [first, second] = held;
  const last = held.at(-1);
  if (like === null || !isFlow(like) || first === undefined || last === undefined)
    return { before: pad, between: ", ", after: pad };
  const [start, end] = like.range;
  const before = text.slice(start + 1, first.start);
  const between = second === undefined ? ", " : text.slice(first.end, second.start);
  const after = text.slice(last.end, end - 1);
  const isBlank = /^\s*$/.test(before) && /^\s*,\s*$/.test(between) && /^\s*$/.test(after);
  return isBlank ? { before, between, after } : { before: pad, between: ", ", after: pad };
}
