import { type ASTNode, type Environment, EvaluationError, type ParseResult } from "@marcbachmann/cel-js";
import type { Account } from "./account.js";
import type { Assumption } from "./assumption.js";
import { UNITS } from "./calendar.js";
import { showsTimeOfDay } from "./layout.js";
import { giveMeaning, isReserved } from "./meaning.js";
import { needsOfText } from "./needs.js";
import { nodesIn } from "./nodes.js";
import { NotRead } from "./notRead.js";
import type { Person } from "./person.js";
import { askForValues, asksForFields, FILLED_SUBJECT, filledFieldsOf } from "./presence.js";
import { RuleFault } from "./ruleFault.js";
import { mayGrow } from "./size.js";

/** Whether an expression holds for one person; `unknown` says why that is not known. */
export type Match = { readonly is: boolean } | { readonly unknown: string };

/** An expression that can be asked about people, or the reason why it cannot. */
export type Rule =
  | {
      readonly as: "rule";
      readonly ask: (subject: Person | Account) => Match;
      /** The answer where `has()` does not find a field without a value; null where the rule asks for none. */
      readonly askForValues: ((person: Person) => Match) | null;
      /** What its answers rest on. */
      readonly assumes: readonly Assumption[];
    }
  | { readonly as: "unreadable"; readonly why: string };

/** Reads an expression in a language. What the service would refuse to save is unreadable, with the name it refuses. */
export function readRule(expression: string, language: Environment): Rule {
  let parsed: ParseResult;
  let asked: ParseResult;
  try {
    parsed = language.parse(expression.trimEnd());
    asked = language.parse(expression.trimEnd());
  } catch (error) {
    return unreadable(summaryOf(error));
  }
  if (mayGrow(parsed.ast)) return unreadable("the expression makes values that are too large");
  const moment = timeOfDayIn(parsed.ast);
  if (moment !== null) return unreadable(`${moment} depends on the time of day`);
  const checked = parsed.check();
  if (!checked.valid) return unreadable(summaryOf(checked.error));
  if (isReserved(expression)) return unreadable("a name that begins with remit_ is not the service's");
  if (checked.type !== "bool" && checked.type !== "dyn")
    return unreadable("the expression is not true or false");
  giveMeaning(asked.ast);
  return {
    as: "rule",
    ask: (subject) => ask(asked, { subject }),
    askForValues: asksForFields(parsed.ast) ? byValues(language.parse(expression.trimEnd())) : null,
    assumes: needsOfText(expression).groups.length > 0 ? ["groupName"] : [],
  };
}

/** The same rule where `has()` finds only fields with a value. */
function byValues(parsed: ParseResult): (person: Person) => Match {
  giveMeaning(parsed.ast);
  if (!askForValues(parsed.ast)) return () => ({ unknown: "has() asks for a field of another user" });
  return (subject) => ask(parsed, { subject, [FILLED_SUBJECT]: filledFieldsOf(subject) });
}

function ask(parsed: ParseResult, facts: Readonly<Record<string, unknown>>): Match {
  try {
    const value: unknown = parsed(facts);
    return typeof value === "boolean" ? { is: value } : { unknown: "the rule is neither true nor false" };
  } catch (error) {
    if (error instanceof RangeError) return { unknown: "the rule is too deep" };
    if (error instanceof NotRead || error instanceof RuleFault) return { unknown: error.message };
    const isMissing = error instanceof EvaluationError && error.code === "no_such_key";
    // The key itself may be personal data.
    return { unknown: isMissing ? "the rule asks for a key that is not there" : "the rule fails" };
  }
}

const CLOCK_PARTS: ReadonlySet<string> = new Set(["getHours", "getMinutes", "getSeconds", "getMilliseconds"]);

// A plan counts for the start of the day, so that it is the same all day.
function timeOfDayIn(node: ASTNode): string | null {
  if (node.op === "rcall") {
    const [name, receiver, values] = node.args;
    const texts = values.flatMap(textsIn);
    if (CLOCK_PARTS.has(name)) return name;
    if (receiver.op !== "id" || receiver.args !== "time") return timeOfDayInside(node);
    if (name === "format" && (texts.length === 0 || texts.some(showsTimeOfDay))) return "time.format";
    const isCut = name === "truncate" || name === "start_of" || name === "end_of";
    if (
      isCut &&
      (texts.length === 0 || texts.some((unit) => UNITS[unit]?.isWithinDay !== false && !isZone(unit)))
    ) {
      return `time.${name}`;
    }
  }
  return timeOfDayInside(node);
}

function timeOfDayInside(node: ASTNode): string | null {
  for (const inner of nodesIn(node.args)) {
    const found = timeOfDayIn(inner);
    if (found !== null) return found;
  }
  return null;
}

/** The text that a part is: written as a literal, or as a name of `TimeFormat`. */
function textsIn(node: ASTNode): readonly string[] {
  if (node.op === "value" && typeof node.args === "string") return [node.args];
  const isFormat = node.op === "." && node.args[0].op === "id" && node.args[0].args === "TimeFormat";
  return isFormat ? [String(node.args[1]).toLowerCase()] : [];
}

function isZone(text: string): boolean {
  return text === "UTC" || text.includes("/");
}

function unreadable(why: string): Rule {
  return { as: "unreadable", why };
}

// The library's message shows the expression below its first line.
function summaryOf(error: unknown): string {
  if (error instanceof RangeError) return "the expression is too deep";
  const message = error instanceof Error ? error.message : "";
  return message.split("\n")[0]?.slice(0, 200) ?? "";
}
