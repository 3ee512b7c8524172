import { ParseError } from "@marcbachmann/cel-js";
import { parseExpression } from "./cel.js";

/** A fault of an expression, and the characters of it that show it. */
export interface ExpressionFault {
  readonly code: string;
  readonly severity: "error" | "warning";
  readonly message: string;
  readonly hint: string;
  readonly start: number;
  readonly end: number;
}

/** Syntax errors: the parser reports its own names of tokens, which mean nothing to an author. */
const MISPLACED: ReadonlySet<string> = new Set([
  "unexpected_character",
  "unexpected_token",
  "expected_token",
]);

/** Why a text is not a CEL expression; undefined for a valid one. */
export function expressionFault(text: string): ExpressionFault | undefined {
  // A block ends with a line end, which would hide that a text before it is not closed.
  const written = text.trimEnd();
  try {
    parseExpression(written);
    return undefined;
  } catch (error) {
    // The parser's own limit counts brackets, and no long row of operators.
    if (error instanceof RangeError) return tooLarge(written);
    if (!(error instanceof ParseError)) throw error;
    return error.code === "limit_exceeded" ? tooLarge(written) : syntaxFault(error, written);
  }
}

function syntaxFault(error: ParseError, text: string): ExpressionFault {
  const start = error.range?.start ?? text.length;
  const fault = {
    ...{ code: "expression/syntax", severity: "error" as const },
    hint: "Expressions are CEL: && (and), || (or), ! (not), == (equals), and texts in quotes.",
  };
  if (start >= text.length)
    return {
      ...fault,
      message: "the expression ends before it is complete",
      start: Math.max(0, text.length - 1),
      end: text.length,
    };
  const wide = (text.codePointAt(start) ?? 0) > 0xffff ? 2 : 1;
  const end = Math.min(Math.max(error.range?.end ?? start, start + wide), text.length);
  const message = MISPLACED.has(error.code)
    ? unexpected(text.slice(start, end), text.charAt(end))
    : lowered(error.summary);
  return { ...fault, message, start, end };
}

/** What people write who know another language. */
const MEANT: Readonly<Record<string, string>> = {
  "=": "==",
  "&": "&&",
  "|": "||",
  and: "&&",
  AND: "&&",
  or: "||",
  OR: "||",
  not: "!",
  NOT: "!",
};

function unexpected(found: string, next: string): string {
  const shown = /^["']/.test(found) ? found : `"${found}"`;
  // `===` and `=>` are slips of another kind.
  const meant = /[=<>~]/.test(next) || !Object.hasOwn(MEANT, found) ? undefined : MEANT[found];
  return meant === undefined ? `unexpected ${shown}` : `unexpected ${shown}; did you mean "${meant}"?`;
}

function tooLarge(text: string): ExpressionFault {
  return {
    ...{ code: "expression/too-large", severity: "warning" },
    message: "the expression is too large or too deeply nested for remit to check",
    hint: "Make it shorter. Only the service can check it as it is.",
    start: 0,
    end: Math.min(1, text.length),
  };
}

function lowered(message: string): string {
  return message.charAt(0).toLowerCase() + message.slice(1);
}
