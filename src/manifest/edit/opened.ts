import { Composer, type Document, isMap, isSeq, Lexer, type ParsedNode, Parser, Schema, visit } from "yaml";
import { type Address, formatAddress } from "../../model/address.js";
import { groupAt } from "../../model/groupBy.js";
import { isObject } from "../../model/json.js";
import { readEnvelope } from "../envelope.js";
import { FOR_EACH } from "../expand/shape.js";
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
