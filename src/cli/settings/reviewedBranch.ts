import { realpathSync } from "node:fs";
import { isAbsolute, resolve } from "node:path";
import { PROJECT_FILES } from "../../manifest/contexts.js";
import type { readDocument } from "../../manifest/document.js";
import { isWithin, readSources } from "../../manifest/files.js";
import { type FileAt, fileAt } from "../../manifest/git/fileAt.js";
import { type Checked, type Diagnostic, hasErrors, refuse } from "../../model/diagnostic.js";
import { gitEnvironment } from "../../model/variables.js";
import { say } from "../../words/say.js";
import type { World } from "../world/world.js";
import { type ProjectFile, projectFileFrom } from "./projectFile.js";

/** The project file that `--settings-from` leads to. */
export interface Reviewed {
  /** As the operator named it. */
  readonly named: string;
  /** Null where it is a file. */
  readonly commit: string | null;
  /** Null where the commit has none: the defaults are in force. */
  readonly file: ProjectFile | null;
}

// What a repository contains never decides which of the two a name is.
const FILE = /^(?:\.{1,2}[/\\]|[^:]*\.ya?ml$)/;

/**
 * Reads the settings that are in force, null with an error. A name that begins with `../project/`, `../` or `/`, or ends with
 * `.yaml`, is a file. Any other is a commit, and its project file for the current folder is read.
 */
export async function readSettingsFrom(
  world: World,
  root: string,
  named: string,
  check: Parameters<typeof readDocument>[1],
): Promise<Checked<Reviewed | null>> {
  if (/^-|\p{Cc}|^\s*$/u.test(named)) return refuse(noRef(named, "it is not the name of a commit or a file"));
  const isFile = isAbsolute(named) || (FILE.test(named) && !named.startsWith("refs/"));
  if (isFile) return fromFile(world, root, named, check);
  const found = await fileAt(world.cwd, PROJECT_FILES, named, gitEnvironment(world.env));
  const project = realpathSync(root);
  // A folder that the commit does not have is a new project, whose settings no folder above decides.
  const isNew = found.as === "found" && found.reached !== project && isWithin(found.reached, project);
  if (found.as === "absent" || isNew) {
    const value = { named, commit: found.commit, file: null };
    return { value, diagnostics: [say("config/settings-default", { named })] };
  }
  if (found.as !== "found") return refuse(problemOf(named, found));
  // Otherwise a project file that is added nearer would put another file's settings, or none, in force.
  if (project !== found.folder) return refuse(elsewhere(named, found.source.file));
  const read = projectFileFrom(found.source, check);
  if (hasErrors(read.diagnostics)) return { value: null, diagnostics: read.diagnostics };
  return { value: { named, commit: found.commit, file: read.value }, diagnostics: read.diagnostics };
}

async function fromFile(
  { cwd }: World,
  root: string,
  named: string,
  check: Parameters<typeof readDocument>[1],
): Promise<Checked<Reviewed | null>> {
  const sources = await readSources({ paths: [resolve(cwd, named)], cwd: root });
  const [source] = sources.value;
  if (source === undefined || sources.value.length > 1)
    return sources.diagnostics.length > 0
      ? { value: null, diagnostics: sources.diagnostics }
      : refuse(noRef(named, "it is not a file"));
  const read = projectFileFrom(source, check);
  const diagnostics = [...sources.diagnostics, ...read.diagnostics];
  if (hasErrors(diagnostics)) return { value: null, diagnostics };
  return { value: { named, commit: null, file: read.value }, diagnostics };
}

function problemOf(named: string, found: Exclude<FileAt, { readonly as: "found" | "absent" }>): Diagnostic {
  switch (found.as) {
    case "no checkout":
      return noRef(
        named,
        "this folder is in no checkout of git",
        "Name a file: --settings-from ./settings.yaml.",
      );
    case "unusable":
      return noRef(named, `${found.path} of that commit cannot be read: ${found.why}`);
    case "ambiguous": {
      const [first = ""] = found.meanings;
      return noRef(
        named,
        `it may mean ${found.meanings.join(" or ")}`,
        `Write the full name, such as ${first}.`,
      );
    }
    case "other":
      return noRef(named, `it leads to a ${found.what === "blob" ? "file" : "folder"} and not to a commit`);
    case "unknown": {
      const why = found.isShallow
        ? "this checkout is a shallow clone that does not contain it"
        : "this checkout does not contain it";
      return noRef(named, why, `Fetch it first: ${found.fetch}`);
    }
    default:
      return found satisfies never;
  }
}

function noRef(
  named: string,
  why: string,
  hint = "Name a branch, a tag or a commit, such as origin/main; or a file, such as ./settings.yaml.",
): Diagnostic {
  return say("config/settings-from", { named, why }, { hint });
}

function elsewhere(named: string, file: string): Diagnostic {
  const why = `the project file of that commit is ${file}, and this project is another folder`;
  return noRef(
    named,
    why,
    "Keep remit.yaml in its folder, or run remit in the folder of the project: remit -C FOLDER …",
  );
}
