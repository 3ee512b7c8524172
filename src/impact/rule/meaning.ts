import type { ASTNode, Environment } from "@marcbachmann/cel-js";
import { nodesOf } from "../../manifest/cel.js";
import { RuleFault } from "./fault.js";
import { NotRead } from "./notRead.js";
import { toDouble, toInt, toText } from "./numbers.js";
import { giveOperator, OPERATORS } from "./operators.js";
import { indexOf, lastIndexOf, lowerAscii, matching, substring, trim, upperAscii } from "./texts.js";
import { PARTS_OF_DURATION, PARTS_OF_MOMENT, toDuration, toMoment } from "./times.js";

/**
 * What the library gives another meaning than CEL. It lowers letters beyond ASCII, and reads an empty text as the number
 * 0. It takes regular expressions as JavaScript has them, finds no number of another type in a list, and counts days in
 * the machine's time zone. The library lets no one replace its functions and operators, so a rule is asked with others
 * under these names. The conformance data of CEL is their test.
 */
const PREFIX = "remit_";

type Handler = (...values: never[]) => unknown;

/** A function as the library declares it, and what it does: made once for each language. */
type Meaning = readonly [signature: string, make: () => Handler];

const MOMENT = "google.protobuf.Timestamp";
const DURATION = "google.protobuf.Duration";

const METHODS: readonly Meaning[] = [
  ["string.lowerAscii(): string", () => lowerAscii],
  ["string.upperAscii(): string", () => upperAscii],
  ["string.trim(): string", () => trim],
  ["string.matches(string): bool", matching],
  ["string.indexOf(string): int", () => indexOf],
  ["string.indexOf(string, int): int", () => indexOf],
  ["string.lastIndexOf(string): int", () => lastIndexOf],
  ["string.lastIndexOf(string, int): int", () => lastIndexOf],
  ["string.substring(int): string", () => substring],
  ["string.substring(int, int): string", () => substring],
  ...Object.entries(PARTS_OF_MOMENT).flatMap(([name, part]): Meaning[] => [
    [`${MOMENT}.${name}(): int`, () => part],
    [`${MOMENT}.${name}(string): int`, () => part],
  ]),
  ...Object.entries(PARTS_OF_DURATION).map(
    ([name, part]): Meaning => [`${DURATION}.${name}(): int`, () => part],
  ),
];

const FUNCTIONS: readonly Meaning[] = [
  ["int(dyn): int", () => toInt],
  ["double(dyn): double", () => toDouble],
  ["string(dyn): string", () => toText],
  [`timestamp(string): ${MOMENT}`, () => toMoment],
  [`timestamp(int): ${MOMENT}`, () => toMoment],
  [`duration(string): ${DURATION}`, () => toDuration],
];

const METHOD_NAMES: ReadonlySet<string> = new Set(METHODS.map(nameOf));
const FUNCTION_NAMES: ReadonlySet<string> = new Set(FUNCTIONS.map(nameOf));

function nameOf([signature]: Meaning): string {
  return /(\w+)\(/.exec(signature)?.[1] ?? "";
}

/** Registers them beside the library's own. */
export function registerMeaning(language: Environment): void {
  const operators = Object.entries(OPERATORS).map(
    ([name, [signature, handler]]) => [name, signature, () => handler] as const,
  );
  const functions = [...METHODS, ...FUNCTIONS].map((one) => [nameOf(one), ...one] as const);
  for (const [name, signature, make] of [...operators, ...functions]) {
    const handler = make();
    const asked = signature.replace(/\w+\(/, (called) => `${PREFIX}${called}`);
    language.registerFunction(asked, (...values: never[]) => {
      try {
        return handler(...values);
      } catch (error) {
        throw error instanceof NotRead ? error.askedBy(name) : new RuleFault(name);
      }
    });
  }
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
  return giveOperator(node, hasTimes, PREFIX);
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
