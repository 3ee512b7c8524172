import type { Labels } from "../select/labels.js";

/** What has labels of an object beside its manifest. `earlier manifest` is the one at the commit of `--since`. */
export const LABEL_SOURCES = ["reviewed branch", "state", "earlier manifest"] as const;

/** One of them. */
export type LabelSource = (typeof LABEL_SOURCES)[number];

/** The labels of an object elsewhere than in its manifest. */
export interface OtherLabels {
  readonly by: LabelSource;
  /** Null where they are unknown. */
  readonly labels: Labels | null;
}
