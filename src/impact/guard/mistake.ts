import type { ASTNode } from "@marcbachmann/cel-js";
import { nodesIn, parseExpression } from "../../manifest/cel.js";
import { type ExpressionFault, expressionFault } from "../../manifest/expressions.js";
import { didYouMean } from "../../schema/didYouMean.js";
import { isReserved, misreadPart } from "../rule/meaning.js";
import { mayGrow } from "../rule/size.js";
import { asCall, type GuardLanguage, type GuardSubject, HAS_CHECKED, VARIABLES } from "./language.js";

/** The words of a step's fields that have a fixed set of values. */
type Words = Readonly<Record<"action" | "kind", readonly string[]>>;

/** What is wrong with the expression of a guard, at its characters; null for nothing. Every field that it names must exist. */
export function guardFault(
  expression: string,
  about: GuardSubject,
  language: GuardLanguage,
  words: Words,
): ExpressionFault | null {
  const written = expression.trimEnd();
  const syntax = expressionFault(written);
  if (syntax !== undefined) return syntax;
  const whole = { start: 0, end: Math.max(1, written.length) };
  if (isReserved(written))
    return { ...fault("a name that begins with remit_ is not known", EXAMPLE), ...whole };
  const parsed = parseExpression(written, language.environment);
  if (mayGrow(parsed.ast))
    return { ...fault("the expression makes values that are too large", EXAMPLE), ...whole };
  const misread = misreadPart(parsed.ast);
  if (misread !== null) return { ...fault(`remit does not read ${misread}`, EXAMPLE), ...whole };
  const untyped = find(parsed.ast, (node) => node.op === "call" && node.args[0] === "dyn");
  if (untyped !== null)
    return {
      ...fault("dyn() hides which fields there are", "Name the fields without it."),
      ...rangeOf(untyped, written),
    };
  askForTypes(parsed.ast);
  const checked = parsed.check();
  if (!checked.valid) return typeFault(checked.error as unknown as TypeFault, about, language, written);
  if (checked.type !== "bool")
    return { ...fault(`a guard is true or false, and this is ${checked.type}`, EXAMPLE), ...whole };
  return wordFault(parsed.ast, words, written);
}

const EXAMPLE = 'For example: size(people.gain) > 10 && step.action == "update".';

function fault(message: string, hint: string): Omit<ExpressionFault, "start" | "end"> {
  return { code: "guard/expression", severity: "error", message, hint };
}

/** What the library's checker says: its types do not declare all of it. */
interface TypeFault {
  readonly code: string;
  readonly summary: string;
  readonly range?: { readonly start: number; readonly end: number };
  readonly node?: ASTNode;
}

function typeFault(
  { code, summary, range, node }: TypeFault,
  about: GuardSubject,
  { environment, declared }: GuardLanguage,
  text: string,
): ExpressionFault {
  const [start, end] = [range?.start ?? 0, Math.max((range?.start ?? 0) + 1, range?.end ?? text.length)];
  const at = { start, end };
  const word = text.slice(start, end);
  if (code === "no_such_key") {
    const of = node === undefined ? undefined : nodesIn(node.args)[0];
    const type = typeNameOf(of);
    const from = of === undefined ? { start: 0, end: 0 } : rangeOf(of, text);
    const name = /(\w+)\W*$/.exec(word)?.[1] ?? word;
    const fields = [...(declared.get(type)?.fields.keys() ?? FIELDS[type] ?? [])];
    const what = type === "User" ? "a person" : text.slice(from.start, from.end);
    return {
      ...fault(
        `${what} has no field ${name}`,
        didYouMean(name, fields) ?? `The fields are ${fields.join(", ")}.`,
      ),
      ...at,
    };
  }
  if (/^Unknown variable/.test(summary)) {
    const known = VARIABLES[about];
    const hint = didYouMean(word, known) ?? `The names are ${known.join(", ")}.`;
    return {
      ...fault(`a guard about ${about === "step" ? "a step" : "a plan"} has no ${word}`, hint),
      ...at,
    };
  }
  const [, called = ""] = /^found no matching overload for '(?:.*\.)?(\w+)\(/.exec(summary) ?? [];
  const functions = new Set(environment.getDefinitions().functions.map(({ name }) => name));
  if (called !== "" && !functions.has(called)) {
    const known = [...functions].filter((name) => !isReserved(name));
    return { ...fault(`a guard has no function ${called}`, didYouMean(called, known) ?? EXAMPLE), ...at };
  }
  return { ...fault(summary.charAt(0).toLowerCase() + summary.slice(1), EXAMPLE), ...at };
}

const FIELDS: Readonly<Record<string, readonly string[]>> = {
  People: ["gain", "lose", "enter", "leave", "keep"],
  Plan: ["steps"],
  User: [
    "id",
    "displayName",
    "email",
    "username",
    "department",
    "jobTitle",
    "employmentType",
    "employmentStatus",
    "manager",
    "manager_id",
    "status",
    "directoryStatus",
    "type",
    "profile",
  ],
};

function typeNameOf(node: ASTNode | undefined): string {
  return (node as { readonly checkedType?: { readonly name: string } } | undefined)?.checkedType?.name ?? "";
}

/** `has(a.b)` checks that there is a field b: the library checks nothing of it. */
function askForTypes(node: ASTNode): void {
  if (node.op === "call" && node.args[0] === "has") asCall(node, [HAS_CHECKED, node.args[1]]);
  for (const inner of nodesIn(node.args)) askForTypes(inner);
}

/** A comparison of a field with a word that it never has: it would pass silently. */
function wordFault(ast: ASTNode, words: Words, text: string): ExpressionFault | null {
  const wrong = find(ast, (node) => {
    if (node.op !== "==" && node.op !== "!=" && node.op !== "in") return false;
    const [one, other] = node.args;
    return unknownWord(one, other, words) !== null || unknownWord(other, one, words) !== null;
  });
  if (wrong === null || (wrong.op !== "==" && wrong.op !== "!=" && wrong.op !== "in")) return null;
  const [one, other] = wrong.args;
  const found = unknownWord(one, other, words) ?? unknownWord(other, one, words);
  if (found === null) return null;
  const hint = didYouMean(found.word, found.known) ?? `They are ${found.known.join(", ")}.`;
  return { ...fault(`no step has the ${found.field} ${found.word}`, hint), ...rangeOf(found.at, text) };
}

function unknownWord(field: ASTNode, value: ASTNode, words: Words) {
  if (field.op !== "." || typeNameOf(field.args[0]) !== "Step") return null;
  const [, name] = field.args;
  if (name !== "action" && name !== "kind") return null;
  const known = words[name];
  const written = value.op === "list" ? value.args : [value];
  for (const at of written)
    if (at.op === "value" && typeof at.args === "string" && !known.includes(at.args))
      return { field: name, word: at.args, known, at };
  return null;
}

function find(node: ASTNode, is: (node: ASTNode) => boolean): ASTNode | null {
  if (is(node)) return node;
  for (const inner of nodesIn(node.args)) {
    const found = find(inner, is);
    if (found !== null) return found;
  }
  return null;
}

function rangeOf(node: ASTNode, text: string): { readonly start: number; readonly end: number } {
  const { range } = node as { readonly range?: { readonly start: number; readonly end: number } };
  return range ?? { start: 0, end: text.length };
}
