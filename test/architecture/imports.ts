import { readdirSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { parseSync } from "oxc-parser";

/** One source file: its path from `src/`, its lines, what it imports, and the outside names it uses. */
export interface Source {
  readonly path: string;
  readonly lines: number;
  readonly imports: readonly string[];
  /** Uses such as `console.log` or `Date.now`; comments and texts do not count. */
  readonly uses: readonly string[];
  /** What it imports from other files by name. */
  readonly names: ReadonlySet<string>;
  /** Every string literal and property name. */
  readonly texts: ReadonlySet<string>;
  /** Types, interfaces and classes that the file declares; re-exports do not count. */
  readonly types: readonly DeclaredType[];
  /** Every function, also those inside of others: the line it begins at, and how many it has. */
  readonly functions: readonly { readonly at: number; readonly lines: number }[];
}

/** One type, interface or class. */
export interface DeclaredType {
  readonly name: string;
  readonly isExported: boolean;
}

/** What was read: the rules of several test files are about the same sources, which do not change in a run. */
const known = new Map<string, readonly Source[]>();

/** Reads every TypeScript file below a folder. */
export function readSources(folder: string): readonly Source[] {
  const sources = known.get(folder) ?? readAll(folder);
  known.set(folder, sources);
  return sources;
}

function readAll(folder: string): readonly Source[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".ts"))
    .sort()
    .map((path) => readSource(path.replaceAll("\\", "/"), readFileSync(join(folder, path), "utf8")));
}

/** Reads one file: imports of every sort (types, re-exports, `import()`), resolved to paths from `src/`. */
export function readSource(path: string, text: string): Source {
  const { program, module } = parseSync(path, text);
  const named = [
    ...module.staticImports.map((one) => one.moduleRequest.value),
    ...module.staticExports.flatMap((one) =>
      one.entries.flatMap((entry) => (entry.moduleRequest ? [entry.moduleRequest.value] : [])),
    ),
    ...module.dynamicImports.map((one) =>
      text.slice(one.moduleRequest.start, one.moduleRequest.end).replace(/^["'`]|["'`]$/g, ""),
    ),
  ];
  const imports = [...new Set(named)].map((name) =>
    name.startsWith(".") ? posix.join(posix.dirname(path), name).replace(/\.js$/, ".ts") : name,
  );
  return {
    path,
    lines: text.trimEnd().split("\n").length,
    imports,
    names: new Set(
      module.staticImports.flatMap((one) => one.entries.flatMap(({ importName: { name } }) => name ?? [])),
    ),
    uses: [...new Set(usesOf(program))],
    texts: new Set(textsOf(program)),
    types: program.body.flatMap((statement) => [...typesOf(statement)]),
    functions: [...functionsOf(program)].map(({ start, end }) => ({
      at: text.slice(0, start).split("\n").length,
      lines: text.slice(start, end).split("\n").length,
    })),
  };
}

const TYPES = new Set([
  "TSTypeAliasDeclaration",
  "TSInterfaceDeclaration",
  "TSEnumDeclaration",
  "ClassDeclaration",
]);

function* typesOf(statement: unknown, isExported = false): Generator<DeclaredType> {
  const it = statement as { type: string; id?: unknown; declaration?: unknown } | null;
  if (it === null) return;
  if (it.type === "ExportNamedDeclaration") yield* typesOf(it.declaration, true);
  const name = TYPES.has(it.type) ? nameOf(it.id) : undefined;
  if (name !== undefined) yield { name, isExported };
}

function* textsOf(node: unknown): Generator<string> {
  if (Array.isArray(node)) {
    for (const child of node) yield* textsOf(child);
    return;
  }
  if (typeof node !== "object" || node === null) return;
  const it = node as Record<string, unknown>;
  if (it.type === "Literal" && typeof it.value === "string") yield it.value;
  if (it.type === "TemplateElement") yield (it.value as { cooked?: string }).cooked ?? "";
  if (it.type === "Property" || it.type === "MemberExpression" || it.type === "TSPropertySignature") {
    const name = it.computed === true ? undefined : nameOf(it.key ?? it.property);
    if (name !== undefined) yield name;
  }
  for (const child of Object.values(it)) if (typeof child === "object") yield* textsOf(child);
}

const FUNCTIONS = /^(FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/;

function* functionsOf(node: unknown): Generator<{ readonly start: number; readonly end: number }> {
  if (typeof node !== "object" || node === null) return;
  const it = node as { type?: unknown; start: number; end: number };
  if (FUNCTIONS.test(String(it.type))) yield it;
  for (const child of Object.values(it)) yield* functionsOf(child);
}

const OUTSIDE = new Set([
  "process",
  "console",
  "Date",
  "Math",
  "setTimeout",
  "setInterval",
  "setImmediate",
  "performance",
  "crypto",
  "fetch",
  "globalThis",
]);

function* usesOf(node: unknown): Generator<string> {
  if (Array.isArray(node)) {
    for (const child of node) yield* usesOf(child);
    return;
  }
  if (typeof node !== "object" || node === null) return;
  const it = node as Record<string, unknown>;
  const type = it.type;
  if (typeof type === "string" && type.startsWith("TS") && !type.endsWith("Expression")) return;
  if (type === "MemberExpression" && it.computed === false) {
    const object = nameOf(it.object);
    if (object !== undefined) {
      if (OUTSIDE.has(object)) yield `${object}.${nameOf(it.property) ?? ""}`;
      return;
    }
    yield* usesOf(it.object);
    return;
  }
  if (type === "NewExpression" && nameOf(it.callee) === "Date") {
    const given = it.arguments;
    if (Array.isArray(given) && given.length === 0) yield "new Date()";
    yield* usesOf(given);
    return;
  }
  if (type === "Identifier" && OUTSIDE.has(String(it.name))) yield String(it.name);
  const skipped = type === "Property" && it.computed === false && it.shorthand === false ? "key" : "";
  for (const [name, child] of Object.entries(it))
    if (name !== skipped && typeof child === "object") yield* usesOf(child);
}

function nameOf(node: unknown): string | undefined {
  const it = node as { type?: string; name?: string } | null;
  return it?.type === "Identifier" ? it.name : undefined;
}
