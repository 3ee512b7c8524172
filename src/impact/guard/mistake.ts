import type { ASTNode } from "@marcbachmann/cel-js";
import { asCall, nodesIn } from "../../manifest/cel.js";
import { type ExpressionFault, readExpression } from "../../manifest/expressions.js";
import { HAS } from "../../manifest/typedLanguage.js";
import { didYouMean } from "../../schema/didYouMean.js";
import { say } from "../../words/say.js";
import { mayGrow } from "../rule/cost.js";
import { isReserved, misreadPart } from "../rule/meaning.js";
import { type GuardLanguage, type GuardSubject, VARIABLES } from "./language.js";

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
  const { parsed, fault } = readExpression(written, language.environment);
  if (fault !== null) return fault;
  const whole = { start: 0, end: Math.max(1, written.length) };
  if (isReserved(written)) return say("guard/expression#reserved", {}, whole);
  if (mayGrow(parsed.ast)) return say("guard/expression#tooLarge", {}, whole);
  const misread = misreadPart(parsed.ast);
  if (misread !== null) return say("guard/expression#unread", { misread }, whole);
  const untyped = find(parsed.ast, (node) => node.op === "call" && node.args[0] === "dyn");
  if (untyped !== null) return say("guard/expression#dyn", {}, rangeOf(untyped, written));
  askForTypes(parsed.ast);
  const checked = parsed.check();
  if (!checked.valid) return typeFault(checked.error as unknown as TypeFault, about, language, written);
  if (checked.type !== "bool") return say("guard/expression#notBool", { type: `${checked.type}` }, whole);
  return wordFault(parsed.ast, words, written);
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
    const place = { ...at, hint: didYouMean(name, fields) };
    return say("guard/expression#noField", { what, name, fields }, place);
  }
  if (/^Unknown variable/.test(summary)) {
    const known = VARIABLES[about];
    const place = { ...at, hint: didYouMean(word, known) };
    return say("guard/expression#noName", { about, word, known }, place);
  }
  const [, called = ""] = /^found no matching overload for '(?:.*\.)?(\w+)\(/.exec(summary) ?? [];
  const functions = new Set(environment.getDefinitions().functions.map(({ name }) => name));
  if (called !== "" && !functions.has(called)) {
    const known = [...functions].filter((name) => !isReserved(name));
    return say("guard/expression#noFunction", { called }, { ...at, hint: didYouMean(called, known) });
  }
  return say("guard/expression#other", { what: summary.charAt(0).toLowerCase() + summary.slice(1) }, at);
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
  if (node.op === "call" && node.args[0] === "has") asCall(node, [HAS, node.args[1]]);
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
  const place = { ...rangeOf(found.at, text), hint: didYouMean(found.word, found.known) };
  return say("guard/expression#noWord", found, place);
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
