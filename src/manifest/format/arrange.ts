import { Composer, type Document, type ParsedNode, Parser } from "yaml";
import { findComments } from "./comments.js";
import type { Collection, Part } from "./layout.js";
import { Planter } from "./tree.js";

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
  const planter = new Planter(source, findComments(source));
  const parts: Part[] = [];
  let open: ReturnType<Planter["plant"]> | undefined;

  function begin(text: string, offset: number): readonly string[] {
    const ended = open === undefined ? [] : planter.close(open, offset);
    const beside: string[] = [];
    const above = [...ended, ...planter.between(offset, beside)];
    open = undefined;
    parts.push({ above, text, beside, root: null });
    return beside;
  }

  for (const token of tokens) {
    if (token.type === "directive") begin(token.source.trim(), token.offset);
    if (token.type === "doc-end") begin("...", token.offset);
    if (token.type !== "document") continue;
    const marker = token.start.find((part) => part.type === "doc-start");
    if (marker !== undefined) begin("---", marker.offset);
    const document = documents.next().value as Document.Parsed<ParsedNode> | undefined;
    if (document === undefined || isEmpty(document)) continue;
    open = planter.plant(document);
    grow(parts, open, marker !== undefined);
  }
  begin("", source.length);
  return parts;
}

/** Hangs a document from its marker, where it has one. */
function grow(parts: Part[], root: Collection, marked: boolean): void {
  const marker = marked ? parts.pop() : undefined;
  parts.push({ above: [], text: "", beside: [], ...marker, root });
}

function isEmpty(document: Document.Parsed<ParsedNode>): boolean {
  const root = document.contents as ParsedNode | null;
  if (root === null) return true;
  return root.range[0] === root.range[1] && root.tag === undefined && root.anchor === undefined;
}
