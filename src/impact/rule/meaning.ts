import type { ASTNode, Environment } from "@marcbachmann/cel-js";
import { GRAMMAR, nodesOf, replaceNode } from "../../manifest/cel.js";
import { calledAs, NotRead } from "./fault.js";
import { divided, negated, toDouble, toInt, toText } from "./numbers.js";
import { patternOf } from "./pattern.js";
import { minus, PARTS_OF_DURATION, PARTS_OF_MOMENT, plus, toDuration, toMoment } from "./times.js";
import { areEqual, chosen, compareValues, isWithin, toKey } from "./values.js";

/**
 * What the library gives another meaning than CEL. It lowers letters beyond ASCII, and reads an empty text as the number
 * 0. It takes regular expressions as JavaScript has them, finds no number of another type in a list, and counts days in
 * the machine's time zone. The library lets no one replace its functions and operators, so a rule is asked with others
 * under these names. The conformance data of CEL is their test.
 */
const PREFIX = "remit_";

type Handler = (...values: never[]) => unknown;

/** A function as the library declares it, and what it does. */
type Meaning = readonly [signature: string, handler: Handler];

const MOMENT = "google.protobuf.Timestamp";

const DURATION = "google.protobuf.Duration";

/** The one method that is made for each language, since it keeps patterns. */
const MATCHES = "string.matches(string): bool";

const METHODS: readonly Meaning[] = [
  ["string.lowerAscii(): string", lowerAscii],
  ["string.upperAscii(): string", upperAscii],
  ["string.trim(): string", trim],
  ["string.indexOf(string): int", indexOf],
  ["string.indexOf(string, int): int", indexOf],
  ["string.lastIndexOf(string): int", lastIndexOf],
  ["string.lastIndexOf(string, int): int", lastIndexOf],
  ["string.substring(int): string", substring],
  ["string.substring(int, int): string", substring],
  ...Object.entries(PARTS_OF_MOMENT).flatMap(([name, part]): Meaning[] => [
    [`${MOMENT}.${name}(): int`, part],
    [`${MOMENT}.${name}(string): int`, part],
  ]),
  ...Object.entries(PARTS_OF_DURATION).map(([name, part]): Meaning => [`${DURATION}.${name}(): int`, part]),
];

const FUNCTIONS: readonly Meaning[] = [
  ["int(dyn): int", toInt],
  ["double(dyn): double", toDouble],
  ["string(dyn): string", toText],
  [`timestamp(string): ${MOMENT}`, toMoment],
  [`timestamp(int): ${MOMENT}`, toMoment],
  [`duration(string): ${DURATION}`, toDuration],
];

const METHOD_NAMES: ReadonlySet<string> = new Set(
  [MATCHES, ...METHODS.map(([signature]) => signature)].map(nameOf),
);

const FUNCTION_NAMES: ReadonlySet<string> = new Set(FUNCTIONS.map(([signature]) => nameOf(signature)));

/** What stands for an operator of CEL: a function of its two sides, or of one key. */
const OPERATORS: Readonly<Record<string, Meaning>> = {
  "==": ["equal(dyn, dyn): bool", areEqual],
  "!=": ["notEqual(dyn, dyn): bool", (one, other) => !areEqual(one, other)],
  "<": ["less(dyn, dyn): bool", (one, other) => compareValues(one, other) === -1],
  ">": ["more(dyn, dyn): bool", (one, other) => compareValues(one, other) === 1],
  "<=": ["notMore(dyn, dyn): bool", (one, other) => [-1, 0].includes(compareValues(one, other) ?? 1)],
  ">=": ["notLess(dyn, dyn): bool", (one, other) => [1, 0].includes(compareValues(one, other) ?? -1)],
  in: ["within(dyn, dyn): bool", isWithin],
  "+": ["plus(dyn, dyn): dyn", plus],
  "-": ["minus(dyn, dyn): dyn", minus],
  "/": ["divided(dyn, dyn): dyn", divided],
  "-_": ["negated(dyn): dyn", negated],
  ".": ["chosen(dyn, dyn): dyn", chosen],
  key: ["key(dyn): dyn", toKey],
};

// A rule asks with one pattern about everyone; one that is made from a person is not kept for long.
const PATTERNS_KEPT = 50;

// JavaScript has no U+0085 among its white space, and the mark of a byte order in addition.
const SPACES = "[\\p{White_Space}]+";

const OUTER_SPACES = new RegExp(`^${SPACES}|${SPACES}$`, "gu");

function nameOf(signature: string): string {
  return /(\w+)\(/.exec(signature)?.[1] ?? "";
}

/** Registers them beside the library's own. */
export function registerMeaning(language: Environment): void {
  const register = (name: string, [signature, handler]: Meaning) => {
    const asked = signature.replace(/\w+\(/, (called) => `${PREFIX}${called}`);
    language.registerFunction(asked, calledAs(name, handler));
  };
  for (const [name, meaning] of Object.entries(OPERATORS)) register(name, meaning);
  register(nameOf(MATCHES), [MATCHES, matching()]);
  for (const meaning of [...METHODS, ...FUNCTIONS]) register(nameOf(meaning[0]), meaning);
}

/** Lets an expression that was just parsed ask them; gives whether that changed it. */
export function giveMeaning(ast: ASTNode): boolean {
  const nodes = nodesOf(ast);
  const hasTimes = nodes.some(givesTime);
  let isChanged = false;
  for (const node of nodes) isChanged = giveNode(node, hasTimes) || isChanged;
  return isChanged;
}

function giveNode(node: ASTNode, hasTimes: boolean): boolean {
  if (node.op === "rcall" && METHOD_NAMES.has(node.args[0])) return rename(node.args, node.args[0]);
  if (node.op === "call" && FUNCTION_NAMES.has(node.args[0])) return rename(node.args, node.args[0]);
  return giveOperator(node, hasTimes);
}

/** What an expression has that the library reads as something else; null for nothing. */
export function misreadPart(ast: ASTNode): string | null {
  for (const node of nodesOf(ast)) {
    const isBytes = node.op === "value" && node.args instanceof Uint8Array;
    if (isBytes && /[^\0-\x7f]/.test(node.input.slice(node.start, node.end)))
      return "bytes written as letters beyond ASCII";
    if (node.op === "map" && hasKeyTwice(node.args)) return "a map with the same key twice";
  }
  return null;
}

/** Whether two keys of a map that are literals are the same, which the service's library refuses. */
function hasKeyTwice(entries: readonly (readonly [ASTNode, ASTNode])[]): boolean {
  const keys = entries.flatMap(([key]) => (key.op === "value" ? [String(key.args)] : []));
  return new Set(keys).size < keys.length;
}

function givesTime(node: ASTNode): boolean {
  if (node.op === "id") return node.args === "time";
  return node.op === "call" && /^(duration|timestamp|now|remit_day\w+)$/.test(node.args[0]);
}

/** Whether an expression writes such a name itself: the service does not know them. */
export function isReserved(expression: string): boolean {
  return new RegExp(`\\b${PREFIX}`).test(expression);
}

// The tree belongs to this expression alone, and the library has not looked at it yet.
function rename(args: readonly unknown[], name: string): true {
  (args as unknown[])[0] = `${PREFIX}${name}`;
  return true;
}

/**
 * Lets a node of an expression that was just parsed ask them; gives whether that changed it. `hasTimes`: whether the
 * expression has moments, whose sums the library does not have right.
 */
function giveOperator(node: ASTNode, hasTimes: boolean): boolean {
  function stand(sides: readonly ASTNode[], name: string = node.op): true {
    replaceNode(node, call(name, sides));
    return true;
  }

  switch (node.op) {
    case "==":
    case "!=":
      // The library has these right, and rules are full of them.
      return !node.args.some(isPlainLiteral) && stand(node.args);
    case "<":
    case ">":
    case "<=":
    case ">=":
    case "/":
      return stand(node.args);
    case "in":
      return stand([node.args[0], keysOf(node.args[1])]);
    case "-_":
      return stand([node.args]);
    case "+":
    case "-":
      return hasTimes && stand(node.args);
    case ".":
      return isOptional(node.args[0]) && stand([node.args[0], literal(node.args[1])]);
    case "[]":
      return isOptional(node.args[0]) && stand(node.args, ".");
    case "map":
      return node.args.map(guardKey).includes(true);
    default:
      return false;
  }
}

/** The keys of a map that is written as one: the library keeps a key as a text, and "1" is not 1. */
function keysOf(container: ASTNode): ASTNode {
  if (container.op !== "map" || container.args.some(([, value]) => value.op !== "value")) return container;
  const keys = GRAMMAR.parse("[]").ast;
  return Object.assign(keys, { args: container.args.map(([key]) => key) });
}

function isPlainLiteral(node: ASTNode): boolean {
  return node.op === "value" && (typeof node.args === "string" || typeof node.args === "boolean");
}

/** Whether a part is a row of fields that begins with an optional one. */
function isOptional(part: ASTNode): boolean {
  let node = part;
  while (node.op === "." || node.op === "[]") node = node.args[0];
  return node.op === ".?" || node.op === "[?]";
}

// Every other literal of a map is a key that CEL has.
function guardKey(entry: [ASTNode, ASTNode]): boolean {
  const [key] = entry;
  if (key.op === "value" && typeof key.args === "string") return false;
  entry[0] = call("key", [key]);
  return true;
}

function call(operator: string, sides: readonly ASTNode[]): ASTNode {
  const [signature = ""] = OPERATORS[operator] ?? [];
  const made = GRAMMAR.parse(`${PREFIX}${nameOf(signature)}()`).ast;
  (made.args as unknown[])[1] = sides;
  return made;
}

function literal(text: string): ASTNode {
  return GRAMMAR.parse(JSON.stringify(text)).ast;
}

/** Lowers the letters of ASCII alone. */
function lowerAscii(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/** Raises the letters of ASCII alone. */
function upperAscii(text: string): string {
  return text.replace(/[a-z]+/g, (letters) => letters.toUpperCase());
}

/** `matches` of CEL, which translates each pattern once. */
function matching(): (text: string, written: string) => boolean {
  const patterns = new Map<string, RegExp | null>();
  return (text, written) => {
    const pattern = patterns.get(written) ?? patternOf(written);
    if (patterns.size < PATTERNS_KEPT) patterns.set(written, pattern);
    return matches(text, pattern);
  };
}

function matches(text: string, pattern: RegExp | null): boolean {
  if (pattern === null) throw new NotRead("a regular expression that remit does not translate");
  return pattern.test(text);
}

/** A text without the white space around it. */
function trim(text: string): string {
  return text.replace(OUTER_SPACES, "");
}

/** The place of a part of a text, in signs: JavaScript counts halves of those beyond the first 65,536. */
function indexOf(text: string, part: string, from = 0n): bigint {
  const [signs, wanted] = [[...text], [...part]];
  if (from < 0n || from > signs.length) throw new Error("out of range");
  return BigInt(placeOf(signs, wanted, Number(from), signs.length - wanted.length, 1));
}

/** The last place of a part of a text, in signs. */
function lastIndexOf(text: string, part: string, to?: bigint): bigint {
  const [signs, wanted] = [[...text], [...part]];
  const last = signs.length - wanted.length;
  if (to !== undefined && (to < 0n || to >= signs.length)) throw new Error("out of range");
  return BigInt(placeOf(signs, wanted, Math.min(Number(to ?? last), last), 0, -1));
}

function placeOf(
  signs: readonly string[],
  wanted: readonly string[],
  from: number,
  to: number,
  step: 1 | -1,
): number {
  for (let at = from; step > 0 ? at <= to : at >= to; at += step) {
    if (wanted.every((sign, place) => signs[at + place] === sign)) return at;
  }
  return -1;
}

/** A part of a text, by places in signs. */
function substring(text: string, start: bigint, end?: bigint): string {
  const signs = [...text];
  const [from, to] = [Number(start), Number(end ?? signs.length)];
  if (from < 0 || to > signs.length || to < from) throw new Error("out of range");
  return signs.slice(from, to).join("");
}
