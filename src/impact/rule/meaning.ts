import type { ASTNode, Environment } from "@marcbachmann/cel-js";
import { nodesIn } from "../../manifest/cel.js";
import { RFC3339 } from "./calendar.js";
import { RuleFault } from "./fault.js";
import { NotRead } from "./notRead.js";
import { patternOf } from "./pattern.js";

/**
 * Functions that the library gives another meaning than CEL: it lowers letters beyond ASCII, reads an empty text as the
 * number 0, and takes regular expressions as JavaScript has them. The library lets no one replace them, so a rule is
 * asked with others under these names.
 */
const PREFIX = "remit_";

type Handler = (...values: never[]) => unknown;

interface Meaning {
  /** What stands for the function, as the library declares it. */
  readonly signature: string;
  /** What it does, made once for each language. */
  readonly make: () => Handler;
}

const METHODS: Readonly<Record<string, readonly Meaning[]>> = {
  lowerAscii: [{ signature: "string.lowerAscii(): string", make: () => lowerAscii }],
  upperAscii: [{ signature: "string.upperAscii(): string", make: () => upperAscii }],
  matches: [{ signature: "string.matches(string): bool", make: matching }],
  indexOf: [{ signature: "string.indexOf(string): int", make: () => indexOf }],
  substring: [
    { signature: "string.substring(int): string", make: () => substring },
    { signature: "string.substring(int, int): string", make: () => substring },
  ],
};

const FUNCTIONS: Readonly<Record<string, readonly Meaning[]>> = {
  int: [{ signature: "int(dyn): int", make: () => toInt }],
  double: [{ signature: "double(dyn): double", make: () => toDouble }],
  timestamp: [{ signature: "timestamp(string): google.protobuf.Timestamp", make: () => toMoment }],
};

/** Registers them beside the library's own. */
export function registerMeaning(language: Environment): void {
  for (const [name, meanings] of [...Object.entries(METHODS), ...Object.entries(FUNCTIONS)]) {
    for (const { signature, make } of meanings) {
      const handler = make();
      language.registerFunction(signature.replace(`${name}(`, `${PREFIX}${name}(`), (...values: never[]) => {
        try {
          return handler(...values);
        } catch (error) {
          throw error instanceof NotRead ? error.askedBy(name) : new RuleFault(name);
        }
      });
    }
  }
}

/** Lets an expression that was just parsed ask them. */
export function giveMeaning(node: ASTNode): void {
  const names = node.op === "rcall" ? METHODS : node.op === "call" ? FUNCTIONS : {};
  if ((node.op === "rcall" || node.op === "call") && Object.hasOwn(names, node.args[0])) {
    rename(node.args, `${PREFIX}${node.args[0]}`);
  }
  for (const inner of nodesIn(node.args)) giveMeaning(inner);
}

/** Whether an expression writes such a name itself: the service does not know them. */
export function isReserved(expression: string): boolean {
  return new RegExp(`\\b${PREFIX}`).test(expression);
}

// The tree belongs to this expression alone, and the library has not looked at it yet.
function rename(args: readonly unknown[], name: string): void {
  (args as unknown[])[0] = name;
}

function lowerAscii(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

function upperAscii(text: string): string {
  return text.replace(/[a-z]+/g, (letters) => letters.toUpperCase());
}

// A rule asks with one pattern about everyone; one that is made from a person is not kept for long.
const PATTERNS_KEPT = 50;

/** `matches`, which translates each pattern once. */
function matching(): Handler {
  const patterns = new Map<string, RegExp | null>();
  return (text: string, written: string) => {
    const pattern = patterns.get(written) ?? patternOf(written);
    if (patterns.size < PATTERNS_KEPT) patterns.set(written, pattern);
    return matches(text, pattern);
  };
}

function matches(text: string, pattern: RegExp | null): boolean {
  if (pattern === null) throw new NotRead("a regular expression that remit does not translate");
  return pattern.test(text);
}

// The library counts halves of signs beyond the first 65,536; CEL counts signs.
function indexOf(text: string, part: string): bigint {
  const at = text.indexOf(part);
  return BigInt(at < 0 ? at : [...text.slice(0, at)].length);
}

function substring(text: string, start: bigint, end?: bigint): string {
  const signs = [...text];
  const [from, to] = [Number(start), Number(end ?? signs.length)];
  if (from < 0 || to > signs.length || to < from) throw new Error("out of range");
  return signs.slice(from, to).join("");
}

function toInt(value: unknown): bigint {
  if (typeof value === "bigint") return inRange(value);
  if (typeof value === "number" && Number.isFinite(value)) return inRange(BigInt(Math.trunc(value)));
  if (typeof value === "string" && /^[+-]?\d{1,19}$/.test(value))
    return inRange(BigInt(value.replace(/^\+/, "")));
  throw new Error("not a whole number");
}

function inRange(value: bigint): bigint {
  if (BigInt.asIntN(64, value) !== value) throw new Error("too large");
  return value;
}

function toDouble(value: unknown): number {
  if (typeof value === "number") return value;
  if (typeof value === "bigint") return Number(value);
  if (typeof value === "string" && /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/.test(value))
    return Number(value);
  throw new Error("not a number");
}

function toMoment(text: string): Date {
  const moment = RFC3339.test(text) ? new Date(text) : null;
  if (moment === null || Number.isNaN(moment.getTime())) throw new Error("not a time");
  return moment;
}
