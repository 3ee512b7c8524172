import { linkBaseOf, type Pipeline } from "../../../entry/forge.js";
import type { Checked, Diagnostic } from "../../../entry/values.js";
import { folderInCheckout, folderOf, nameOf } from "../../forge/nameOf.js";
import { readNamedFile } from "../../outside/namedFile.js";
import type { World } from "../../outside/world.js";

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
  partFrom: (text: string, about: NamedPart) => Checked<Part | null>,
  labelOf: (part: Part) => string,
): Promise<Checked<readonly Part[] | null>> {
  const parts: Part[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const argument of files) {
    const [, given = null, file = argument] = /^([^=/\\]+)=(.+)$/s.exec(argument) ?? [];
    const read = await readNamedFile(world, file);
    if (read.text === null) {
      diagnostics.push(unreadable(file, read.why));
      continue;
    }
    const made = partFrom(read.text, { world, file, given, pipeline });
    diagnostics.push(...made.diagnostics);
    if (made.value !== null) parts.push(made.value);
  }
  const labels = parts.map(labelOf);
  const twice = labels.find((label, place) => labels.indexOf(label) !== place);
  if (twice !== undefined) diagnostics.push(sameName(twice));
  return { value: diagnostics.length > 0 ? null : parts, diagnostics };
}

/** What a comment calls a plan, and the address of its manifests. */
export function placeOf({ world, file, given, pipeline }: NamedPart, server: string, commit: string | null) {
  const folder = folderInCheckout(folderOf(world.cwd, file));
  const { change } = pipeline;
  // The line of a manifest is that of the commit that was planned; a merge that was tried has no page.
  const shown = change.as === "pull request" ? change.commit : (commit ?? pipeline.commit);
  const base = shown === null ? null : linkBaseOf(pipeline, shown);
  return {
    name: nameOf(given ?? folder, pipeline.path, server),
    linkBase: base === null ? null : `${base}${folder === "" ? "" : `${folder}/`}`,
  };
}

function unreadable(file: string, why: string): Diagnostic {
  return {
    code: "plan/unreadable",
    severity: "error",
    message: `${file} cannot be read: ${why}`,
    hint: "Save a plan with `remit plan --out plan.json`, and an outcome with `remit apply --report json=outcome.json`.",
  };
}

/** Two files for one project and tenant. */
function sameName(name: string): Diagnostic {
  return {
    code: "forge/same-name",
    severity: "error",
    message: `two of the files are the ${name}`,
    hint: "Name them: `remit comment eu=plan-eu.json us=plan-us.json`.",
  };
}
