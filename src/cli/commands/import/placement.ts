import { existsSync, readdirSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import type { Diagnostic } from "../../../entry/values.js";
import type { World } from "../../outside/world.js";
import type { Project } from "../../project/project.js";
import { SCHEMAS } from "../schema/schemas.js";

/** Where new manifests go. */
export interface Placement {
  /** Absolute. */
  readonly folder: string;
  /** The file of a manifest, below the folder. */
  readonly file: (kind: string, name: string) => string;
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
): Placement | Diagnostic {
  const [first = "."] = settings.manifests.value;
  const folder = out === undefined ? resolve(root, first) : resolve(world.cwd, out);
  if (MANIFEST.test(folder)) return noFolder(out ?? first);
  const folderOf = (kind: string) => (SCHEMAS.get(kind)?.file ?? kind).replace(/\.json$/, "");
  return {
    folder,
    file: (kind, name) => `${folderOf(kind)}/${name}.yaml`,
    taken: (kind) => namesIn(join(folder, folderOf(kind))),
    schema(kind) {
      const file = SCHEMAS.get(kind)?.file ?? "";
      const copy = SCHEMA_FOLDERS.map((place) => join(root, place, file)).find((path) => existsSync(path));
      if (copy === undefined) return null;
      return relative(dirname(join(folder, folderOf(kind), "a.yaml")), copy).replaceAll("\\", "/");
    },
  };
}

function namesIn(folder: string): ReadonlySet<string> {
  if (!existsSync(folder)) return new Set();
  return new Set(readdirSync(folder).map((file) => file.replace(MANIFEST, "").toLowerCase()));
}

function noFolder(path: string): Diagnostic {
  return {
    code: "command/no-folder",
    severity: "error",
    message: `${path} is a file, and an import writes a file for each object`,
    hint: "Name a folder: remit import --out DIR. Add it to `manifests:` in remit.yaml.",
  };
}
