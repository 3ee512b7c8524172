import type { Diagnostic } from "../../../src/model/diagnostic.js";

/** A finding on one line, its carets from one column up to another. */
export function finding(
  text: string,
  [from, to]: readonly [from: number, to: number],
  more: Partial<Diagnostic> = {},
): Diagnostic {
  const line = more.span?.start.line ?? 14;
  return {
    code: "schema/one-of",
    severity: "error",
    message: "userCriteria and allUsers cannot both be set: a scope has one users_scope",
    span: { file: "reviews/q4.yaml", start: { line, column: from }, end: { line, column: to } },
    excerpt: { text, column: 1 },
    ...more,
  };
}

/** What a value may contain that a viewer could obey. */
export const HOSTILE = [
  "<script>alert(1)</script>",
  "a | b | c",
  "`rm -rf`",
  "\u001b[31mred\u001b]8;;http://x\u0007link",
  "one\ntwo\r\n::error::three",
  "::error file=x,line=1::forged",
  "##[error]forged ##vso[task.complete]x",
  "%0A::set-output name=x::y",
  "\u202egnitirw\u2066 \u200bhidden\u00ad",
  "nul\0 and \u0085 and \u2028",
  "lone \ud800 half",
  "[click](http://evil.example)",
  "tag \u{e0041}\u{e0042}",
] as const;
