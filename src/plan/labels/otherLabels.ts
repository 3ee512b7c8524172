import type { Address } from "../../model/address.js";
import { same } from "../../model/json.js";
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
