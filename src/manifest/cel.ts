import { type ASTNode, Environment, type ParseResult } from "@marcbachmann/cel-js";

// The library's serialiser works only where its main module was loaded before it.
export { serialize } from "@marcbachmann/cel-js/serialize";

/** Much longer than a readable expression; a list of a thousand mail addresses still fits. */
export const CEL_LIMITS = {
  maxAstNodes: 50_000,
  maxDepth: 250,
  maxListElements: 50_000,
  maxMapEntries: 50_000,
} as const;

/** What is nested deeper takes more of the stack than there is: the library and the walks here call themselves. */
const MOST_NESTED = 500;

/** The grammar of expressions alone: names and functions are the service's to know. */
export const GRAMMAR = new Environment({
  unlistedVariablesAreDyn: true,
  enableOptionalTypes: true,
  limits: CEL_LIMITS,
});

/**
 * Parses an expression. A long row of `||` or `&&` becomes a tree that is as deep as it has to be: in which order they
 * are tied has no meaning. Throws a `RangeError` for what is nested too deeply, and the library's error for anything else.
 */
export function parseExpression(text: string, language: Environment = GRAMMAR): ParseResult {
  const parsed = language.parse(text.trimEnd());
  balance(parsed.ast);
  return parsed;
}

interface Nested {
  readonly node: ASTNode;
  readonly depth: number;
}

function balance(ast: ASTNode): void {
  const open: Nested[] = [{ node: ast, depth: 0 }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { node, depth } = next;
    if (depth > MOST_NESTED) throw new RangeError("the expression is nested too deeply");
    if (node.op === "||" || node.op === "&&") {
      const { ties, terms } = rowOf(node);
      tie(ties, terms, 0, terms.length);
      const deeper = depth + Math.ceil(Math.log2(terms.length));
      for (const term of terms) open.push({ node: term, depth: deeper });
    } else for (const inner of nodesIn(node.args)) open.push({ node: inner, depth: depth + 1 });
  }
}

/** The terms of a row of one operator, in their order, and the nodes that tie them; the first is the outermost. */
function rowOf(row: ASTNode): { readonly ties: ASTNode[]; readonly terms: readonly ASTNode[] } {
  const [ties, terms, open]: ASTNode[][] = [[], [], [row]];
  for (let node = open?.pop(); node !== undefined; node = open?.pop()) {
    if (node.op !== row.op) terms?.push(node);
    else {
      ties?.push(node);
      const [left, right] = node.args as readonly [ASTNode, ASTNode];
      open?.push(right, left);
    }
  }
  return { ties: ties ?? [], terms: terms ?? [] };
}

/** The terms of an expression that all have to hold: of the outermost `&&`, or the expression itself. */
export function termsOf(ast: ASTNode): readonly ASTNode[] {
  return ast.op === "&&" ? rowOf(ast).terms : [ast];
}

// The tree belongs to this expression alone, and the library has not looked at it yet.
function tie(ties: ASTNode[], terms: readonly ASTNode[], from: number, to: number): ASTNode {
  const [only] = terms.slice(from, from + 1);
  if (to - from === 1 && only !== undefined) return only;
  const [node] = ties.splice(0, 1);
  if (node === undefined) throw new Error("a row has one tie less than terms");
  const middle = Math.ceil((from + to) / 2);
  return Object.assign(node, { args: [tie(ties, terms, from, middle), tie(ties, terms, middle, to)] });
}

/** Lets a node of an expression that was just parsed be checked and evaluated as another. */
export function replaceNode(node: ASTNode, other: ASTNode): void {
  (node as ASTNode & { readonly setMeta: (name: "alternate", node: ASTNode) => void }).setMeta(
    "alternate",
    other,
  );
}

/** The nodes of an expression directly below another: the nodes among its arguments, whatever their shape. */
export function nodesIn(value: unknown): readonly ASTNode[] {
  const found: ASTNode[] = [];
  collect(value, found);
  return found;
}

function collect(value: unknown, found: ASTNode[]): void {
  if (Array.isArray(value)) for (const inner of value) collect(inner, found);
  else if (typeof value === "object" && value !== null && "op" in value && "args" in value)
    found.push(value as ASTNode);
}

/** All nodes of an expression, each before those below it. It takes no stack, however deep the expression is. */
export function nodesOf(ast: ASTNode): readonly ASTNode[] {
  const found: ASTNode[] = [];
  const open = [ast];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    found.push(node);
    open.push(...nodesIn(node.args).toReversed());
  }
  return found;
}

/** The name of the member that a node takes of another, as `a.name` or `a["name"]`; null where it is not written there. */
export function memberIn(node: ASTNode): string | null {
  if (node.op !== "." && node.op !== "[]") return null;
  const [, member] = node.args;
  return typeof member === "string" ? member : textIn(member);
}

/** The text that a node writes; null for any other node. */
export function textIn({ op, args }: ASTNode): string | null {
  return op === "value" && typeof args === "string" ? args : null;
}

/** Functions that take no longer than their texts are long. Regular expressions and macros can be made to run for hours. */
export const QUICK: ReadonlySet<string> = new Set([
  "startsWith",
  "endsWith",
  "contains",
  "lowerAscii",
  "upperAscii",
  "size",
  "int",
  "string",
  "trim",
]);

/** Functions whose first argument is a name that their other arguments use. */
const MACROS: ReadonlySet<string> = new Set([
  ...["all", "exists", "exists_one", "existsOne", "filter", "map", "optMap", "optFlatMap"],
  ...["transformList", "transformMap", "transformMapEntry"],
]);

/** Those that may bind a second name: the index or the key. */
const OF_PAIRS = /^(all|exists|exists_?[oO]ne|transform\w+)$/;

/** The names that a node binds, and the nodes of it that know them. */
interface Binding {
  readonly names: readonly ASTNode[];
  readonly inside: readonly ASTNode[];
}

/** What a macro binds, `cel.bind` included; null for any other node. */
export function bindingIn(node: ASTNode): Binding | null {
  if (node.op !== "rcall") return null;
  const [name, receiver, [first, second, ...rest]] = node.args;
  if (first?.op !== "id" || second === undefined) return null;
  if (name === "bind" && receiver.op === "id" && receiver.args === "cel")
    return { names: [first], inside: rest };
  if (!MACROS.has(name)) return null;
  const isPair = OF_PAIRS.test(name) && second.op === "id" && rest.length > 0;
  return isPair ? { names: [first, second], inside: rest } : { names: [first], inside: [second, ...rest] };
}

/** An identifier of an expression, where it stands. */
export interface FreeName {
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

/** A node of an expression, and the names that macros around it bind. */
export interface Bound {
  readonly node: ASTNode;
  readonly bound: ReadonlySet<string>;
}

/** All nodes of an expression but the names that macros bind, each before those below it. It takes no stack. */
export function boundNodesOf(ast: ASTNode): readonly Bound[] {
  const found: Bound[] = [];
  const open: Bound[] = [{ node: ast, bound: new Set() }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    found.push(next);
    const { node, bound } = next;
    const binding = bindingIn(node);
    const names = binding?.names.map(({ args }) => String(args)) ?? [];
    const inner = names.length === 0 ? bound : new Set([...bound, ...names]);
    for (const part of nodesIn(node.args).toReversed())
      if (binding?.names.includes(part) !== true)
        open.push({ node: part, bound: binding?.inside.includes(part) === true ? inner : bound });
  }
  return found;
}

/** The identifiers of an expression that no macro binds, in the order they stand. */
export function freeNamesOf(ast: ASTNode): readonly FreeName[] {
  return boundNodesOf(ast)
    .flatMap(({ node, bound }) => {
      if (node.op !== "id" || bound.has(node.args)) return [];
      return [{ name: node.args, ...(node.range ?? { start: 0, end: 0 }) }];
    })
    .sort((one, other) => one.start - other.start);
}

/** A call of a macro as a call of a function: the library bound the macro when it parsed the call. */
export function asCall(node: ASTNode, args: readonly unknown[]): void {
  // The tree belongs to one expression alone, and the library has not looked at it yet.
  Object.assign(node, { args });
  (node as unknown as { readonly meta: { macro?: unknown } }).meta.macro = undefined;
}
