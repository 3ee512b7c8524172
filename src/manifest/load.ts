import { byPlace, type Checked, type Diagnostic, hasErrors, strictly } from "../model/diagnostic.js";
import { duplicates } from "./duplicates.js";
import { noManifest } from "./fileDiagnostics.js";
import { type InputPaths, readSources, show } from "./files.js";
import { type DiagnosticAbout, readManifests, type Subject } from "./manifests.js";
import { type AppNames, indexApps } from "./references.js";
import type { Resource } from "./resource.js";
import type { Source } from "./source.js";

/** What to load, and how strictly. */
export interface Load extends InputPaths {
  /** Whether warnings are errors. */
  readonly strict?: boolean;
  /** `apps:` of the project's file: names of apps and their ids. */
  readonly apps?: AppNames;
}

/** Every manifest that the paths lead to, checked; a resource with errors is left out and has diagnostics. */
export async function loadManifests(load: Load): Promise<Checked<readonly Resource[]>> {
  const { value: sources, diagnostics: unread } = await readSources(load);
  const { resources, ...found } = checkAll(sources, load.apps ?? {});
  const told = found.diagnostics.map(({ diagnostic }) => diagnostic);
  const missing = unread.length > 0 || hasErrors(told) ? [] : withoutManifest(sources, resources, load);
  const diagnostics = [...unread, ...missing, ...told].sort(byPlace);
  return { value: resources, diagnostics: load.strict === true ? strictly(diagnostics) : diagnostics };
}

/** The resources of all texts, and what is wrong with them one by one and together. */
export function checkAll(
  sources: readonly Source[],
  apps: AppNames,
): { readonly resources: readonly Resource[]; readonly diagnostics: readonly DiagnosticAbout[] } {
  const index = indexApps(apps);
  const read = sources.map((source) => readManifests(source, index));
  const members = read.flatMap((reading) => reading.members);
  const doubles = duplicates(members, apps).map(
    ({ diagnostic, resources }): DiagnosticAbout => ({ diagnostic, about: resources.map(subjectOf) }),
  );
  return {
    resources: members.map(({ resource }) => resource),
    diagnostics: [...read.flatMap(({ diagnostics }) => diagnostics), ...doubles],
  };
}

/** Where folders were searched and contain no manifest at all. */
export function withoutManifest(
  sources: readonly Source[],
  resources: readonly Resource[],
  { paths, cwd }: Pick<InputPaths, "paths" | "cwd">,
): readonly Diagnostic[] {
  if (resources.length > 0 || sources.some(({ named }) => named)) return [];
  return paths.map((path) => noManifest(show(path, cwd)));
}

function subjectOf({ file, address, labels }: Resource): Subject {
  return { file, manifest: { address, labels } };
}
