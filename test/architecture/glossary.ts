import type { Source } from "./imports.js";

/** The words of the design (DESIGN, section 2) as names of types, each with the folder that owns it. */
export const GLOSSARY: Readonly<Record<string, string>> = {
  Manifest: "manifest",
  Resource: "manifest",
  Address: "model",
  Key: "model",
  Current: "tenant",
  Tenant: "tenant",
  Recorded: "diff",
  Step: "plan",
  Call: "model",
  Event: "apply",
  Report: "report",
  Diagnostic: "model",
  Finding: "plan",
  Unit: "diff",
  Unknown: "tenant",
  Project: "cli",
  Selection: "plan",
  Removed: "plan",
  Store: "state",
  Session: "apply",
  Impact: "impact",
  Sandbox: "sandbox",
  Saying: "words",
  Remark: "plan",
};

/** Second words for a diagnostic; the design has one word for it. */
const OTHER_DIAGNOSTICS = ["Fault", "Problem", "Notice", "Note", "Complaint"];

/** Types of the language itself. */
const LANGUAGE = [
  ...["Record", "Partial", "Required", "Readonly", "Pick", "Omit", "Exclude", "Extract", "NonNullable"],
  ...["Parameters", "ReturnType", "Awaited", "Array", "Map", "Set", "Date", "Error", "Promise", "Function"],
  ...["Object", "String", "Number", "Boolean", "Symbol", "Proxy", "Iterator", "Iterable", "RegExp"],
];

/** Where the service's own words are used: an independent second implementation. */
const FOREIGN = "sandbox";

/** A type name that means two things, or a word of the design outside its folder, in words that say where. */
export type Ambiguity = string;

/** Every broken rule about the names of types. */
export function ambiguitiesIn(sources: readonly Source[]): readonly Ambiguity[] {
  const own = sources.filter(({ path }) => folderOf(path) !== FOREIGN);
  return [...homonymsIn(own), ...own.flatMap((source) => [...strayWordsIn(source)])];
}

function* homonymsIn(sources: readonly Source[]): Generator<Ambiguity> {
  const places = new Map<string, string[]>();
  for (const { path, types } of sources)
    for (const { name, isExported } of types)
      if (isExported) places.set(name, [...(places.get(name) ?? []), path]);
  for (const [name, paths] of [...places].sort()) {
    if (paths.length > 1) yield `${name} means two things: it is declared in ${paths.join(" and ")}`;
  }
}

function* strayWordsIn({ path, types }: Source): Generator<Ambiguity> {
  for (const { name } of types) {
    const owner = Object.hasOwn(GLOSSARY, name) ? GLOSSARY[name] : undefined;
    if (owner !== undefined && owner !== folderOf(path))
      yield `${path}: declares ${name}, a word of the design that belongs to ${owner}/`;
    if (OTHER_DIAGNOSTICS.includes(name)) yield `${path}: declares ${name}; the word is Diagnostic`;
    if (LANGUAGE.includes(name)) yield `${path}: declares ${name}, a name of the language`;
  }
}

function folderOf(path: string): string {
  return path.split("/")[0] ?? path;
}
