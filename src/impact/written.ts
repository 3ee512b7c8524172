import type { Environment } from "@marcbachmann/cel-js";
import { parseExpression, serialize, termsOf } from "../manifest/cel.js";
import { type Askable, bothReads, OF_ALL } from "./alike.js";
import { type Holding, holding, holdingOf } from "./holding.js";
import type { Person } from "./person.js";
import type { FieldsRead } from "./rule/fieldsRead.js";
import { MISSING, type Rule, readRule } from "./rule/rule.js";

type ReadableRule = Extract<Rule, { as: "rule" }>;

/**
 * An expression as a question about people. The answer for a person may be unknown, and one of the terms that all have to
 * hold may leave them out: then that is the answer.
 */
export function askableOf(expression: string, language: Environment): Askable {
  const rule = readRule(expression, language);
  if (rule.as === "rule") {
    let terms: readonly ReadableRule[] | null = null;
    const about = (person: Person) => {
      const held = holdingOf(rule, person);
      if (held.why === null || held.why === MISSING) return held;
      terms ??= termsIn(expression, language);
      return leftOutBy(terms, person) ?? held;
    };
    return { about, reads: rule.reads, isQuick: rule.isQuick };
  }
  const terms = termsIn(expression, language);
  const unknown = holding(null, rule.why);
  const about = (person: Person) => leftOutBy(terms, person) ?? unknown;
  const reads = terms.reduce<FieldsRead | null>((all, term) => bothReads(all, term.reads), OF_ALL.reads);
  return { about, reads, isQuick: terms.every(({ isQuick }) => isQuick) };
}

/** The terms of an expression that all have to hold, as far as they can be read; none where it is one term. */
function termsIn(expression: string, language: Environment): readonly ReadableRule[] {
  try {
    const terms = termsOf(parseExpression(expression).ast);
    if (terms.length < 2) return [];
    return terms.map((term) => readRule(serialize(term), language)).filter((term) => term.as === "rule");
  } catch {
    return [];
  }
}

/** What leaves a person out; null for nothing. */
function leftOutBy(terms: readonly ReadableRule[], person: Person): Holding | null {
  for (const term of terms) {
    const held = holdingOf(term, person);
    const isFalse = held.depends.length === 0 && held.under(new Set()) === false;
    if (isFalse || held.why === MISSING) return held;
  }
  return null;
}
