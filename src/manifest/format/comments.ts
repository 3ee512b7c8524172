import { Lexer } from "yaml";
import { columnOf, lineStart } from "../lines.js";
import type { Collection, Item, Leaf } from "./layout.js";

/** A comment of a file, and how it stands there. */
interface Comment {
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

/** Whether the line before an offset's line exists and is blank. */
function blankBefore(source: string, offset: number): boolean {
  const start = lineStart(source, offset);
  if (start === 0) return false;
  return source.slice(lineStart(source, start - 1), start - 1).trim() === "";
}

function toComment(source: string, offset: number, token: string): Comment {
  const column = columnOf(source, offset);
  const before = source.slice(offset - column, offset);
  return { text: token.trimEnd(), offset, column, alone: before.trim() === "" };
}

/** An item while comments may still be found to belong to it. */
export interface Growing extends Item {
  readonly above: string[];
  readonly beside: string[];
  readonly below: string[];
  value: GrowingCollection | Leaf;
}

/** A collection while items and comments are added to it. */
export interface GrowingCollection extends Collection {
  readonly items: Growing[];
  readonly head: string[];
  readonly foot: string[];
  /** Where its items begin on their lines; infinite where it is written with `{}` or `[]`. */
  readonly column: number;
}

/** Hands out the comments of a file, each once, in their order. */
export interface Gatherer {
  /**
   * The comments above the item at an offset. Deeper ones belong to what ends there, inside `before`. The first one at
   * `column` or left of it, and all after it, belong to the item.
   */
  above(offset: number, before: GrowingCollection | undefined, column: number): string[];
  /** Adds the comments before an offset to lines. */
  into(lines: string[], offset: number): void;
  /** From now on, comments at the end of a line go there. */
  follow(beside: string[]): void;
}

/** Makes a gatherer of the comments of a source. */
export function gatherComments(source: string, comments: readonly Comment[]): Gatherer {
  let next = 0;
  let beside: string[] = [];

  function* before(offset: number): Generator<Comment> {
    for (
      let comment = comments[next];
      comment !== undefined && comment.offset < offset;
      comment = comments[next]
    ) {
      next += 1;
      if (comment.alone) yield comment;
      else beside.push(comment.text);
    }
  }

  function push(lines: string[], comment: Comment): void {
    if (blankBefore(source, comment.offset)) lines.push("");
    lines.push(comment.text);
  }

  return {
    above(offset, collection, column) {
      const lines: string[] = [];
      for (const comment of before(offset)) {
        const ended = lines.length === 0 ? endedBefore(collection, comment.column, column) : undefined;
        push(ended ?? lines, comment);
      }
      if (blankBefore(source, offset)) lines.push("");
      return lines;
    },
    into(lines, offset) {
      for (const comment of before(offset)) push(lines, comment);
    },
    follow(lines) {
      beside = lines;
    },
  };
}

/** Where a comment at `column` belongs that follows the last item of a collection and precedes something at `next`. */
function endedBefore(
  collection: GrowingCollection | undefined,
  column: number,
  next: number,
): string[] | undefined {
  let place: string[] | undefined;
  let here = collection;
  while (here !== undefined && column > next && here.column <= column) {
    if (here.column > next) place = here.foot;
    const last: Growing | undefined = here.items.at(-1);
    if (last === undefined) return place;
    if (last.value.type !== "leaf") here = last.value;
    else return column > here.column && isEmpty(last.value) ? last.below : place;
  }
  return place;
}

function isEmpty(leaf: Leaf): boolean {
  return leaf.text === "" && leaf.properties === "";
}
