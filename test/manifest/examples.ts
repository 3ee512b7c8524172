import { readFileSync } from "node:fs";

const TEXT = readFileSync(new URL("../../docs/service/cel-examples.tsv", import.meta.url), "utf8");

/** An expression of the service's documentation, and what is known of it. */
export interface Example {
  readonly number: string;
  /** `U` for a user, `A` for an account. */
  readonly subject: string;
  readonly check: string;
  readonly result: string;
  readonly expression: string;
}

/** The documented expressions. One of them has two lines. */
export const examples = TEXT.split(/\n(?=\d+\t)/)
  .slice(1)
  .map((line): Example => {
    const [number = "", , subject = "", check = "", result = "", ...expression] = line.trimEnd().split("\t");
    return { number, subject, check, result, expression: expression.join("\t") };
  });
