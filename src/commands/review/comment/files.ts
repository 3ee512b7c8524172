import { statSync } from "node:fs";
import { resolve } from "node:path";
import { folderInCheckout, nameOf, projectFolder } from "../../../cli/forge/nameOf.js";
import { readNamedFile } from "../../../cli/world/namedFile.js";
import type { World } from "../../../cli/world/world.js";
import { linkBaseOf } from "../../../forge/open.js";
import type { Pipeline } from "../../../forge/pipeline.js";
import type { Checked, Diagnostic } from "../../../model/diagnostic.js";
import { say } from "../../../words/say.js";
import { placeFault } from "./origin.js";

/** A named file, and the pipeline that it is posted from. */
export interface NamedPart {
  readonly world: World;
  readonly file: string;
  /** The name that the argument gives it; null for none. */
  readonly given: string | null;
  readonly pipeline: Pipeline;
}

/**
 * Makes a part of each file: an argument is `FILE` or `NAME=FILE`. Null, with the reasons, where a file cannot be used or
 * two are about the same.
 */
export async function readFiles<Part>(
  world: World,
  files: readonly string[],
  pipeline: Pipeline,
  partFrom: (text: string, about: NamedPart) => Promise<Checked<Part | null>>,
  labelOf: (part: Part) => string,
): Promise<Checked<readonly Part[] | null>> {
  const parts: Part[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const argument of files) {
    const { given, file } = namedIn(world, argument);
    const fault = placeFault(world, file);
    if (fault !== null) {
      diagnostics.push(fault);
      continue;
    }
    const read = await readNamedFile(world, file);
    if (read.text === null) {
      diagnostics.push(say("plan/unreadable#unreadable", { file, why: read.why }));
      continue;
    }
    const made = await partFrom(read.text, { world, file, given, pipeline });
    diagnostics.push(...made.diagnostics);
    if (made.value !== null) parts.push(made.value);
  }
  const labels = parts.map(labelOf);
  const twice = labels.find((label, place) => labels.indexOf(label) !== place);
  if (twice !== undefined) diagnostics.push(say("forge/same-name", { name: twice }));
  return { value: diagnostics.length > 0 ? null : parts, diagnostics };
}

/** The name and the file of an argument, `FILE` or `NAME=FILE`. A name may be a path where it is that of a folder. */
export function namedIn(world: World, argument: string): Pick<NamedPart, "given" | "file"> {
  const [, given = "", file = ""] = /^([^=]+)=(.+)$/s.exec(argument) ?? [];
  const isName = given !== "" && (!/[/\\]/.test(given) || isFolder(world, given));
  return isName ? { given, file } : { given: null, file: argument };
}

function isFolder({ cwd }: World, name: string): boolean {
  return statSync(resolve(cwd, name), { throwIfNoEntry: false })?.isDirectory() === true;
}

/** What a plan, an outcome or a failed run says of itself. */
interface Posted {
  readonly server: string;
  readonly context?: string;
  readonly commit: string | null;
}

/** What a comment calls a plan, and the address of its manifests. */
export function placeOf({ world, given, pipeline }: NamedPart, { server, context, commit }: Posted) {
  const isGiven = given !== null && isFolder(world, given);
  const folder = isGiven ? folderInCheckout(resolve(world.cwd, given)) : projectFolder(world.cwd);
  const { change } = pipeline;
  // The line of a manifest is that of the commit that was planned; a merge that was tried has no page.
  const shown = change.as === "pull request" ? change.commit : (commit ?? pipeline.commit);
  const base = shown === null ? null : linkBaseOf(pipeline, shown);
  return {
    name: nameOf(given ?? folder, pipeline.path, { server, context: context ?? null }),
    linkBase: base === null ? null : `${base}${folder === "" ? "" : `${folder}/`}`,
  };
}
