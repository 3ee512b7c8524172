import { byPlace, type Checked, hasErrors, strictly } from "../model/diagnostic.js";
import { duplicates } from "./duplicates.js";
import { noManifest } from "./fileDiagnostics.js";
import { type InputPaths, readSources, show } from "./files.js";
import { readManifests } from "./manifests.js";
import { type AppNames, indexApps } from "./references.js";
import type { Resource } from "./resource.js";

/** What to load, and how strictly. */
export interface Load extends InputPaths {
  /** Whether warnings are errors. */
  readonly strict?: boolean;
  /** `apps:` of the project's file: names of apps and their ids. */
  readonly apps?: AppNames;
}

/** Every manifest that the paths lead to, checked; a resource with errors is left out and has diagnostics. */
export async function loadManifests(load: Load): Promise<Checked<readonly Resource[]>> {
  const apps = load.apps ?? {};
  const index = indexApps(apps);
  const { value: sources, diagnostics: unread } = await readSources(load);
  const read = sources.map((source) => readManifests(source, index));
  const members = read.flatMap(({ value }) => value);
  const told = read.flatMap(({ diagnostics }) => diagnostics);
  const isEmpty = members.length === 0 && sources.every(({ named }) => !named) && unread.length === 0;
  const missing =
    isEmpty && !hasErrors(told) ? load.paths.map((path) => noManifest(show(path, load.cwd))) : [];
  const diagnostics = [...unread, ...missing, ...told, ...duplicates(members, apps)].sort(byPlace);
  return {
    value: members.map(({ resource }) => resource),
    diagnostics: load.strict === true ? strictly(diagnostics) : diagnostics,
  };
}
