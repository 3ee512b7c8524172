import { manifestsThen } from "../../manifest/git/changes.js";
import type { ProjectAtCommit } from "../../manifest/git/earlierProject.js";
import type { LoadedProject } from "../../manifest/project.js";
import type { Resource } from "../../manifest/resource.js";
import { type Address, formatAddress } from "../../model/address.js";
import { same } from "../../model/json.js";
import { formatKey } from "../../model/key.js";
import { resolveEarlier } from "../../tenant/earlier.js";
import type { Desired } from "../../tenant/known.js";
import { addressBefore, type MovedAddress } from "../../tenant/movedAddress.js";
import type { Origin } from "../../tenant/origin.js";
import type { RecordLookup } from "../record/lookup.js";
import type { LabelSource, Labels, OtherLabels } from "../select/labels.js";
import type { Step } from "../step.js";

/** The labels of a step's object that are not those of its manifest: by the reviewed branch, the state and an earlier manifest. */
export function otherLabelsOf(
  step: Pick<Step, "address" | "key" | "recorded" | "managed">,
  memory: Pick<RecordLookup, "entry" | "holder">,
  reviewed: ReviewedLabels | null,
): readonly OtherLabels[] {
  const { address, key } = step;
  const { labels } = step.managed;
  const known = reviewed?.(step) ?? null;
  const entry = memory.entry(address.kind, key) ?? memory.holder(address);
  const all: readonly OtherLabels[] = [
    ...(known === null ? [] : [{ by: "reviewed branch" as const, labels: known.labels }]),
    ...(entry === null ? [] : [{ by: "state" as const, labels: entry.labels ?? {} }]),
    ...step.managed.otherLabels,
  ];
  return labels === null ? all : all.filter((one) => !areSame(one.labels, labels));
}

function areSame(one: Labels | null, other: Labels): boolean {
  return one !== null && same({ ...one }, { ...other });
}

/** The labels that one object has, where it is asked about by one source: those of its manifest where that source has none. */
export function labelsBy(
  source: LabelSource | "manifest",
  { managed: { labels, otherLabels } }: Pick<Step, "managed">,
): OtherLabels | { readonly by: "manifest"; readonly labels: Labels } | null {
  const found = otherLabels.find(({ by }) => by === source);
  if (found !== undefined) return found;
  return labels === null ? (otherLabels[0] ?? null) : { by: "manifest", labels };
}

/** One object whose labels a change takes away, adds or writes otherwise. */
export interface LabelChange {
  readonly address: Address;
  readonly span: Step["managed"]["span"];
  readonly by: readonly LabelSource[];
  /** Sorted by name; null stands for a label that is not set. */
  readonly labels: readonly {
    readonly name: string;
    readonly before: string | null;
    readonly after: string | null;
  }[];
}

/** The labels that change in manifests, object by object; what several sources say is said once. */
export function labelChangesIn(steps: readonly Pick<Step, "address" | "managed">[]): readonly LabelChange[] {
  return steps.flatMap(({ address, managed: { span, labels, otherLabels } }): readonly LabelChange[] => {
    if (labels === null) return [];
    const found = new Map<string, LabelChange>();
    for (const { by, labels: then } of otherLabels) {
      if (then === null) continue;
      const changed = differencesOf(then, labels);
      const name = JSON.stringify(changed);
      const known = found.get(name);
      found.set(name, { address, span, by: [...(known?.by ?? []), by], labels: changed });
    }
    return [...found.values()];
  });
}

function differencesOf(before: Labels, after: Labels): LabelChange["labels"] {
  const valueIn = (labels: Labels, name: string) =>
    Object.hasOwn(labels, name) ? (labels[name] ?? null) : null;
  return [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .sort()
    .map((name) => ({ name, before: valueIn(before, name), after: valueIn(after, name) }))
    .filter((one) => one.before !== one.after);
}

/**
 * The labels that an object has on the reviewed branch: `null` for an object that has no manifest there, and unknown labels
 * for one that may have a manifest there.
 */
export type ReviewedLabels = (
  step: Pick<Step, "address" | "key" | "recorded">,
) => { readonly labels: Labels | null } | null;

/** A manifest of the reviewed branch; the key of its object is null where it is not known. */
interface ReviewedManifest {
  readonly resource: Resource;
  readonly key: Desired["key"];
}

/**
 * The labels of the manifests of a reviewed branch. An object is known by its key, also under another address. Where
 * no key is known, its address counts, with the one before it and the one that `moved:` names.
 */
export async function reviewedLabels(
  past: ProjectAtCommit,
  project: LoadedProject,
  desired: readonly Desired[],
  moved: readonly MovedAddress[],
  origin: Origin,
): Promise<ReviewedLabels> {
  const then = manifestsThen(past, project);
  const keys = new Map(desired.map(({ resource, key }) => [formatAddress(resource.address), key]));
  const keyNow = ({ address }: Resource) => keys.get(formatAddress(address)) ?? null;
  const others = then.resources.filter((one) => !then.isOneObject(one));
  const resolved = await resolveEarlier(others, past.vocabulary.apps, origin);
  const found = new Map(resolved.value.map(({ resource, key }) => [resource, key]));
  const manifests = [
    ...then.unread.map((resource) => ({ resource, key: keyNow(resource) })),
    ...then.resources.map((resource) => ({
      resource,
      key: then.isOneObject(resource) ? keyNow(resource) : (found.get(resource) ?? null),
    })),
  ];
  const unclear = others.filter((one) => !found.has(one));
  return labelsAmong(manifests, { moved, isWhole: then.isKnown, unclear });
}

/** The same by addresses alone, where no manifest is compared with the tenant. */
export function reviewedLabelsByAddress(
  past: ProjectAtCommit,
  moved: readonly MovedAddress[],
): ReviewedLabels {
  const { resources, isKnown } = manifestsThen(past, null);
  const manifests = resources.map((resource) => ({ resource, key: null }));
  return labelsAmong(manifests, { moved, isWhole: isKnown, unclear: [] });
}

function labelsAmong(
  manifests: readonly ReviewedManifest[],
  {
    moved,
    isWhole,
    unclear,
  }: {
    readonly moved: readonly MovedAddress[];
    readonly isWhole: boolean;
    /** Manifests whose names mean nothing clear any more: each may have described any object of its kind. */
    readonly unclear: readonly Resource[];
  },
): ReviewedLabels {
  const byKey = new Map<string, Labels>();
  const byAddress = new Map<string, Labels>();
  for (const { resource, key } of manifests) {
    byAddress.set(formatAddress(resource.address), resource.labels);
    if (key !== null) byKey.set(formatKey(resource.address.kind, key), resource.labels);
  }
  const unclearKinds = new Set(
    unclear.filter(({ labels }) => Object.keys(labels).length > 0).map(({ address }) => address.kind),
  );
  return ({ address, key, recorded: { renamedFrom } }) => {
    const before = addressBefore(moved, address);
    const names = [
      address,
      ...(renamedFrom === null ? [] : [renamedFrom]),
      ...(before === undefined ? [] : [before]),
    ];
    const labels =
      (key === null ? undefined : byKey.get(formatKey(address.kind, key))) ??
      names.map((name) => byAddress.get(formatAddress(name))).find((one) => one !== undefined);
    if (labels !== undefined) return { labels };
    return isWhole && !unclearKinds.has(address.kind) ? null : { labels: null };
  };
}
