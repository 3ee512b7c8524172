import type { Resource } from "../../manifest/resource.js";
import type { Desired } from "../../tenant/known.js";
import { say } from "../../words/say.js";
import { writes } from "../calls.js";
import type { Reason, Step } from "../step.js";
import type { Situation } from "./situation.js";

/** A step before its place among the others and its calls are known. */
export type Decision = Omit<Step, "calls" | "needs" | "follows">;

/** Who a decision is about, what was seen of it, and what is managed of it; what is left out is as for an object without a manifest. */
interface Known extends Pick<Decision, "address" | "key"> {
  readonly sight: Pick<Decision["sight"], "exists" | "fingerprint">;
  readonly recorded: Pick<Decision["recorded"], "record"> & Partial<Decision["recorded"]>;
  readonly managed: Pick<Decision["managed"], "identity" | "meanings" | "protected"> &
    Partial<Decision["managed"]>;
  readonly remarks?: Decision["remarks"];
}

const PROTECT = "remit/protect";

/**
 * What every decision begins with: nothing is wanted, so nothing changes. It names every member, because an object that
 * begins with a spread and has many members behind it takes thirty times as long to make.
 */
export function keeping({ address, key, sight, recorded, managed, remarks = [] }: Known): Decision {
  return {
    address,
    key,
    action: "keep",
    reason: "in sync",
    sight: { exists: sight.exists, unseen: null, fingerprint: sight.fingerprint },
    recorded: {
      renamedFrom: recorded.renamedFrom ?? null,
      driftedFrom: null,
      moved: [],
      givenBack: recorded.givenBack ?? [],
      record: recorded.record,
    },
    replaces: null,
    managed: {
      span: managed.span ?? null,
      labels: managed.labels ?? null,
      otherLabels: managed.otherLabels ?? [],
      createOnlySpans: managed.createOnlySpans ?? {},
      identity: managed.identity,
      owned: managed.owned ?? [],
      meanings: managed.meanings,
      protected: managed.protected,
    },
    changes: [],
    before: null,
    after: null,
    diagnostics: [],
    remarks,
  };
}

/** A decision, or a step, to write that turned out to be impossible: it is blocked. */
export function blockedInstead<D extends Decision>(
  decision: D,
  reason: Reason,
  diagnostics: Decision["diagnostics"],
): D {
  return {
    ...decision,
    ...{ before: null, after: null, changes: [], action: "blocked", reason, diagnostics, replaces: null },
    // What a step shows that is not carried out after all: nothing of what it would have changed.
    sight: { ...decision.sight, unseen: null },
    recorded: { ...decision.recorded, driftedFrom: null },
    remarks: decision.remarks.filter(({ about }) => about === "last file"),
  };
}

/** The decision, blocked where the service would refuse its write: an author hears of that before anything is sent. */
export function unlessRefused(
  decision: Decision,
  { resource }: Pick<Desired, "resource">,
  { kind, seen }: Pick<Situation, "kind" | "seen">,
): Decision {
  const { action, replaces, before, after, key } = decision;
  if (kind.refuses === undefined || after === null || !writes({ action, replaces })) return decision;
  const { isConnected } = seen.as === "present" ? seen : {};
  const refusal = kind.refuses(before, after, { key, ...(isConnected && { isConnected }) });
  if (refusal === null) return decision;
  const { field, message, hint } = refusal;
  const diagnostic = say(
    "plan/refused-by-service",
    { why: message, next: hint },
    resource.place(["spec", field]),
  );
  return blockedInstead(decision, "refused by the service", [diagnostic]);
}

/** Whether a decision deletes the object. */
export function isDelete({ action }: Decision): boolean {
  return action === "delete";
}

/** Whether a manifest asks that its object is neither deleted nor left without an acknowledgement. */
export function isProtected({ annotations }: Pick<Resource, "annotations">): boolean {
  return annotations[PROTECT] === "true";
}
