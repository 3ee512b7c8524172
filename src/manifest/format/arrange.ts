import { Composer, type Document, type ParsedNode, Parser } from "yaml";
import { findComments } from "./comments.js";
import { type GrowingCollection, gatherComments } from "./gather.js";
import type { Part } from "./layout.js";
import { growTree } from "./tree.js";

// Every text stays a text: what it means is none of a layout's business.
const OPTIONS = {
  schema: "failsafe",
  resolveKnownTags: false,
  keepSourceTokens: true,
  uniqueKeys: false,
} as const;

/** The parts of a file without faults, in their order, each with the comments that are its own. */
export function arrange(source: string): readonly Part[] {
  const tokens = [...new Parser().parse(source)];
  const documents = new Composer({ ...OPTIONS, logLevel: "silent" }).compose(tokens);
  const gather = gatherComments(source, findComments(source));
  const parts: Part[] = [];
  let open: GrowingCollection | undefined;

  function begin(text: string, offset: number): Part & { readonly beside: string[] } {
    const above = gather.above(offset, open, -1);
    open = undefined;
    const part = { above, text, beside: [], root: null };
    gather.follow(part.beside);
    return part;
  }

  for (const token of tokens) {
    if (token.type === "directive") parts.push(begin(token.source.trim(), token.offset));
    if (token.type === "doc-end") parts.push(begin("...", token.offset));
    if (token.type !== "document") continue;
    const marker = token.start.find((part) => part.type === "doc-start");
    const part =
      marker === undefined ? { above: [], text: "", beside: [], root: null } : begin("---", marker.offset);
    const document = documents.next().value as Document.Parsed<ParsedNode> | undefined;
    if (document !== undefined && !isEmpty(document))
      open = growTree({ source, document, gather }, part.beside);
    parts.push({ ...part, root: open ?? null });
  }
  return [...parts, begin("", source.length)];
}

function isEmpty(document: Document.Parsed<ParsedNode>): boolean {
  const root = document.contents as ParsedNode | null;
  if (root === null) return true;
  return root.range[0] === root.range[1] && root.tag === undefined && root.anchor === undefined;
}
