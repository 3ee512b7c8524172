import {
  Composer,
  type CST,
  type Document,
  isMap,
  isScalar,
  isSeq,
  Lexer,
  type Pair,
  type ParsedNode,
  Parser,
  Schema,
  visit,
  type YAMLMap,
  type YAMLSeq,
} from "yaml";
import { type Address, formatAddress } from "../../model/address.js";
import { groupAt } from "../../model/groupBy.js";
import { isObject } from "../../model/json.js";
import { readEnvelope } from "../envelope.js";
import { FOR_EACH } from "../expand/shape.js";
import { lineEnd } from "../lines.js";
import { readValue } from "../parse/value.js";

/** A document of a text with the nodes of its parser, and where aliases to its anchors stand. */
export interface Opened {
  readonly text: string;
  /** Whether the file is JSON, where every text has double quotes. */
  readonly isJson: boolean;
  readonly root: ParsedNode;
  /** By anchor: the offsets of the aliases to it. */
  readonly aliases: ReadonlyMap<string, readonly number[]>;
}

const SCHEMA = new Schema({ schema: "failsafe", resolveKnownTags: false });

/** The manifests of a text, by their addresses. Of two of one name it is the last; loading says that there are two. */
export function openManifests(text: string, isJson: boolean): ReadonlyMap<string, Opened> {
  const found = new Map<string, Opened>();
  for (const document of documentsOf(text)) {
    const root = document.contents;
    const address = root === null ? undefined : addressIn(root);
    if (root === null || address === undefined) continue;
    found.set(formatAddress(address), { text, isJson, root, aliases: aliasesIn(document) });
  }
  return found;
}

/** The address that a document gives itself; undefined where it is not a manifest. */
export function addressIn(root: ParsedNode): Address | undefined {
  const { value } = readValue(root);
  if (!isObject(value) || typeof value.kind !== "string" || !isObject(value.metadata)) return undefined;
  const { name } = readEnvelope(value);
  return name === "" || Object.hasOwn(value, FOR_EACH) ? undefined : { kind: value.kind, name };
}

/** The documents of a text, with the parser's tokens. */
export function documentsOf(text: string): readonly Document.Parsed<ParsedNode>[] {
  const parser = new Parser();
  const composer = new Composer({
    schema: SCHEMA,
    uniqueKeys: false,
    keepSourceTokens: true,
    logLevel: "silent",
  });
  const found: Document.Parsed<ParsedNode>[] = [];
  const add = (documents: Iterable<Document.Parsed<ParsedNode>>) => found.push(...documents);
  for (const lexeme of new Lexer().lex(text))
    for (const token of parser.next(lexeme))
      add(composer.next(token) as Iterable<Document.Parsed<ParsedNode>>);
  for (const token of parser.end()) add(composer.next(token) as Iterable<Document.Parsed<ParsedNode>>);
  add(composer.end() as Iterable<Document.Parsed<ParsedNode>>);
  return found;
}

function aliasesIn(document: Document.Parsed<ParsedNode>): Opened["aliases"] {
  const found = new Map<string, number[]>();
  visit(document, {
    Alias(_key, node) {
      const at = node.range?.[0];
      if (at !== undefined) groupAt(found, node.source).push(at);
    },
  });
  return found;
}

/** Whether a node holds others. */
export function isCollection(node: ParsedNode | null): node is Extract<ParsedNode, { items: unknown }> {
  return isMap(node) || isSeq(node);
}

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

/** Where the comment ends that stands behind an offset on its line; the offset itself where none does. */
export function behindComment(text: string, offset: number): number {
  const rest = text.slice(offset, lineEnd(text, offset)).replace(/\r$/, "");
  return /^[ \t]+#/.test(rest) ? offset + rest.length : offset;
}
