import { type Diagnostic, hasErrors } from "../model/diagnostic.js";
import { readSources, show } from "./files.js";
import { checkInTurns, type Load, noManifestsFound } from "./load.js";
import type { DiagnosticAbout } from "./manifests.js";
import type { Resource } from "./resource.js";
import type { Source } from "./source.js";
import type { UnclearFile } from "./unclearFile.js";
import { readVocabulary, type Vocabulary, withValues } from "./vocabulary.js";

/** The manifests of a run: those of the project, and the paths that select from them. */
export interface ProjectLoad extends Load {
  /** Where the manifests of the whole project are; null without a project file, where `paths` are the only input. */
  readonly project: readonly string[] | null;
}

/** Every manifest of the project, and what the paths of a run add to it. */
export interface LoadedProject {
  readonly resources: readonly Resource[];
  /** The texts that they stand in, and all others that were read for them. */
  readonly sources: readonly Source[];
  /** What the names in them mean. */
  readonly vocabulary: Vocabulary;
  readonly diagnostics: readonly DiagnosticAbout[];
  /** The files that the paths of the run lead to; null where no path selects. */
  readonly chosen: ReadonlySet<string> | null;
  /** Whether a missing manifest means that it was removed: there is a project file, and every manifest was read. */
  readonly isComplete: boolean;
  /** The files of the project that may hold more manifests than were read. */
  readonly unclear: readonly UnclearFile[];
}

/** Whether the paths of a run select from the project, or are all there is. */
export function arePathsChosen({ project, paths }: Pick<ProjectLoad, "project" | "paths">): boolean {
  return paths.length > 0 || project === null;
}

/**
 * Reads the whole project, and with it what the paths lead to outside of it. Paths never take anything away from it.
 * `turn` is waited for now and then.
 */
export async function loadProject(
  load: ProjectLoad,
  turn: () => Promise<void> = async () => undefined,
): Promise<LoadedProject> {
  const { project, paths } = load;
  const { vocabulary, ...values } = await readVocabulary(load);
  const isSelecting = arePathsChosen(load);
  const given = isSelecting ? await readPaths(load, paths) : NOTHING;
  const whole = project === null ? NOTHING : await readPaths(load, project);
  const sources = union(whole.sources, given.sources);
  const { resources, diagnostics, unclear, others } = await checkInTurns(sources, vocabulary, turn);
  const own = new Set(whole.sources.map(({ file }) => file));

  const all = [...values.diagnostics, ...diagnostics.map(({ diagnostic }) => diagnostic)];
  const hasNoError = !hasErrors(all);
  const ofGiven = [...given.unread, ...(hasNoError ? given.empty(resources, others) : [])];
  const known = new Set(ofGiven.map(({ message }) => message));
  const ofWhole = [...whole.unread, ...(hasNoError ? whole.emptyPaths(resources, others) : [])];
  return {
    resources,
    sources: withValues(sources, values.sources),
    vocabulary,
    diagnostics: [
      // A mistake in a value counts wherever it is: who uses it is not known any more.
      ...values.diagnostics.map((diagnostic): DiagnosticAbout => ({ about: [], diagnostic })),
      ...ofGiven.map((diagnostic): DiagnosticAbout => ({ about: [], diagnostic })),
      ...ofWhole
        .filter(({ message }) => !known.has(message))
        .map((diagnostic): DiagnosticAbout => ({ about: [SOMEWHERE], diagnostic })),
      ...diagnostics,
    ],
    chosen: isSelecting ? new Set(given.sources.map(({ file }) => file)) : null,
    isComplete: project !== null && hasNoError && !hasErrors(ofWhole),
    unclear: unclear.filter(({ file }) => own.has(file)),
  };
}

/** A place of the project that is in no file that was read. */
const SOMEWHERE = { file: null, manifest: null };

interface Read {
  readonly sources: readonly Source[];
  readonly unread: readonly Diagnostic[];
  /** The error that the paths lead to no manifest, those of other contexts included. */
  readonly empty: EmptyPaths;
  /** The same error for each path alone: where one is empty, the manifests of a project may be missing, not removed. */
  readonly emptyPaths: EmptyPaths;
}

type EmptyPaths = (resources: readonly Resource[], others: ReadonlySet<string>) => readonly Diagnostic[];

const NOTHING: Read = { sources: [], unread: [], empty: () => [], emptyPaths: () => [] };

async function readPaths(load: Load, paths: readonly string[]): Promise<Read> {
  const { value: sources, diagnostics: unread } = await readSources({ ...load, paths });
  const emptyAmong = (some: readonly string[], ...[resources, others]: Parameters<EmptyPaths>) => {
    const isUnder = ({ file }: Pick<Source, "file">) =>
      some.some((path) => leadsTo(path === "-" ? path : show(path, load.cwd), file));
    const read = sources.filter(isUnder);
    if (read.some(({ file }) => others.has(file))) return [];
    const files = new Set(read.map(({ file }) => file));
    const found = resources.filter(({ file }) => files.has(file));
    return noManifestsFound(read, found, { ...load, paths: some });
  };
  return {
    sources,
    unread,
    empty: (...about) => (unread.length > 0 ? [] : emptyAmong(paths, ...about)),
    emptyPaths: (...about) =>
      unread.length > 0 ? [] : paths.flatMap((path) => emptyAmong([path], ...about)),
  };
}

/** Whether a file is what a path names, or below it; both as messages show them. */
function leadsTo(path: string, file: string): boolean {
  return path === "." || file === path || file.startsWith(`${path}/`);
}

/** Each file once; a file that the author named counts as named. */
function union(whole: readonly Source[], given: readonly Source[]): readonly Source[] {
  const byFile = new Map([...whole, ...given].map((source) => [source.file, source]));
  return [...byFile.values()].sort((one, other) => (one.file < other.file ? -1 : 1));
}
