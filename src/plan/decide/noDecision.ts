import type { Reason, Step } from "../step.js";

/** A step before its place among the others and its calls are known. */
export type Decision = Omit<Step, "calls" | "needs" | "follows">;

/** What every decision begins with: nothing is wanted, so nothing changes. Who it is about and what was seen is added. */
export const NO_DECISION = {
  action: "keep",
  reason: "in sync",
  unseen: null,
  span: null,
  labels: {},
  renamedFrom: null,
  driftedFrom: null,
  replaces: null,
  moved: [],
  createOnlySpans: {},
  changes: [],
  before: null,
  after: null,
  owned: [],
  givenBack: [],
  restore: {},
  lastFile: null,
  changedAt: null,
  diagnostics: [],
} as const satisfies Partial<Decision>;

/** What a step shows that is not carried out after all: nothing of what it would have changed. */
const UNDONE = {
  before: null,
  after: null,
  changes: [],
  restore: {},
  driftedFrom: null,
  unseen: null,
  changedAt: null,
} as const satisfies Partial<Decision>;

/** A decision to write that turned out to be impossible: its step is blocked. */
export function blockedInstead(
  decision: Decision,
  reason: Reason,
  diagnostics: Decision["diagnostics"],
): Decision {
  return { ...decision, ...UNDONE, action: "blocked", reason, diagnostics };
}
