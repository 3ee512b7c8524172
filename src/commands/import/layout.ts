import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { nameAll } from "../../author/naming.js";
import { groupBy } from "../../model/groupBy.js";
import { SCHEMAS } from "../schema/schemas.js";
import type { Manuscript } from "./emptyPlan.js";
import type { Layout } from "./layouts.js";

/** A file to write: its path below the folder, and the manifests in it. */
export interface NewFile {
  readonly path: string;
  readonly manifests: readonly Manuscript[];
}

/** Half of what remit reads of one file at most. */
const LARGEST = 4 * 1024 * 1024;

/** The files of new manifests, in the order of the manifests. No file has a path that is taken, in any case of letters. */
export function filesOf(
  manifests: readonly Manuscript[],
  layout: Layout,
  isTaken: (path: string) => boolean,
): readonly NewFile[] {
  if (layout === "object")
    return manifests.map((one) => ({ path: `${folderOf(one.kind)}/${one.name}.yaml`, manifests: [one] }));
  const names = layout === "app" ? appNames(manifests) : new Map<string, string>();
  const groups = groupBy(manifests, ({ app, kind }) => names.get(app?.id ?? "") ?? folderOf(kind));
  return [...groups].flatMap(([base, group]) => {
    const paths = freePaths(base, isTaken);
    return partsOf(group).map((part) => ({ path: paths.next().value, manifests: part }));
  });
}

/** The folder of a kind's manifests: `resource-type`. */
export function folderOf(kind: string): string {
  return (SCHEMAS.get(kind)?.file ?? kind).replace(/\.json$/, "");
}

/** Whether a file is there, whatever its ending and the case of its letters. */
export function takenIn(folder: string): (path: string) => boolean {
  const names = existsSync(folder) ? readdirSync(folder).map(plain) : [];
  const taken = new Set(names);
  return (path) => taken.has(plain(path)) || existsSync(join(folder, path));
}

function plain(file: string): string {
  return file.replace(/\.(ya?ml|json)$/i, "").toLowerCase();
}

/** A name for each app; none that a file of a kind has. */
function appNames(manifests: readonly Manuscript[]): ReadonlyMap<string, string> {
  const apps = new Map(manifests.flatMap(({ app }) => (app === null ? [] : [[app.id, app.name] as const])));
  const objects = [...apps].map(([id, name]) => ({ called: [name], alias: "", context: "", id }));
  const names = nameAll("app", objects, new Set([...SCHEMAS.keys()].map(folderOf)));
  return new Map([...apps.keys()].map((id, place) => [id, names[place] ?? id]));
}

function* freePaths(base: string, isTaken: (path: string) => boolean): Generator<string, never> {
  for (let number = 1; ; number += 1) {
    const path = `${base}${number === 1 ? "" : `-${number}`}.yaml`;
    if (!isTaken(path)) yield path;
  }
}

/** Manifests in as many parts as files of a size that remit reads. */
function partsOf(manifests: readonly Manuscript[]): readonly (readonly Manuscript[])[] {
  const parts: Manuscript[][] = [];
  let room = 0;
  for (const one of manifests) {
    const size = one.text.length * 3;
    const last = parts.at(-1);
    if (last === undefined || size > room) {
      parts.push([one]);
      room = LARGEST;
    } else last.push(one);
    room -= size;
  }
  return parts;
}
