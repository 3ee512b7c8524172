import { type Document, isNode, LineCounter, parseDocument } from "yaml";
import type { Json } from "../model/json.js";
import { formatPath, type Path } from "../model/path.js";
import { type Problem, type Read, Unreadable } from "./reading.js";

/** A file that cannot be used; its message has a line for everything that is wrong with it. */
export class BadFile extends Error {}

/** Reads a YAML or JSON document; throws a `BadFile` that names every place that is wrong. */
export function readDocument<T>(source: string, file: string, read: Read<T>): T {
  const lines = new LineCounter();
  const document = parseDocument(source, { lineCounter: lines, prettyErrors: false });
  const place = (offset: number) => {
    const { line, col } = lines.linePos(offset);
    return `${file}:${line}:${col}`;
  };
  if (document.errors.length > 0) {
    throw new BadFile(document.errors.map((error) => `${place(error.pos[0])}: ${error.message}`).join("\n"));
  }
  try {
    return read(document.toJS() as Json, []);
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    throw new BadFile(
      error.problems
        .map((problem) => `${place(offsetOf(document, problem.path))}: ${say(problem)}`)
        .join("\n"),
    );
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
