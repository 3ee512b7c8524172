import { existsSync, statSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { nameAll } from "../../author/naming.js";
import type { Project } from "../../cli/settings/project.js";
import { filesIn } from "../../cli/world/newFiles.js";
import type { World } from "../../cli/world/world.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import { groupBy } from "../../model/groupBy.js";
import { say } from "../../words/say.js";
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
function takenIn(folder: string): (path: string) => boolean {
  const taken = new Set(filesIn(folder).map(plain));
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

/** Where new manifests go. */
export interface Placement {
  /** Absolute. */
  readonly folder: string;
  /** It, and those below it that any layout writes to. */
  readonly folders: readonly string[];
  /** The files to write, their paths below the folder. */
  readonly files: (manifests: readonly Manuscript[]) => readonly NewFile[];
  /** The names that files already have, in small letters. */
  readonly taken: (kind: string) => ReadonlySet<string>;
  /** The way from a new manifest to its schema; null where the project has no copy of it. */
  readonly schema: (kind: string) => string | null;
}

const MANIFEST = /\.(ya?ml|json)$/i;
/** Where `remit init` puts the schemas, and where a project may keep them itself. */
const SCHEMA_FOLDERS = [".remit/schemas", "schemas"];

/** The folder that `--out` or the settings name; a diagnostic where they name a file. */
export function placementOf(
  world: World,
  { root, settings }: Project,
  out: string | undefined,
  layout: Layout,
): Placement | Diagnostic {
  const [first = "."] = settings.manifests.value;
  const folder = out === undefined ? resolve(root, first) : resolve(world.cwd, out);
  const isFile = statSync(folder, { throwIfNoEntry: false })?.isDirectory() === false;
  if (isFile || MANIFEST.test(folder)) return say("command/no-folder", { path: out ?? first });
  const placeOf = (kind: string) => (layout === "object" ? join(folder, folderOf(kind)) : folder);
  return {
    folder,
    folders: [folder, ...[...SCHEMAS.keys()].map((kind) => join(folder, folderOf(kind)))],
    files: (manifests) => filesOf(manifests, layout, takenIn(folder)),
    taken: (kind) => (layout === "object" ? namesIn(placeOf(kind)) : new Set()),
    schema(kind) {
      const file = SCHEMAS.get(kind)?.file ?? "";
      const copy = SCHEMA_FOLDERS.map((place) => join(root, place, file)).find((path) => existsSync(path));
      return copy === undefined ? null : relative(placeOf(kind), copy).replaceAll("\\", "/");
    },
  };
}

function namesIn(folder: string): ReadonlySet<string> {
  return new Set(filesIn(folder).map((file) => file.replace(MANIFEST, "").toLowerCase()));
}
