import type { DiagnosticAbout } from "../../manifest/manifests.js";
import { arePathsChosen, type LoadedProject, type ProjectLoad } from "../../manifest/project.js";
import type { Resource } from "../../manifest/resource.js";
import { type Address, formatAddress } from "../../model/address.js";
import { byPlace, type Checked, type Diagnostic } from "../../model/diagnostic.js";
import { globbed } from "../../model/glob.js";
import { didYouMean, meantAddress, nearestInWords } from "../../schema/didYouMean.js";
import { say } from "../../words/say.js";
import type { Mode } from "../plan.js";
import { type Labels, parseSelector } from "./labels.js";

/** What of a mode limits a plan to some resources. */
export type Selecting = Pick<Mode, "targets" | "selector">;

/**
 * The resources of the project that a run looks at. They are in a file of its paths, match one of its targets, and have
 * the labels of its selector. A target is an address (`ResourceType/github-team`) or a kind, either with
 * `*` for any letters; labels are selected as kubectl does. An error outside the selection is a warning.
 */
export function select(project: LoadedProject, selecting: Selecting): Checked<readonly Resource[]> {
  const { value: hasLabels, diagnostics } = parseSelector(selecting.selector ?? "");
  const isChosen = (file: string | null) =>
    project.chosen === null || (file !== null && project.chosen.has(file));
  const isNamed = (address: Address, labels: Labels) => isTarget(selecting, address) && hasLabels(labels);
  const isFound = areFound(selecting, project.resources);

  function mayConcern({ about }: DiagnosticAbout): boolean {
    return (
      about.length === 0 ||
      about.some(({ file, manifest }) => {
        if (!isChosen(file)) return false;
        return manifest === null ? !isFound : isNamed(manifest.address, manifest.labels);
      })
    );
  }

  return {
    value: project.resources.filter(
      ({ file, address, labels }) => isChosen(file) && isNamed(address, labels),
    ),
    diagnostics: [
      ...diagnostics,
      ...project.diagnostics
        .map((fault) => (mayConcern(fault) ? fault.diagnostic : asWarning(fault.diagnostic)))
        .sort(byPlace),
    ],
  };
}

/** Whether a run looks at a part of the project only. */
export function isSelecting({ chosen }: Pick<LoadedProject, "chosen">, selecting: Selecting): boolean {
  return chosen !== null || selecting.targets.length > 0 || selecting.selector !== null;
}

/** Whether a run will look at the whole project, before that is loaded. */
export function isWhole(load: Pick<ProjectLoad, "project" | "paths">, selecting: Selecting): boolean {
  return !arePathsChosen(load) && !isSelecting({ chosen: null }, selecting);
}

/** Whether each target is one address, and its manifest was read: what could not be read is then none of them. */
function areFound({ targets, selector }: Selecting, resources: readonly Resource[]): boolean {
  if (selector !== null || targets.length === 0) return false;
  const known = new Set(resources.map(({ address }) => formatAddress(address)));
  return targets.every((target) => known.has(target));
}

function asWarning(diagnostic: Diagnostic): Diagnostic {
  return diagnostic.severity === "error" ? { ...diagnostic, severity: "warning" } : diagnostic;
}

/** Targets that are the address of nothing. */
export function idleTargets(selecting: Selecting, addresses: readonly Address[]): readonly Diagnostic[] {
  const idle = selecting.targets.filter((target) => !addresses.some((address) => fits(target, address)));
  if (idle.length === 0) return [];
  const known = addresses.map(formatAddress);
  return idle.map((target) =>
    say(
      "plan/idle-target",
      { target },
      {
        hint: `${meantAddress(target, known)} A target is a kind, or an address as \`Kind/name\`; \`*\` stands for any letters.`.trim(),
      },
    ),
  );
}

/** A selector that no resource has the labels of. */
export function idleSelector(
  { selector }: Selecting,
  project: readonly Resource[],
  selected: number,
): readonly Diagnostic[] {
  if (selector === null || project.length === 0 || selected > 0) return [];
  return [say("plan/idle-selector", { selector, selector2: labelsLike(selector, project) })];
}

/** The labels of the project that are most like a selector. */
function labelsLike(selector: string, project: readonly Resource[]): string {
  const pairs = project.flatMap(({ labels }) =>
    Object.entries(labels).map(([name, value]) => `${name}=${value}`),
  );
  const known = [...new Set(pairs)].sort();
  if (known.length === 0) return "No manifest has labels. They stand under `metadata.labels`.";
  return didYouMean(selector, known) ?? nearestInWords(selector, known).trim();
}

function isTarget({ targets }: Selecting, address: Address): boolean {
  return targets.length === 0 || targets.some((target) => fits(target, address));
}

function fits(target: string, address: Address): boolean {
  return globbed(target, target.includes("/") ? formatAddress(address) : address.kind);
}
