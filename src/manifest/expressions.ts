import { type Environment, ParseError, type ParseResult } from "@marcbachmann/cel-js";
import type { Diagnostic } from "../model/diagnostic.js";
import type { Path } from "../model/path.js";
import { say } from "../words/say.js";
import { parseExpression } from "./cel.js";
import { locateCharacters, type Written } from "./locate.js";

/** A fault of an expression, and the characters of it that show it. */
export interface ExpressionFault {
  readonly code: string;
  readonly severity: "error" | "warning";
  readonly message: string;
  readonly hint: string;
  readonly start: number;
  readonly end: number;
}

/** The fault of a text that a path leads to, at its very characters. */
export function faultAt(
  { start, end, ...fault }: ExpressionFault,
  written: Written,
  path: Path,
  text: string,
): Diagnostic {
  return { ...fault, ...locateCharacters(written, path, text, { start, end }) };
}

/** Syntax errors: the parser reports its own names of tokens, which mean nothing to an author. */
const MISPLACED: ReadonlySet<string> = new Set([
  "unexpected_character",
  "unexpected_token",
  "expected_token",
]);

/** An expression that was parsed, or why a text is none. */
type ReadExpression =
  | { readonly parsed: ParseResult; readonly fault: null }
  | { readonly parsed: null; readonly fault: ExpressionFault };

/** Parses a text as an expression of a language, or of the grammar alone. */
export function readExpression(text: string, language?: Environment): ReadExpression {
  // A block ends with a line end, which would hide that a text before it is not closed.
  const written = text.trimEnd();
  try {
    return { parsed: parseExpression(written, language), fault: null };
  } catch (error) {
    // The parser's own limit counts brackets, and no long row of operators.
    if (error instanceof RangeError) return { parsed: null, fault: tooLarge(written) };
    if (!(error instanceof ParseError)) throw error;
    const isTooLarge = error.code === "limit_exceeded";
    return { parsed: null, fault: isTooLarge ? tooLarge(written) : syntaxFault(error, written) };
  }
}

function syntaxFault(error: ParseError, text: string): ExpressionFault {
  const start = error.range?.start ?? text.length;
  const whole = text.length;
  if (start >= whole)
    return say("expression/syntax#incomplete", {}, { start: Math.max(0, whole - 1), end: whole });
  const wide = (text.codePointAt(start) ?? 0) > 0xffff ? 2 : 1;
  const end = Math.min(Math.max(error.range?.end ?? start, start + wide), text.length);
  const at = { start, end };
  if (!MISPLACED.has(error.code)) return say("expression/syntax#other", { what: lowered(error.summary) }, at);
  const word = text.slice(start, end);
  const found = /^["']/.test(word) ? word : `"${word}"`;
  // `===` and `=>` are slips of another kind.
  const meant = /[=<>~]/.test(text.charAt(end)) || !Object.hasOwn(MEANT, word) ? undefined : MEANT[word];
  return meant === undefined
    ? say("expression/syntax#unexpected", { found }, at)
    : say("expression/syntax#meant", { found, meant }, at);
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

function tooLarge(text: string): ExpressionFault {
  return say("expression/too-large", {}, { start: 0, end: Math.min(1, text.length) });
}

function lowered(message: string): string {
  return message.charAt(0).toLowerCase() + message.slice(1);
}
