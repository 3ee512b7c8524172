import type { Reason, Step } from "../step.js";

/** A step before its place among the others and its calls are known. */
export type Decision = Omit<Step, "calls" | "needs" | "follows">;

/** Who a decision is about and what was seen of it. What is left out is as for an object without a manifest. */
type Known = Pick<
  Decision,
  "address" | "key" | "exists" | "meanings" | "identity" | "fingerprint" | "record" | "protected"
> &
  Partial<
    Pick<
      Decision,
      | "span"
      | "labels"
      | "otherLabels"
      | "renamedFrom"
      | "createOnlySpans"
      | "owned"
      | "givenBack"
      | "remarks"
    >
  >;

/**
 * What every decision begins with: nothing is wanted, so nothing changes. It names every member, because an object that
 * begins with a spread and has many members behind it takes thirty times as long to make.
 */
export function keeping(known: Known): Decision {
  return {
    address: known.address,
    key: known.key,
    action: "keep",
    reason: "in sync",
    exists: known.exists,
    unseen: null,
    renamedFrom: known.renamedFrom ?? null,
    driftedFrom: null,
    replaces: null,
    meanings: known.meanings,
    moved: [],
    createOnlySpans: known.createOnlySpans ?? {},
    labels: known.labels ?? null,
    otherLabels: known.otherLabels ?? [],
    span: known.span ?? null,
    changes: [],
    before: null,
    after: null,
    identity: known.identity,
    owned: known.owned ?? [],
    givenBack: known.givenBack ?? [],
    fingerprint: known.fingerprint,
    record: known.record,
    protected: known.protected,
    diagnostics: [],
    remarks: known.remarks ?? [],
  };
}

/** What a step shows that is not carried out after all: nothing of what it would have changed. */
const UNDONE = {
  before: null,
  after: null,
  changes: [],
  driftedFrom: null,
  unseen: null,
} as const satisfies Partial<Decision>;

/** A decision to write that turned out to be impossible: its step is blocked. */
export function blockedInstead(
  decision: Decision,
  reason: Reason,
  diagnostics: Decision["diagnostics"],
): Decision {
  const remarks = decision.remarks.filter(({ about }) => about === "last file");
  return { ...decision, ...UNDONE, action: "blocked", reason, diagnostics, remarks };
}
