import { type Environment, EvaluationError, type ParseResult } from "@marcbachmann/cel-js";
import { parseExpression } from "../../manifest/cel.js";
import type { Account } from "../account.js";
import type { Assumption } from "../assumption.js";
import type { Person } from "../person.js";
import { isQuick, mayGrow } from "./cost.js";
import { type AskedMoments, giveMoments, momentsIn } from "./day.js";
import { NotRead, RuleFault, textsWrittenIn } from "./fault.js";
import { type FieldsRead, fieldsReadBy } from "./fieldsRead.js";
import { giveMeaning, isReserved, misreadPart } from "./meaning.js";
import { needsOfExpression } from "./needs.js";
import { askForValues, asksForFields, FILLED_SUBJECT, filledFieldsOf } from "./presence.js";

/** Whether an expression holds for one person; `unknown` says why that is not known. */
export type Match = { readonly is: boolean } | { readonly unknown: string };

/** An expression that can be asked about people, or about other subjects, or the reason why it cannot. */
export type Rule<S = Person | Account> =
  | {
      readonly as: "rule";
      readonly ask: (subject: S) => Match;
      /** The answer where `has()` does not find a field without a value; null where the rule asks for none. */
      readonly askForValues: ((person: Person) => Match) | null;
      /** What of its subject decides the answer; null where anything may. */
      readonly reads: FieldsRead | null;
      /** Whether it needs no limit of time. */
      readonly isQuick: boolean;
      /** What its answers rest on. */
      readonly assumes: readonly Assumption[];
    }
  | { readonly as: "unreadable"; readonly why: string };

/** Why the answer for a person is unknown who lacks what the rule asks for: the service leaves them out, and says nothing. */
export const MISSING = "the rule asks for a key that is not there";

/** The variables of a language, for one subject. */
type FactsOf<S> = (subject: S) => Readonly<Record<string, unknown>>;

/** Reads an expression about people in a language. */
export function readRule(expression: string, language: Environment): Rule {
  return readRuleAbout(expression, language, (subject) => ({ subject }));
}

/** Reads an expression in a language. What the service would refuse to save is unreadable, with the name it refuses. */
export function readRuleAbout<S>(expression: string, language: Environment, factsOf: FactsOf<S>): Rule<S> {
  const read = () => parseExpression(expression, language);
  let parsed: ParseResult;
  let moments: AskedMoments;
  try {
    parsed = read();
    if (mayGrow(parsed.ast)) return unreadable("the expression makes values that are too large");
    const misread = misreadPart(parsed.ast);
    if (misread !== null) return unreadable(`the expression has ${misread}`);
    moments = momentsIn(parsed.ast);
  } catch (error) {
    return unreadable(summaryOf(error));
  }
  if ("problem" in moments) return unreadable(`${moments.problem} depends on the time of day`);
  const facts = {
    reads: fieldsReadBy(parsed.ast),
    isQuick: isQuick(expression, parsed.ast),
    assumes: needsOfExpression(parsed.ast).groups.length > 0 ? (["groupName"] as const) : [],
  };
  const isAskedForValues = asksForFields(parsed.ast);
  // Most rules are asked as they are written, so that one tree is checked and asked.
  const isAsWritten = !giveEnds(parsed, 0);
  const checked = (isAsWritten ? parsed : read()).check();
  if (!checked.valid) return unreadable(summaryOf(checked.error));
  if (isReserved(expression)) return unreadable("a name that begins with remit_ is not the service's");
  if (checked.type !== "bool" && checked.type !== "dyn")
    return unreadable("the expression is not true or false");
  const otherEnds = Array.from({ length: 2 ** moments.places - 1 }, (_, ends) => ends + 1);
  const others = otherEnds.map((ends) => () => atEnds(read(), ends));
  const anew = [() => atEnds(read(), 0), ...others];
  return {
    as: "rule",
    ask: allDay([byFields(parsed, factsOf), ...others.map((spell) => byFields(spell(), factsOf))]),
    askForValues: isAskedForValues ? allDay(anew.map((spell) => byValues(spell()))) : null,
    ...facts,
  };
}

/** An expression that was just parsed, for one choice of the ends of the day. */
function atEnds(parsed: ParseResult, ends: number): ParseResult {
  giveEnds(parsed, ends);
  return parsed;
}

/** Lets an expression that was just parsed be asked for one choice of the ends of the day; whether that changed it. */
function giveEnds({ ast }: ParseResult, ends: number): boolean {
  const hasMoments = giveMoments(ast, ends);
  return giveMeaning(ast) || hasMoments;
}

/** The one answer for all choices of the ends of the day; unknown where they differ. */
function allDay<S>(choices: readonly ((subject: S) => Match)[]): (subject: S) => Match {
  const [first, ...others] = choices;
  if (first === undefined) throw new Error("there is always a first choice");
  if (others.length === 0) return first;
  return (subject) => {
    const answer = first(subject);
    if (!("is" in answer)) return answer;
    for (const other of others) {
      const later = other(subject);
      if (!("is" in later)) return later;
      if (later.is !== answer.is) return { unknown: "the answer of now() changes in the course of the day" };
    }
    return answer;
  };
}

function byFields<S>(parsed: ParseResult, factsOf: FactsOf<S>): (subject: S) => Match {
  return (subject) => ask(parsed, factsOf(subject));
}

/** The same rule where `has()` finds only fields with a value. */
function byValues(parsed: ParseResult): (person: Person) => Match {
  if (!askForValues(parsed.ast)) return () => ({ unknown: "has() asks for a field of another user" });
  return (subject) => ask(parsed, { subject, [FILLED_SUBJECT]: filledFieldsOf(subject) });
}

function ask(parsed: ParseResult, facts: Readonly<Record<string, unknown>>): Match {
  try {
    const value: unknown = parsed(facts);
    return typeof value === "boolean" ? { is: value } : { unknown: "the rule is neither true nor false" };
  } catch (error) {
    if (error instanceof RangeError) return { unknown: "the rule is too deep" };
    if (error instanceof NotRead) return { unknown: error.said(textsWrittenIn(parsed.ast)) };
    if (error instanceof RuleFault) return { unknown: error.message };
    const isMissing = error instanceof EvaluationError && error.code === "no_such_key";
    // The key itself may be personal data.
    return { unknown: isMissing ? MISSING : "the rule fails" };
  }
}

function unreadable(why: string): Extract<Rule, { readonly as: "unreadable" }> {
  return { as: "unreadable", why };
}

// The library's message shows the expression below its first line.
function summaryOf(error: unknown): string {
  if (error instanceof RangeError) return "the expression is too deep";
  const message = error instanceof Error ? error.message : "";
  return message.split("\n")[0]?.slice(0, 200) ?? "";
}
