import { type Address, formatAddress } from "../model/address.js";
import type { Diagnostic } from "../model/diagnostic.js";
import type { LoadedProject } from "./project.js";
import type { UnclearFile } from "./unclearFile.js";

/** Where a manifest stood before; a file that is not known is undefined. */
export interface Former {
  readonly address: Address;
  readonly file: string | undefined;
}

/**
 * The project once it is known which manifests it had. While a file of it is not understood, or gives no manifest
 * although it gave one that is missing now, nothing counts as removed: the project is not complete. A run that is asked
 * to delete what was removed is refused.
 */
export function withUnclearFiles(
  project: LoadedProject,
  former: (unclear: readonly UnclearFile[]) => readonly Former[],
  isToPrune: boolean,
): LoadedProject {
  if (project.unclear.length === 0) return project;
  const here = new Set(project.resources.map(({ address }) => formatAddress(address)));
  const missing = former(project.unclear).filter(({ address }) => !here.has(formatAddress(address)));
  const files = new Set(missing.map(({ file }) => file));
  const open = project.unclear.filter(
    ({ file, isCertain }) => isCertain || files.has(file) || files.has(undefined),
  );
  if (open.length === 0) return project;
  const replaced = new Set(open.flatMap(({ instead }) => instead));
  return {
    ...project,
    isComplete: false,
    diagnostics: [
      ...project.diagnostics.filter(({ diagnostic }) => !replaced.has(diagnostic)),
      ...open.map(({ file, diagnostic }) => ({
        about: [{ file, manifest: null }],
        diagnostic: isToPrune ? refused(diagnostic) : diagnostic,
      })),
    ],
  };
}

function refused(diagnostic: Diagnostic): Diagnostic {
  return { ...diagnostic, severity: "error", hint: `--prune is refused. ${diagnostic.hint}` };
}
