import { type Diagnostic, hasErrors } from "../model/diagnostic.js";
import { same } from "../model/json.js";
import { type Contexts, NO_CONTEXTS } from "./contexts.js";
import type { CompanionSetting } from "./envelope.js";
import type { ExpansionLimits } from "./expand/budget.js";
import { type Hear, type NamedValues, noValues, readValues } from "./expand/values.js";
import { readSources, show } from "./files.js";
import type { AppNames } from "./references.js";
import type { Place } from "./resource.js";
import type { Source } from "./source.js";
import type { Tree } from "./tree.js";

/** What names mean in the manifests of a project: those of apps, named values, and contexts. */
export interface Vocabulary {
  readonly apps: AppNames;
  readonly values: NamedValues;
  /** The files of the named values, as they are shown. */
  readonly valuesFiles: ReadonlySet<string>;
  /** The files and folders of tests, and of guards, as they are shown. */
  readonly tests: readonly string[];
  readonly guards: readonly string[];
  readonly contexts: Contexts;
}

/** A project that names nothing. */
export const NO_VOCABULARY: Vocabulary = {
  apps: {},
  values: noValues(),
  valuesFiles: new Set(),
  tests: [],
  guards: [],
  contexts: NO_CONTEXTS,
};

/** Whether a setting names the file of values, tests or guards. */
export function isNamedFile(
  { valuesFiles, tests, guards }: Vocabulary,
  setting: CompanionSetting,
  file: string,
): boolean {
  if (setting === "values") return valuesFiles.has(file);
  return (setting === "tests" ? tests : guards).some(
    (path) => path === "." || file === path || file.startsWith(`${path}/`),
  );
}

/** A file with named values, and where the settings name it. */
export interface ValuesFile {
  readonly path: string;
  /** Null for an earlier version of the settings. */
  readonly place: Place | null;
}

/** What a project's settings say of the names in its manifests. */
export interface VocabularyFiles {
  readonly cwd: string;
  /** `apps:` of the project's file: names of apps and their ids. */
  readonly apps?: AppNames;
  /** `values:` of the project's file, as paths: a later file replaces names of an earlier one. */
  readonly values?: readonly ValuesFile[];
  /** The contexts of the project, and the one whose manifests count. */
  readonly contexts?: Contexts;
  /** `tests:` and `guards.own:` of the project's file, as paths. */
  readonly tests?: readonly string[];
  readonly guards?: readonly string[];
  /** How much named values and rows may make; what is usual where it is left out. */
  readonly limits?: ExpansionLimits;
  /** Hears of each place that reads a named value. */
  readonly hear?: Hear;
}

/** A vocabulary with the texts of its files, and what is wrong with them. */
export interface ReadVocabulary {
  readonly vocabulary: Vocabulary;
  readonly sources: readonly Source[];
  readonly diagnostics: readonly Diagnostic[];
}

/** The texts of a project, those of its named values among them, each file once. */
export function withValues(sources: readonly Source[], values: readonly Source[]): readonly Source[] {
  if (values.length === 0) return sources;
  const byFile = new Map([...sources, ...values].map((source) => [source.file, source]));
  return [...byFile.values()].sort((one, other) => (one.file < other.file ? -1 : 1));
}

/** Whether two vocabularies put the same values in: the same files, with the same texts among the sources of each. */
export function haveSameValues(
  one: { readonly vocabulary: Vocabulary; readonly sources: readonly Source[] },
  other: typeof one,
): boolean {
  const texts = ({ vocabulary, sources }: typeof one) =>
    sources.filter(({ file }) => vocabulary.valuesFiles.has(file)).map(({ file, text }) => [file, text]);
  const names = ({ vocabulary }: typeof one) => [...vocabulary.valuesFiles];
  return same(names(one), names(other)) && same(texts(one), texts(other));
}

/** Reads the files with named values, in the order of the settings. */
export async function readVocabulary(
  {
    cwd,
    apps = {},
    values = [],
    tests = [],
    guards = [],
    contexts = NO_CONTEXTS,
    limits,
    hear,
  }: VocabularyFiles,
  tree?: Tree,
): Promise<ReadVocabulary> {
  const shown = (paths: readonly string[]) => paths.map((path) => show(path, cwd));
  const shared = { apps, contexts, tests: shown(tests), guards: shown(guards) };
  if (values.length === 0)
    return {
      vocabulary: { ...NO_VOCABULARY, ...shared, values: noValues(limits) },
      sources: [],
      diagnostics: [],
    };
  const read = await Promise.all(values.map((one) => readNamed(one, cwd, tree)));
  const sources = read.flatMap(({ value }) => value);
  const unread = read.flatMap(({ diagnostics }) => diagnostics);
  const named = readValues(sources, hear, !hasErrors(unread), limits);
  return {
    vocabulary: { ...shared, values: named, valuesFiles: new Set(sources.map(({ file }) => file)) },
    sources,
    diagnostics: [...unread, ...named.diagnostics],
  };
}

/** The text of a file of values; where it cannot be read, that is said at the line that names it. */
async function readNamed({ path, place }: ValuesFile, cwd: string, tree?: Tree) {
  const { value, diagnostics } = await readSources({ paths: [path], cwd }, tree);
  const placed = diagnostics.map((diagnostic) =>
    place === null || diagnostic.span !== undefined ? diagnostic : { ...diagnostic, ...place },
  );
  return { value, diagnostics: placed };
}
