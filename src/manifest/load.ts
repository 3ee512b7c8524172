import { byPlace, type Checked, type Diagnostic, hasErrors, strictly } from "../model/diagnostic.js";
import { duplicates } from "./duplicates.js";
import { noneFound } from "./fileDiagnostics.js";
import { type InputPaths, readSources, show } from "./files.js";
import { brokenLinks } from "./linked.js";
import {
  type DiagnosticAbout,
  type ReadManifests,
  readInPieces,
  readManifests,
  type Subject,
} from "./manifests.js";
import type { Documents } from "./parse/parse.js";
import { policyChains } from "./policyChains.js";
import { indexApps } from "./references.js";
import type { Resource } from "./resource.js";
import type { Source } from "./source.js";
import type { UnclearFile } from "./unclearFile.js";
import { readVocabulary, type Vocabulary, type VocabularyFiles } from "./vocabulary.js";

/** What to load, and how strictly. */
export interface Load extends InputPaths, VocabularyFiles {
  /** Whether warnings are errors. */
  readonly strict?: boolean;
  /** Whether the paths hold the whole project: only then a manifest that another one names must be there. */
  readonly isWhole?: boolean;
}

/** Every manifest that the paths lead to, checked; a resource with errors is left out and has diagnostics. */
export async function loadManifests(load: Load): Promise<Checked<readonly Resource[]>> {
  const { value: sources, diagnostics: unread } = await readSources(load);
  const { vocabulary, diagnostics: ofValues } = await readVocabulary(load);
  const { resources, ...found } = checkAll(sources, vocabulary);
  const told = [...ofValues, ...found.diagnostics.map(({ diagnostic }) => diagnostic)];
  const isClear = unread.length === 0 && !hasErrors(told) && found.others.size === 0;
  const missing = isClear ? noManifestsFound(sources, resources, load) : [];
  const isRead = !hasErrors([...unread, ...told]);
  const broken = load.isWhole === true && isRead ? brokenLinks(resources) : [];
  const diagnostics = [...unread, ...missing, ...told, ...broken].sort(byPlace);
  return { value: resources, diagnostics: load.strict === true ? strictly(diagnostics) : diagnostics };
}

/** The resources of texts, and what is wrong with them one by one and together. */
interface CheckedTexts {
  readonly resources: readonly Resource[];
  readonly diagnostics: readonly DiagnosticAbout[];
  /** The texts that may hold more of them. */
  readonly unclear: readonly UnclearFile[];
  /** The files with manifests of other contexts. */
  readonly others: ReadonlySet<string>;
}

/**
 * Checks all texts, one by one and together.
 *
 * @param documentsOf the documents of a text, where they were parsed before
 */
export function checkAll(
  sources: readonly Source[],
  vocabulary: Vocabulary,
  documentsOf?: (source: Source) => Documents,
): CheckedTexts {
  return together(
    sources,
    sources.map((source) => readManifests(source, vocabulary, documentsOf?.(source))),
    vocabulary,
  );
}

/** So many documents are read between two turns: a few milliseconds. */
const BETWEEN_TURNS = 10;

/** The same, and `turn` is waited for now and then: what is under way elsewhere goes on meanwhile. */
export async function checkInTurns(
  sources: readonly Source[],
  vocabulary: Vocabulary,
  turn: () => Promise<void>,
): Promise<CheckedTexts> {
  const index = indexApps(vocabulary.apps);
  const read: ReadManifests[] = [];
  let documents = 0;
  for (const source of sources) {
    const pieces = readInPieces(source, vocabulary, index);
    let next = pieces.next();
    for (; next.done !== true; next = pieces.next()) {
      documents += 1;
      if (documents % BETWEEN_TURNS === 0) await turn();
    }
    read.push(next.value);
  }
  return together(sources, read, vocabulary);
}

function together(
  sources: readonly Source[],
  read: readonly ReadManifests[],
  { apps }: Vocabulary,
): CheckedTexts {
  const members = read.flatMap((reading) => reading.members);
  const mistakes = [...duplicates(members, apps), ...policyChains(members)];
  const amongAll = mistakes.map(
    ({ diagnostic, resources }): DiagnosticAbout => ({ diagnostic, about: resources.map(subjectOf) }),
  );
  return {
    resources: members.map(({ resource }) => resource),
    diagnostics: [...read.flatMap(({ diagnostics }) => diagnostics), ...amongAll],
    unclear: read.flatMap(({ unclear }) => unclear ?? []),
    others: new Set(sources.flatMap(({ file }, at) => (read[at]?.hasOthers === true ? [file] : []))),
  };
}

/** Where folders were searched and contain no manifest at all. */
export function noManifestsFound(
  sources: readonly Source[],
  resources: readonly Resource[],
  { paths, cwd }: Pick<InputPaths, "paths" | "cwd">,
): readonly Diagnostic[] {
  if (resources.length > 0 || sources.some(({ named }) => named)) return [];
  return paths.map((path) => noneFound(show(path, cwd)));
}

function subjectOf({ file, address, labels }: Resource): Subject {
  return { file, manifest: { address, labels } };
}
