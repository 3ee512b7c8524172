import { kindNamed } from "../kinds/index.js";
import { formatAddress } from "../model/address.js";
import { type Checked, type Diagnostic, hasErrors } from "../model/diagnostic.js";
import { same } from "../model/json.js";
import { type EarlierProject, short } from "./earlierProject.js";
import { checkAll } from "./load.js";
import type { LoadedProject } from "./project.js";
import type { AppNames } from "./references.js";
import type { Resource } from "./resource.js";

/**
 * The manifests of an earlier project that may have described another object than the project now does. A text that did not change is
 * not read again. None where the earlier project had errors: then remit does not know all of it.
 */
export function departedSince(
  past: EarlierProject,
  { sources, resources }: Pick<LoadedProject, "sources" | "resources">,
  apps: AppNames,
): Checked<readonly Resource[]> {
  if (!past.isComplete) return { value: [], diagnostics: [] };
  const isSameNames = same({ ...past.apps }, { ...apps });
  const texts = new Map(sources.map(({ file, text }) => [file, text]));
  const changed = isSameNames
    ? past.sources.filter(({ file, text }) => texts.get(file) !== text)
    : past.sources;
  const then = checkAll(changed, past.apps);
  const faults = then.diagnostics.map(({ diagnostic }) => diagnostic);
  if (hasErrors(faults))
    return { value: [], diagnostics: faults.filter(isError).slice(0, 1).map(incomplete(past)) };
  const now = new Map(resources.map((resource) => [formatAddress(resource.address), resource.spec]));
  const isSame = ({ address, spec }: Resource) => {
    const written = now.get(formatAddress(address));
    if (written === undefined || !isSameNames) return false;
    const identity = kindNamed(address.kind)?.shape.identity ?? [];
    const isNamed = identity.every((name) => spec[name] !== undefined);
    if (!isNamed) return same(written, spec);
    return identity.every((name) => same(written[name] ?? null, spec[name] ?? null));
  };
  return { value: then.resources.filter((resource) => !isSame(resource)), diagnostics: [] };
}

function isError({ severity }: Diagnostic): boolean {
  return severity === "error";
}

function incomplete({ commit }: EarlierProject): (fault: Diagnostic) => Diagnostic {
  return ({ message, span }) => {
    const place = span === undefined ? "" : `${span.file}:${span.start.line}: `;
    return {
      code: "since/incomplete",
      severity: "warning",
      message: `at ${short(commit)}: ${place}${message}`,
      hint: "remit cannot know what was removed since then, so nothing counts as removed.",
    };
  };
}
