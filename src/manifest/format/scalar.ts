import { type Scalar, Schema } from "yaml";
import { once } from "../../model/once.js";
import type { Spelling } from "./layout.js";

// Indicators at the start, space at the ends, what ends a plain text early, and all that is better escaped.
const NEVER_PLAIN = /^$|^[-?:,[\]{}#&*!|>'"%@`]|^\.\.\.|^\s|[\s:]$|:\s| #|[\p{C}\p{Zl}\p{Zp}\t]/u;
const FLOW_INDICATOR = /[,[\]{}]/;

/** A scalar in the canonical spelling that means the same: plain text stays, quotes go where nothing needs them. */
export function spell(node: Scalar.Parsed, source: string): Spelling {
  const raw = source.slice(node.range[0], node.range[1]);
  if (node.type === "BLOCK_LITERAL" || node.type === "BLOCK_FOLDED")
    return spellBlock(raw, node.srcToken?.type === "block-scalar" ? node.srcToken.indent : 0);
  const [first = "", ...rest] = raw.split("\n").map((line, index) => (index === 0 ? line : line.trim()));
  const text = first.trimEnd();
  if (rest.length > 0) return { text, flowText: text, more: rest, block: false, keeps: false };
  if (node.type === "PLAIN" || node.tag !== undefined) return single(raw, raw);
  const quoted = requote(raw, node.type === "QUOTE_SINGLE");
  const value = String(node.value);
  if (!isPlain(value)) return single(quoted, quoted);
  return single(value, FLOW_INDICATOR.test(value) ? quoted : value);
}

function single(text: string, flowText: string): Spelling {
  return { text, flowText, more: [], block: false, keeps: false };
}

/** The canonical spelling of a text that needs no quotes and no block; null for any other. */
export function spellPlain(value: string): Spelling | null {
  return isPlain(value) ? single(value, value) : null;
}

/** What YAML 1.2 or 1.1 does not read as a text unless it has quotes: `yes`, `012`, `2024-01-01`. */
const noTexts = once(() =>
  (["core", "yaml-1.1"] as const)
    .flatMap((schema) => new Schema({ schema }).tags)
    .flatMap((tag) => ("test" in tag && tag.default === true && tag.test !== undefined ? tag.test : [])),
);

/** Whether a text is the same text without quotes, to every reader of YAML. */
export function isPlain(value: string): boolean {
  if (NEVER_PLAIN.test(value) || value === "<<" || value === "=") return false;
  return noTexts().every((test) => !test.test(value));
}

/** Double quotes, where that needs no escape that single quotes do without. */
function requote(raw: string, isSingle: boolean): string {
  if (!isSingle || /["\\]/.test(raw)) return raw;
  return `"${raw.slice(1, -1).replaceAll("''", "'")}"`;
}

/** A block scalar without the indentation of its lines; its header is adapted to two spaces. */
function spellBlock(raw: string, parent: number): Spelling {
  const [top = "", ...body] = raw.split("\n");
  const header = top.split(/[ \t]/)[0] ?? "";
  const number = /[1-9]/.exec(header)?.[0];
  const keeps = header.includes("+");
  const indent = number === undefined ? indentOf(body) : Math.max(0, parent) + Number(number);
  const lines = body.map((line) => line.slice(Math.min(indent, spaces(line))));
  // The text ends with a line break, so no line follows the last one.
  if (lines.at(-1) === "") lines.pop();
  while (!keeps && lines.at(-1) === "") lines.pop();
  const text = number === undefined ? header : header.replace(number, "2");
  return { text, flowText: text, more: lines, block: true, keeps };
}

function indentOf(body: readonly string[]): number {
  const first = body.find((line) => line.trim() !== "");
  return first === undefined ? Number.POSITIVE_INFINITY : spaces(first);
}

function spaces(line: string): number {
  return /^ */.exec(line)?.[0].length ?? 0;
}
