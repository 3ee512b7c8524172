import { Environment, ParseError } from "@marcbachmann/cel-js";

/** A fault of an expression, and the characters of it that show it. */
export interface ExpressionFault {
  readonly code: string;
  readonly message: string;
  readonly hint: string;
  readonly start: number;
  readonly end: number;
}

/** Far beyond an expression that a person can read; a list of a thousand mail addresses is not. */
const LIMITS = { maxAstNodes: 200_000, maxDepth: 250, maxListElements: 50_000, maxMapEntries: 50_000 };

/** Names and functions are the service's to know; only the grammar is checked here. */
const ENVIRONMENT = new Environment({
  unlistedVariablesAreDyn: true,
  enableOptionalTypes: true,
  limits: LIMITS,
});

/** Faults of grammar: the parser names them by the names it has for its tokens, which say nothing to an author. */
const MISPLACED: ReadonlySet<string> = new Set([
  "unexpected_character",
  "unexpected_token",
  "expected_token",
]);

/** What keeps a text from being a CEL expression; undefined where nothing does. */
export function expressionFault(text: string): ExpressionFault | undefined {
  // A block ends with a line end, which would hide that a text before it is not closed.
  const written = text.trimEnd();
  try {
    ENVIRONMENT.parse(written);
    return undefined;
  } catch (error) {
    // A long row of `!` or `-` is the one nesting that the parser's own limits do not count.
    if (error instanceof RangeError) return tooLarge(written);
    if (!(error instanceof ParseError)) throw error;
    return error.code === "limit_exceeded" ? tooLarge(written) : syntaxFault(error, written);
  }
}

function syntaxFault(error: ParseError, text: string): ExpressionFault {
  const start = error.range?.start ?? text.length;
  const fault = {
    code: "expression/syntax",
    hint: "An expression is CEL: && and || and ! for and, or, not; == for equals; texts in quotes.",
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
    ? `the expression cannot go on with ${text.slice(start, end)} here`
    : lowered(error.summary);
  return { ...fault, message, start, end };
}

function tooLarge(text: string): ExpressionFault {
  return {
    code: "expression/too-large",
    message: "the expression is too large or too deep to be checked here",
    hint: "Make it shorter; what it means is left to the service.",
    start: 0,
    end: Math.min(1, text.length),
  };
}

function lowered(message: string): string {
  return message.charAt(0).toLowerCase() + message.slice(1);
}
