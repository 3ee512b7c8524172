import { describe, expect, it } from "vitest";
import type { Statement } from "../../src/report/statement.js";

/** What a reader sees of a form: without mark-up, entities, escapes, line breaks and back-ticks. */
export function wordsOf(text: string): string {
  return text
    .replace(/<(?!\d)[^>]*>/g, "")
    .replace(/&#(\d+);/g, (_, number) => String.fromCharCode(Number(number)))
    .replace(/&lt;/g, "<")
    .replace(/&gt;/g, ">")
    .replace(/&quot;/g, '"')
    .replace(/&amp;/g, "&")
    .replace(/\\"/g, '"')
    .replace(/[`*\s]+/g, " ");
}

/** A sentence below its title does not say the title again. */
const TITLE = /^(People|Reviews): /;

/** The statements that a form does not show: neither their text nor any of their objects. */
export function missingIn(text: string, statements: readonly Statement[]): readonly string[] {
  const words = wordsOf(text);
  return statements.filter((one) => !words.includes(wordsOf(one.text.replace(TITLE, "")).trim())).map(keyOf);
}

/** What a reader sees of an outcome or a plan, in a form. */
export interface StatedSubject<Report> {
  readonly report: Report;
  /** Its statements, as far as the form has to show them. */
  readonly statements: readonly Statement[];
  readonly without: (report: Report, dropped: Statement) => Report;
}

/**
 * What every form keeps: it shows each statement of a report. Each is planted out as well, so that a form that drops one is
 * seen to fail.
 */
export function statementContract<Report>(
  name: string,
  { report, statements, without }: StatedSubject<Report>,
  render: (report: Report) => string | Promise<string>,
): void {
  describe(name, () => {
    it("shows every statement", async () => {
      expect(missingIn(await render(report), statements)).toEqual([]);
    });

    it.each(statements.map((one) => [keyOf(one), one] as const))("is caught without %s", async (key, one) => {
      expect(missingIn(await render(without(report, one)), statements)).toContain(key);
    });
  });
}

function keyOf({ code, text }: Statement): string {
  return `${code}: ${text}`;
}
