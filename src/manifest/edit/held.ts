import {
  type CST,
  isMap,
  isScalar,
  isSeq,
  type Pair,
  type ParsedNode,
  type YAMLMap,
  type YAMLSeq,
} from "yaml";
import { isCollection } from "./opened.js";

/** One row of a list or one member of a map, and where it stands with its dash or name. */
export interface RowOrMember {
  /** The member's name; null for a row. */
  readonly name: string | null;
  readonly node: ParsedNode | null;
  /** At its dash, its name, or the anchor before that. */
  readonly start: number;
  /** Behind its last character, spaces, comments and line breaks not counted. */
  readonly end: number;
  /** Behind the dash or the colon; where a row of a flow list begins. */
  readonly open: number;
}

type Item = CST.CollectionItem;

/** What a list or a map holds, in the order of the text; a merge key has its name, too. */
export function heldIn(text: string, node: ParsedNode | null): readonly RowOrMember[] {
  if (isMap(node))
    return (node as YAMLMap<ParsedNode, ParsedNode | null>).items.map((pair) => member(text, pair));
  if (!isSeq(node)) return [];
  const { items } = node as YAMLSeq<ParsedNode | null>;
  const tokens = itemsOf(node).filter(isRow);
  return items.map((value, at) => row(text, value, tokens[at] ?? NOTHING));
}

/** Where a value ends: behind its last character, spaces, comments and line breaks not counted. */
export function endOf(text: string, node: ParsedNode | null, open: number): number {
  if (node === null) return open;
  if (isCollection(node) && node.flow !== true) return heldIn(text, node).at(-1)?.end ?? open;
  const [start, end] = node.range;
  const isBlock = isScalar(node) && (node.type === "BLOCK_LITERAL" || node.type === "BLOCK_FOLDED");
  return Math.max(open, isBlock ? start + text.slice(start, end).trimEnd().length : end);
}

const NOTHING: Item = { start: [] };
const SPACING: ReadonlySet<string> = new Set(["space", "newline", "comment", "comma"]);

function itemsOf(node: ParsedNode): readonly Item[] {
  const token = node.srcToken;
  return token !== undefined && "items" in token ? token.items : [];
}

function isRow({ start, key, sep, value }: Item): boolean {
  if (key !== undefined || sep !== undefined || value !== undefined) return true;
  return start.some(({ type }) => !SPACING.has(type));
}

function row(text: string, node: ParsedNode | null, { start, value }: Item): RowOrMember {
  const dash = start.find(({ type }) => type === "seq-item-ind");
  const first =
    start.find(({ type }) => !SPACING.has(type))?.offset ?? offsetOf(value) ?? node?.range[0] ?? 0;
  const open = dash === undefined ? first : dash.offset + 1;
  return { name: null, node, start: first, end: endOf(text, node, open), open };
}

function member(text: string, pair: Pair<ParsedNode, ParsedNode | null>): RowOrMember {
  const { key, value } = pair;
  const { start = [], sep = [] } = (pair.srcToken ?? NOTHING) as Item;
  const first = start.find(({ type }) => !SPACING.has(type))?.offset ?? key.range[0];
  const colon = sep.find(({ type }) => type === "map-value-ind");
  const open = colon === undefined ? key.range[1] : colon.offset + 1;
  const name = isScalar(key) ? String(key.value) : "";
  return { name, node: value, start: first, end: endOf(text, value, open), open };
}

function offsetOf(token: CST.Token | null | undefined): number | undefined {
  return token === undefined || token === null ? undefined : token.offset;
}
