import { byPlace, type Checked, strictly } from "../model/diagnostic.js";
import { duplicates } from "./duplicates.js";
import { readSources, type Wanted } from "./files.js";
import { readManifests } from "./manifests.js";
import { type AppNames, indexApps } from "./references.js";
import type { Resource } from "./resource.js";

/** What to load, and how strictly. */
export interface Load extends Wanted {
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
  const diagnostics = [...unread, ...told, ...duplicates(members, apps)].sort(byPlace);
  return {
    value: members.map(({ resource }) => resource),
    diagnostics: load.strict === true ? strictly(diagnostics) : diagnostics,
  };
}
