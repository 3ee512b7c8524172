import { existsSync, readdirSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import type { Project } from "../../cli/settings/project.js";
import type { World } from "../../cli/world/world.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import { say } from "../../words/say.js";
import { SCHEMAS } from "../schema/schemas.js";
import type { Manuscript } from "./emptyPlan.js";
import { filesOf, folderOf, type NewFile, takenIn } from "./layout.js";
import type { Layout } from "./layouts.js";

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
  if (MANIFEST.test(folder)) return say("command/no-folder", { path: out ?? first });
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
  if (!existsSync(folder)) return new Set();
  return new Set(readdirSync(folder).map((file) => file.replace(MANIFEST, "").toLowerCase()));
}
