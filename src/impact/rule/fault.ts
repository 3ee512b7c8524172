import type { ASTNode } from "@marcbachmann/cel-js";
import { nodesOf, textIn } from "../../manifest/cel.js";
import { onceFor } from "../../model/onceFor.js";

/** A function of a rule failed for one person. The message names the function, and no value: values are personal data. */
export class RuleFault extends Error {
  constructor(name: string) {
    super(`the rule fails in ${name}`);
    this.name = "RuleFault";
  }
}

/** A rule asked for a fact that this run does not know. The answer for that person is unknown, not an error of the rule. */
export class NotRead extends Error {
  readonly what: string;
  readonly facts: NotReadFacts;

  constructor(what: string, facts: NotReadFacts = {}) {
    super(sentenceOf(what, facts, facts.named === undefined ? "" : " that it computes"));
    this.name = "NotRead";
    this.what = what;
    this.facts = facts;
  }

  /** The same, asked by a function. */
  askedBy(by: string): NotRead {
    return new NotRead(this.what, { ...this.facts, by });
  }

  /** The message, with the name of what was asked for where the expression itself writes it: a computed one may be of a person. */
  said(written: ReadonlySet<string>): string {
    const { named } = this.facts;
    return named !== undefined && written.has(named)
      ? sentenceOf(this.what, this.facts, ` ${named}`)
      : this.message;
  }
}

interface NotReadFacts {
  /** What it is called, where the expression says that: no message has it, but what `said` gives. */
  readonly named?: string;
  /** The function that asked; absent where the rule itself did. */
  readonly by?: string;
  /** Why it is not known; absent where it was not read. */
  readonly why?: string;
}

function sentenceOf(what: string, { by, why }: NotReadFacts, name: string): string {
  return `${by ?? "the rule"} asks for ${what}${name}, ${why ?? "which remit did not read"}`;
}

/** The texts that an expression writes. */
export const textsWrittenIn = onceFor(
  (ast: ASTNode): ReadonlySet<string> => new Set(nodesOf(ast).flatMap((node) => textIn(node) ?? [])),
  new WeakMap(),
);

/** What a function of a rule does, so that a fault of it, and a fact that was not read for it, have its name. */
export function calledAs(name: string, handler: (...values: never[]) => unknown) {
  return (...values: never[]): unknown => {
    try {
      return handler(...values);
    } catch (error) {
      throw error instanceof NotRead ? error.askedBy(name) : new RuleFault(name);
    }
  };
}
