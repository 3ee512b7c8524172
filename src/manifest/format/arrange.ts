import { Composer, type CST, type Document, type ParsedNode, Parser } from "yaml";
import { findComments, type GrowingCollection, gatherComments } from "./comments.js";
import type { LayoutPart } from "./layout.js";
import { growTree } from "./tree.js";

// Every text stays a text: a layout does not depend on what it means.
const OPTIONS = {
  schema: "failsafe",
  resolveKnownTags: false,
  keepSourceTokens: true,
  uniqueKeys: false,
} as const;

/** The parts of a file without errors, in their order, each with its own comments. */
export function* arrange(source: string): Generator<LayoutPart> {
  let before: LayoutPart | undefined;
  // What stands at a part's end is found when the next one begins.
  for (const part of growParts(source)) {
    if (before !== undefined) yield before;
    before = part;
  }
  if (before !== undefined) yield before;
}

function* growParts(source: string): Generator<LayoutPart> {
  const gather = gatherComments(source, findComments(source));
  let open: GrowingCollection | undefined;

  function begin(text: string, offset: number): LayoutPart & { readonly beside: string[] } {
    const above = gather.above(offset, open, -1);
    open = undefined;
    const part = { above, text, beside: [], root: null };
    gather.follow(part.beside);
    return part;
  }

  for (const { token, document } of piecesOf(source)) {
    if (token.type === "directive") yield begin(token.source.trim(), token.offset);
    if (token.type === "doc-end") yield begin("...", token.offset);
    if (token.type !== "document") continue;
    const marker = token.start.find((part) => part.type === "doc-start");
    const part =
      marker === undefined ? { above: [], text: "", beside: [], root: null } : begin("---", marker.offset);
    if (document !== undefined && !isEmpty(document))
      open = growTree({ source, document, gather }, part.beside);
    yield { ...part, root: open ?? null };
  }
  yield begin("", source.length);
}

/** A token at the top level, and for a document what it contains. */
interface Piece {
  readonly token: CST.Token;
  readonly document?: Document.Parsed<ParsedNode>;
}

/** The pieces of a text; at any time only those that the parser needs are in memory. */
function* piecesOf(source: string): Generator<Piece> {
  const composer = new Composer({ ...OPTIONS, logLevel: "silent" });
  // A document is composed when its token is seen and handed out when the next one is.
  let waiting: CST.Token[] = [];
  function* release(document: Document.Parsed<ParsedNode>): Generator<Piece> {
    const count = waiting.findIndex(({ type }) => type === "document") + 1;
    for (const token of waiting.slice(0, count)) yield { token, document };
    waiting = waiting.slice(count);
  }
  for (const token of new Parser().parse(source)) {
    waiting.push(token);
    for (const document of composer.next(token)) yield* release(document);
  }
  for (const document of composer.end()) yield* release(document);
  for (const token of waiting) yield { token };
}

function isEmpty(document: Document.Parsed<ParsedNode>): boolean {
  const root = document.contents as ParsedNode | null;
  if (root === null) return true;
  return root.range[0] === root.range[1] && root.tag === undefined && root.anchor === undefined;
}
