import { Lexer } from "yaml";

/** A comment of a file, and how it stands there. */
export interface Comment {
  /** With its `#`. */
  readonly text: string;
  readonly offset: number;
  /** Spaces and other characters before it on its line. */
  readonly column: number;
  /** Whether nothing but space is before it on its line. */
  readonly alone: boolean;
}

// The lexer announces a scalar with this token: what follows is text, whatever it begins with.
const SCALAR_NEXT = "\u001f";
const MARKS = new Set(["\u0002", "\u0018", SCALAR_NEXT]);

/** Every comment of a YAML text, in order. */
export function findComments(source: string): readonly Comment[] {
  const comments: Comment[] = [];
  let offset = 0;
  let scalar = false;
  for (const token of new Lexer().lex(source)) {
    if (!scalar && MARKS.has(token)) {
      scalar = token === SCALAR_NEXT;
      continue;
    }
    if (!scalar && token.startsWith("#")) comments.push(toComment(source, offset, token));
    scalar = false;
    offset += token.length;
  }
  return comments;
}

/** How many characters stand before an offset on its line. */
export function columnOf(source: string, offset: number): number {
  return offset - lineStart(source, offset);
}

/** Whether the line before an offset's line exists and is blank. */
export function blankBefore(source: string, offset: number): boolean {
  const start = lineStart(source, offset);
  if (start === 0) return false;
  return source.slice(lineStart(source, start - 1), start - 1).trim() === "";
}

function toComment(source: string, offset: number, token: string): Comment {
  const column = columnOf(source, offset);
  const before = source.slice(offset - column, offset);
  return { text: token.trimEnd(), offset, column, alone: before.trim() === "" };
}

function lineStart(source: string, offset: number): number {
  return source.lastIndexOf("\n", offset - 1) + 1;
}
