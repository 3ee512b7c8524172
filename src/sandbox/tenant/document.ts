import { type Document, isNode, LineCounter, parseDocument } from "yaml";
import type { Diagnostic } from "../../model/diagnostic.js";
import type { Json } from "../../model/json.js";
import { formatPath, type Path } from "../../model/path.js";
import { type Problem, type Read, Unreadable } from "./reading.js";

/** A file that cannot be used, and everything that is wrong with it. */
export class BadFile extends Error {
  readonly diagnostics: readonly Diagnostic[];

  constructor(diagnostics: readonly Diagnostic[]) {
    super(diagnostics.map((each) => each.message).join("\n"));
    this.diagnostics = diagnostics;
  }
}

/** Reads a YAML or JSON document; throws a `BadFile` that knows every place that is wrong. */
export function readDocument<T>(source: string, file: string, read: Read<T>): T {
  const lines = new LineCounter();
  const document = parseDocument(source, { lineCounter: lines, prettyErrors: false });
  const found = (message: string, offset: number): Diagnostic => {
    const { line, col: column } = lines.linePos(offset);
    const position = { line, column };
    return {
      code: "sandbox/bad-file",
      severity: "error",
      message,
      span: { file, start: position, end: position },
      excerpt: { text: source.split(/\r?\n/)[line - 1] ?? "", column: 1 },
    };
  };
  if (document.errors.length > 0) {
    throw new BadFile(document.errors.map((error) => found(error.message, error.pos[0])));
  }
  try {
    return read(document.toJS() as Json, []);
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    throw new BadFile(error.problems.map((problem) => found(say(problem), offsetOf(document, problem.path))));
  }
}

/** A problem without a place. */
export function say({ path, message }: Problem): string {
  return path.length === 0 ? message : `${formatPath(path)} ${message}`;
}

/** Where the value that a path leads to begins, or the nearest around it. */
function offsetOf(document: Document, path: Path): number {
  const node = path.length === 0 ? document.contents : document.getIn(path, true);
  if (isNode(node)) return node.range?.[0] ?? 0;
  return path.length === 0 ? 0 : offsetOf(document, path.slice(0, -1));
}
