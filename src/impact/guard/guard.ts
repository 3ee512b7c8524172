import { type ASTNode, EvaluationError, type ParseResult } from "@marcbachmann/cel-js";
import { asCall, nodesIn, parseExpression } from "../../manifest/cel.js";
import { NotRead, textsWrittenIn } from "../rule/fault.js";
import { giveMeaning } from "../rule/meaning.js";
import { askPeopleOnce } from "./asking.js";
import type { GuardInput, HeldFrom } from "./input.js";
import { type GuardLanguage, type GuardVariables, HAS } from "./language.js";

/** What a guard says of one input. What is unknown is never `passes`. */
export type GuardAnswer =
  | { readonly is: "passes" }
  | { readonly is: "trips"; readonly heldFrom: readonly HeldFrom[] }
  | { readonly is: "unknown"; readonly why: string };

/** An expression that can be asked about inputs. */
export interface AskedGuard {
  readonly ask: (input: GuardInput) => GuardAnswer;
  /** Whether it asks about each item of a list, so that its steps depend on lengths. */
  readonly isLooping: boolean;
  /** How many steps one answer takes at most. */
  readonly steps: (lengths: Lengths) => number;
}

/** Reads the expression of a guard, in which `guardFault` found nothing. */
export function readGuard(expression: string, language: GuardLanguage): AskedGuard {
  const read = () => parseExpression(expression.trimEnd(), language.environment);
  const written = read();
  const [least, isLooping] = [
    stepsOf(written.ast, { people: 0, steps: 0, others: 0 }),
    hasLoops(written.ast),
  ];
  const counts = new Map<string, number>();
  const parsed = read();
  askForFields(parsed.ast);
  giveMeaning(parsed.ast);
  const questions = askPeopleOnce(parsed.ast, language);
  return {
    ask: (input) => answerOf(parsed, language.facts(input, questions, textsWrittenIn(written.ast)), language),
    isLooping,
    steps: (lengths) => (isLooping ? counted(lengths) : least),
  };

  function counted({ people, steps, others }: Lengths): number {
    const name = `${people} ${steps} ${others}`;
    const count = counts.get(name) ?? stepsOf(written.ast, { people, steps, others });
    counts.set(name, count);
    return count;
  }
}

/** `has(a.b)` asks a itself whether b has a value. */
function askForFields(node: ASTNode): void {
  if (node.op === "call" && node.args[0] === "has") {
    const [asked] = node.args[1];
    if (asked?.op !== ".") throw new Error("has() asks for a field");
    const [of, name] = asked.args;
    asCall(node, [HAS, [of, parseExpression(JSON.stringify(name)).ast]]);
  }
  for (const inner of nodesIn(node.args)) askForFields(inner);
}

function answerOf(
  parsed: ParseResult,
  facts: GuardVariables,
  { hearing, heldFrom }: GuardLanguage,
): GuardAnswer {
  let value: unknown;
  let failure: string | null = null;
  try {
    value = parsed(facts);
  } catch (error) {
    failure = whyFailed(error);
  }
  // What was read and is not known decides, also where the answer seems not to depend on it.
  if (hearing.unknown !== null) return { is: "unknown", why: hearing.unknown };
  if (failure !== null) return { is: "unknown", why: failure };
  if (typeof value !== "boolean") return { is: "unknown", why: "the expression is neither true nor false" };
  return value ? { is: "trips", heldFrom: [...heldFrom].sort() } : { is: "passes" };
}

// No value of the input is named: it may be personal data.
function whyFailed(error: unknown): string {
  if (error instanceof NotRead) return error.askedBy("the guard").message;
  if (error instanceof RangeError) return "the expression is too deep";
  const isMissing = error instanceof EvaluationError && error.code === "no_such_key";
  return isMissing ? "the expression asks for a key that is not there" : "the expression fails";
}

/** How long the lists of a guard's input are. */
interface Lengths {
  readonly people: number;
  readonly steps: number;
  /** Of any other list, at most. */
  readonly others: number;
}

/** How many steps an evaluation takes at most, and how many items its value has. */
interface Cost {
  readonly steps: number;
  readonly items: number;
}

const PEOPLE: ReadonlySet<string> = new Set(["gain", "lose", "enter", "leave"]);
const MACROS: ReadonlySet<string> = new Set(["all", "exists", "exists_one", "filter", "map"]);

/** Whether an expression asks about each item of a list. */
function hasLoops(node: ASTNode): boolean {
  return (node.op === "rcall" && MACROS.has(node.args[0])) || nodesIn(node.args).some(hasLoops);
}

/** How many steps the evaluation of an expression takes at most: the same on every machine, unlike its time. */
function stepsOf(expression: ASTNode, lengths: Lengths): number {
  return costOf(expression, lengths, new Map()).steps;
}

function costOf(node: ASTNode, lengths: Lengths, bound: ReadonlyMap<string, number>): Cost {
  if (node.op === "id") return { steps: 1, items: bound.get(node.args) ?? lengths.others };
  if (node.op === "rcall" && MACROS.has(node.args[0])) return ofMacro(node, lengths, bound);
  const inner = nodesIn(node.args).map((one) => costOf(one, lengths, bound));
  const steps = inner.reduce((sum, one) => sum + one.steps, 1);
  const items = Math.max(lengths.others, ...inner.map((one) => one.items));
  if (node.op === "." && PEOPLE.has(node.args[1])) return { steps, items: lengths.people };
  if (node.op === "." && node.args[1] === "steps") return { steps, items: lengths.steps };
  if (node.op === ".") return { steps, items: lengths.others };
  // Lists may be tied together, and looked through one item at a time.
  if (node.op === "+") return { steps: steps + items, items: inner.reduce((sum, one) => sum + one.items, 0) };
  return node.op === "in" || node.op === "==" ? { steps: steps + items, items } : { steps, items };
}

function ofMacro(
  node: Extract<ASTNode, { readonly op: "rcall" }>,
  lengths: Lengths,
  bound: ReadonlyMap<string, number>,
): Cost {
  const [, receiver, [variable, ...bodies]] = node.args;
  const list = costOf(receiver, lengths, bound);
  const inside = variable?.op === "id" ? new Map([...bound, [variable.args, lengths.others]]) : bound;
  const body = bodies.reduce((sum, one) => sum + costOf(one, lengths, inside).steps, 1);
  return { steps: list.steps + list.items * body, items: list.items };
}
