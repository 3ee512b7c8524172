import { Composer, type CST, type Document, LineCounter, type ParsedNode, Parser } from "yaml";
import type { Checked, Diagnostic, Position } from "../model/diagnostic.js";
import type { Shape } from "../schema/shape.js";
import { type Comment, findComments } from "./format/comments.js";
import type { Part } from "./format/layout.js";
import { meaning } from "./format/meaning.js";
import { order } from "./format/order.js";
import { print } from "./format/print.js";
import { Planter, Unsupported } from "./format/tree.js";

/** Finds the shape of a kind's `spec`, by which its fields are ordered. */
export type ShapeOf = (kind: string) => Shape | undefined;

interface Parsed {
  readonly tokens: readonly CST.Token[];
  readonly documents: readonly Document.Parsed<ParsedNode>[];
  readonly comments: readonly Comment[];
  readonly faults: readonly { readonly message: string; readonly offset: number }[];
  readonly place: (offset: number) => Position;
}

/**
 * The canonical layout of a YAML text. What it says stays, every comment included, and so does the order of lists;
 * a text with faults, or one whose layout would say something else, is given back as it is, with a diagnostic.
 */
export function formatText(text: string, file: string, shapeOf: ShapeOf = () => undefined): Checked<string> {
  const source = text.replace(/^\ufeff/, "").replaceAll("\r\n", "\n");
  const before = parse(source);
  if (before.faults.length > 0)
    return { value: text, diagnostics: before.faults.map((fault) => broken(fault, before, file)) };
  try {
    const value = print(arrange(source, before, shapeOf));
    const after = parse(value);
    if (after.faults.length === 0 && says(after) === says(before)) return { value, diagnostics: [] };
    return leave(text, file, "its layout cannot be changed without changing what it says");
  } catch (error) {
    if (error instanceof Unsupported) return leave(text, file, `it has ${error.message}`);
    throw error;
  }
}

function parse(source: string): Parsed {
  const lines = new LineCounter();
  const tokens = [...new Parser(lines.addNewLine).parse(source)];
  const composer = new Composer({ merge: true, keepSourceTokens: true, logLevel: "silent" });
  const documents = [...composer.compose(tokens)] as Document.Parsed<ParsedNode>[];
  const faults = documents.flatMap(({ errors }) =>
    errors.map(({ message, pos }) => ({ message, offset: pos[0] })),
  );
  const place = (offset: number) => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(1, line), column: Math.max(1, col) };
  };
  return { tokens, documents, comments: faults.length > 0 ? [] : findComments(source), faults, place };
}

function says({ documents, comments }: Parsed): string {
  return meaning(documents, comments);
}

/** The parts of a file in their order, each with the comments that are its own. */
function arrange(source: string, { tokens, documents, comments }: Parsed, shapeOf: ShapeOf): readonly Part[] {
  const planter = new Planter(source, comments);
  const parts: Part[] = [];
  let open: ReturnType<Planter["plant"]> | undefined;
  let index = 0;
  const begin = (text: string, offset: number) => {
    const ended = open === undefined ? [] : planter.close(open, offset);
    const beside: string[] = [];
    const above = [...ended, ...planter.between(offset, beside)];
    open = undefined;
    parts.push({ above, text, beside, root: null });
    return parts.length - 1;
  };
  for (const token of tokens) {
    if (token.type === "directive") begin(token.source.trim(), token.offset);
    if (token.type === "doc-end") begin("...", token.offset);
    if (token.type !== "document") continue;
    const document = documents[index];
    index += 1;
    const marker = token.start.find((part) => part.type === "doc-start");
    if (marker !== undefined) begin("---", marker.offset);
    else parts.push({ above: [], text: "", beside: [], root: null });
    if (document === undefined || isEmpty(document)) continue;
    open = planter.plant(document);
    const last = parts.length - 1;
    const part = parts[last];
    if (part !== undefined) parts[last] = { ...part, root: open };
  }
  begin("", source.length);
  return parts.map((part) => (part.root === null ? part : { ...part, root: order(part.root, shapeOf) }));
}

function isEmpty(document: Document.Parsed<ParsedNode>): boolean {
  const root = document.contents as ParsedNode | null;
  return (
    root === null || (root.range[0] === root.range[1] && root.tag === undefined && root.anchor === undefined)
  );
}

function broken(
  fault: { readonly message: string; readonly offset: number },
  { place }: Parsed,
  file: string,
): Diagnostic {
  const start = place(fault.offset);
  return {
    code: "yaml/syntax",
    severity: "error",
    message: fault.message.split("\n")[0] ?? "",
    span: { file, start, end: { ...start, column: start.column + 1 } },
    hint: "The file is left as it is.",
  };
}

function leave(text: string, file: string, why: string): Checked<string> {
  const start = { line: 1, column: 1 };
  return {
    value: text,
    diagnostics: [
      {
        code: "format/left-alone",
        severity: "warning",
        message: `The file is left as it is: ${why}`,
        span: { file, start, end: start },
        hint: "Simplify what it is written with, or lay it out by hand.",
      },
    ],
  };
}
