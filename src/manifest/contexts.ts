import { isObject, type Json, type JsonObject } from "../model/json.js";
import type { Path } from "../model/path.js";

/** The contexts of a project: all of them, and the one that a run is about; null where a run is about none. */
export interface Contexts {
  readonly names: readonly string[];
  readonly current: string | null;
}

/** A project without contexts. */
export const NO_CONTEXTS: Contexts = { names: [], current: null };

/** The names that a project file may have. */
export const PROJECT_FILES: readonly string[] = ["remit.yaml", "remit.yml"];

/** Where remit keeps its data in a project. */
export const DATA_FOLDER = ".remit";

/** Where remit keeps the data of one context; of the project where it is null. */
export function dataFolderOf(context: string | null): string {
  return context === null ? DATA_FOLDER : `${DATA_FOLDER}/${context}`;
}

/** Lists to which a context adds, where any other list of it replaces the project's. */
const ADDING: ReadonlySet<string> = new Set(["removed", "moved", "acknowledge", "ignore"]);

/** The names of the contexts in a project file, in order; none where it has none. */
export function contextsIn(settings: Json): readonly string[] {
  const contexts = isObject(settings) ? memberOf(settings, "contexts") : undefined;
  return isObject(contexts) ? Object.keys(contexts) : [];
}

/** A project file as one context sees it, and where each of its values is written in the file. */
interface ContextSettings {
  readonly value: JsonObject;
  readonly writtenAt: (path: Path) => Path;
}

/**
 * The settings of one context: those of the project with the context's own over them. Maps merge per key; `removed`,
 * `moved`, `acknowledge` and `ignore` add up. Without a place of its own, the state is in the context's data folder.
 */
export function settingsOfContext(settings: JsonObject, name: string): ContextSettings {
  const given = ownOf(settings, name);
  const base = ["contexts", name];
  const merged = merge(settings, given);
  const state = memberOf(merged, "state");
  return {
    value: { ...merged, state: state ?? stateBeside(name) },
    writtenAt: (path) =>
      state === undefined && path[0] === "state" ? base : placeOf(path, settings, given, base),
  };
}

/** Server and state in the settings of one context, and nothing else of them: a project may have thousands. */
export function placesOfContext(
  settings: JsonObject,
  name: string,
): { readonly server: Json | undefined; readonly state: Json } {
  const given = ownOf(settings, name);
  const written = (key: string) => memberOf(Object.hasOwn(given, key) ? given : settings, key);
  return { server: written("server"), state: written("state") ?? stateBeside(name) };
}

function ownOf({ contexts }: JsonObject, name: string): JsonObject {
  const own = isObject(contexts) ? memberOf(contexts, name) : undefined;
  return isObject(own) ? own : {};
}

function stateBeside(name: string): string {
  return `${dataFolderOf(name)}/state.json`;
}

function merge(below: JsonObject, above: JsonObject, isTop = true): JsonObject {
  const merged = Object.entries(above).map(([key, value]): readonly [string, Json] => {
    const under = memberOf(below, key);
    if (isObject(under) && isObject(value)) return [key, merge(under, value, false)];
    if (isTop && adds(key, under, value)) return [key, [...under, ...(value as readonly Json[])]];
    return [key, value];
  });
  return { ...below, ...Object.fromEntries(merged) };
}

/** Where a value of the merged settings stands in the file. */
function placeOf(path: Path, below: Json | undefined, above: Json | undefined, base: Path, at = 0): Path {
  const key = path[at];
  const own = [...base, ...path];
  if (key === undefined) return above === undefined ? path : own;
  if (at === 1 && adds(String(path[0]), below, above)) {
    const before = below.length;
    return Number(key) < before
      ? path
      : [...base, ...path.slice(0, 1), Number(key) - before, ...path.slice(2)];
  }
  if (!isObject(above) || !isObject(below)) return above === undefined ? path : own;
  return placeOf(path, memberOf(below, key), memberOf(above, key), base, at + 1);
}

function adds(key: string, below: Json | undefined, above: Json | undefined): below is readonly Json[] {
  return ADDING.has(key) && Array.isArray(below) && Array.isArray(above);
}

function memberOf(object: JsonObject, key: string | number): Json | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}
