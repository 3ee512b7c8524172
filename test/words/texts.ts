import { parseSync } from "oxc-parser";

/** One piece of prose: where it stands, and its words on one line for each paragraph. */
export interface Text {
  readonly path: string;
  readonly line: number;
  readonly words: string;
}

/** The prose of one TypeScript file: its comments, and its texts of three words or more. */
export function textsOfSource(path: string, source: string, kinds: Kinds = "all"): readonly Text[] {
  const parsed = parseSync(path, source);
  const { comments } = parsed;
  const at = (offset: number) => source.slice(0, offset).split("\n").length;
  // The tree of a large file is long in the making, and a file without tests has no names of tests.
  const hasNone = kinds === "names" && !/\b(it|test|describe)\b/.test(source);
  const found = hasNone ? [] : kinds === "all" ? literals(parsed.program) : testNames(parsed.program);
  const said = [...found]
    .filter((one) => /\p{L}\S*\s+\S*\p{L}/u.test(one.words) && !PROGRAM.test(one.words))
    .map((one) => ({ path, line: at(one.start), words: one.words }));
  return [
    ...said,
    ...joined(
      comments.map((one) => ({ ...one, line: at(one.start), last: at(one.end) })),
      path,
    ),
  ];
}

/** Texts that are programs: a shell's completion, an entry to bundle, the style and the script of a page. */
const PROGRAM = /^\s*(export \{|import |function |local |#compdef|"use strict"|:root\{|<!doctype html>)/m;

/** `all`: every text literal. `names`: the names of tests only, because fixtures quote what authors write. */
export type Kinds = "all" | "names";

interface Literal {
  readonly start: number;
  readonly words: string;
}

function* literals(node: unknown): Generator<Literal> {
  if (Array.isArray(node)) {
    for (const child of node) yield* literals(child);
    return;
  }
  if (typeof node !== "object" || node === null) return;
  const it = node as Readonly<Record<string, unknown>>;
  if (it.type === "ImportDeclaration") return;
  const words = wordsOf(it);
  if (words !== undefined) yield { start: Number(it.start), words };
  if (words === undefined || it.type !== "Literal")
    for (const [name, child] of Object.entries(it)) {
      if (words !== undefined && (name === "left" || name === "right" || name === "quasis")) {
        if (name !== "quasis") yield* inside(child);
        continue;
      }
      if (typeof child === "object") yield* literals(child);
    }
}

/** What a joined text contains that is not itself a part of it: texts inside `${…}`. */
function* inside(node: unknown): Generator<Literal> {
  const it = node as Readonly<Record<string, unknown>>;
  if (it?.type === "Literal") return;
  if (it?.type === "TemplateLiteral") yield* literals(it.expressions);
  else if (it?.type === "BinaryExpression" && wordsOf(it) !== undefined) {
    yield* inside(it.left);
    yield* inside(it.right);
  } else yield* literals(node);
}

/** The words of a text, a template or texts joined by `+`; a value put into it counts as one word. */
function wordsOf(it: Readonly<Record<string, unknown>>): string | undefined {
  if (it.type === "Literal") return typeof it.value === "string" ? it.value : undefined;
  if (it.type === "TemplateLiteral") {
    const quasis = it.quasis as readonly { readonly value: { readonly cooked: string | null } }[];
    return quasis.map((one) => one.value.cooked ?? "").join("…");
  }
  if (it.type === "BinaryExpression" && it.operator === "+") {
    const [left, right] = [it.left, it.right].map((one) => wordsOf(one as Readonly<Record<string, unknown>>));
    return left === undefined && right === undefined ? undefined : `${left ?? "…"}${right ?? "…"}`;
  }
  return undefined;
}

function* testNames(node: unknown): Generator<Literal> {
  if (Array.isArray(node)) {
    for (const child of node) yield* testNames(child);
    return;
  }
  if (typeof node !== "object" || node === null) return;
  const it = node as Readonly<Record<string, unknown>>;
  if (it.type === "CallExpression" && /^(it|test|describe)$/.test(calledName(it.callee))) {
    const first = (it.arguments as readonly Readonly<Record<string, unknown>>[])[0];
    const words = first && wordsOf(first);
    if (first && words !== undefined) yield { start: Number(first.start), words };
  }
  for (const child of Object.values(it)) if (typeof child === "object") yield* testNames(child);
}

function calledName(node: unknown): string {
  const it = node as Readonly<Record<string, unknown>> | undefined;
  if (it?.type === "Identifier") return String(it.name);
  if (it?.type === "MemberExpression") return calledName(it.object);
  if (it?.type === "CallExpression") return calledName(it.callee);
  if (it?.type === "TaggedTemplateExpression") return calledName(it.tag);
  return "";
}

interface Comment {
  readonly type: "Line" | "Block";
  readonly value: string;
  readonly line: number;
  readonly last: number;
}

/** Comments as prose: line comments that follow one another are one text. */
function joined(comments: readonly Comment[], path: string): readonly Text[] {
  const texts: { path: string; line: number; last: number; words: string; type: string }[] = [];
  for (const { type, value, line, last } of comments) {
    const words = value.replace(/^\*/, "").replace(/^[ \t]*\*[ \t]?/gm, "");
    const before = texts.at(-1);
    if (type === "Line" && before?.type === "Line" && before.last === line - 1) {
      before.words += `\n${words}`;
      before.last = last;
    } else texts.push({ path, line, last, words, type });
  }
  return texts.map(({ line, words }) => ({ path, line, words }));
}
