import { kindNamed } from "../../kinds/index.js";
import { formatAddress } from "../../model/address.js";
import { type Checked, type Diagnostic, formatLine, hasErrors, lineAt } from "../../model/diagnostic.js";
import { same } from "../../model/json.js";
import { say } from "../../words/say.js";
import { checkAll } from "../load.js";
import type { LoadedProject } from "../project.js";
import type { Resource } from "../resource.js";
import { haveSameValues } from "../vocabulary.js";
import { type EarlierProject, type ProjectAtCommit, short } from "./earlierProject.js";

/** What became of the manifests of an earlier project. A manifest of the project that none of these stand for is new. */
interface ManifestChanges {
  /** Earlier manifests that may have described another object than the project now does. */
  readonly removed: readonly Resource[];
  /** Earlier manifests of the same objects, which say something else now. */
  readonly edited: readonly Resource[];
  /** Addresses of the manifests that say what they said. */
  readonly unchanged: ReadonlySet<string>;
}

/**
 * Compares the manifests of an earlier project with those of the project. A text that did not change is not read again.
 * Where the earlier project had errors, remit does not know all of it: then none counts as removed, and what was not read is new.
 */
export function changesSince(
  past: EarlierProject,
  project: Pick<LoadedProject, "sources" | "resources" | "vocabulary">,
): Checked<ManifestChanges> {
  const { isSameNames, faults, isKnown, isOneObject, unread, ...then } = manifestsThen(past, project);
  const now = byAddress(project.resources);
  const isAsWritten = (one: Resource) => saysTheSame(one, now.get(formatAddress(one.address)));
  const alike = isSameNames ? then.resources.filter(isAsWritten) : [];
  const unchanged = [...unread, ...alike];
  const others = then.resources.filter((one) => !alike.includes(one));
  return {
    value: {
      removed: isKnown ? others.filter((one) => !isOneObject(one)) : [],
      edited: isKnown ? others.filter(isOneObject) : others,
      unchanged: new Set(unchanged.map(({ address }) => formatAddress(address))),
    },
    diagnostics: past.isComplete ? faults.filter(isError).slice(0, 1).map(incomplete(past)) : [],
  };
}

/** The manifests of an earlier project, as far as they may be other ones than those of the project now. */
interface ManifestsThen {
  /** Those of texts that changed, or that mean something else now. */
  readonly resources: readonly Resource[];
  /** The manifests of the project whose texts say what they said. */
  readonly unread: readonly Resource[];
  /** Whether an earlier manifest describes the object that the project's manifest of its address describes. */
  readonly isOneObject: (then: Resource) => boolean;
  readonly faults: readonly Diagnostic[];
  /** Whether all of the earlier project could be read. */
  readonly isKnown: boolean;
  /** Whether names of apps mean what they meant. */
  readonly isSameNames: boolean;
}

/** Reads the manifests of an earlier project beside those of the project. A text that did not change is not read again. */
export function manifestsThen(
  past: ProjectAtCommit,
  project: Pick<LoadedProject, "sources" | "resources" | "vocabulary"> | null,
): ManifestsThen {
  const { sources = [], resources = [] } = project ?? {};
  const isSameNames = project !== null && same({ ...past.vocabulary.apps }, { ...project.vocabulary.apps });
  const texts = new Map(sources.map(({ file, text }) => [file, text]));
  const changed =
    isSameNames && haveSameValues(past, project)
      ? past.sources.filter(({ file, text }) => texts.get(file) !== text)
      : past.sources;
  const then = checkAll(changed, past.vocabulary);
  const faults = then.diagnostics.map(({ diagnostic }) => diagnostic);
  const now = byAddress(resources);
  const read = new Set(changed.map(({ file }) => file));
  const before = new Set(past.sources.map(({ file }) => file));
  return {
    resources: then.resources,
    unread: resources.filter(({ file }) => before.has(file) && !read.has(file)),
    isOneObject: ({ address, spec }) => {
      const written = now.get(formatAddress(address))?.spec;
      if (written === undefined || !isSameNames) return false;
      const identity = kindNamed(address.kind)?.shape.identity ?? [];
      const isNamed = identity.every((name) => spec[name] !== undefined);
      if (!isNamed) return same(written, spec);
      return identity.every((name) => same(written[name] ?? null, spec[name] ?? null));
    },
    faults,
    isKnown: past.isComplete && !hasErrors(faults),
    isSameNames,
  };
}

function byAddress(resources: readonly Resource[]): ReadonlyMap<string, Resource> {
  return new Map(resources.map((resource) => [formatAddress(resource.address), resource]));
}

/** Whether two manifests of one address ask for the same, in the same words. */
function saysTheSame(one: Resource, other: Resource | undefined): boolean {
  return other !== undefined && same(one.spec, other.spec) && same(one.annotations, other.annotations);
}

function isError({ severity }: Diagnostic): boolean {
  return severity === "error";
}

function incomplete({ commit }: EarlierProject): (fault: Diagnostic) => Diagnostic {
  return ({ message, span }) => {
    const place = span === undefined ? "" : `${formatLine(lineAt(span))}: `;
    return say("since/incomplete#incomplete", { commit: short(commit), place, message });
  };
}
