import { formatAddress, parseAddress } from "../../model/address.js";
import { isObject, type Json } from "../../model/json.js";
import { pendingAddress, pendingId } from "../../model/pending.js";
import { keyFor, mapReferences } from "../pendingStep.js";
import { type Finding, type Planned, pendingIn } from "../plan.js";
import type { Step } from "../step.js";

/** What was answered to a finding, or the working tree proposes: all of a finding that does not follow from the steps. */
export type FindingAnswer = Pick<Finding, "guard" | "hash" | "acknowledged" | "proposed">;

/**
 * A finding of a guard that a team wrote, without its answer. It is kept because no one can ask the guard again: a plan
 * contains no people. Where the plan is applied, the guards in force are asked, and this decides nothing.
 */
export type StoredOwnFinding = Pick<Finding, "guard" | "address" | "message" | "hash"> &
  Required<Pick<Finding, "own">>;

/** A step as it is saved. Its calls follow from it. */
export type StoredStep = Omit<Step, "calls">;

/** A plan as it is saved: without what follows from its steps, which are the calls, the findings and the time of an apply. */
export interface StoredPlan extends Omit<Planned, "steps" | "since" | "findings" | "calls" | "estimate"> {
  readonly steps: readonly StoredStep[];
  readonly since:
    | (Omit<NonNullable<Planned["since"]>, "pending"> & { readonly pending: readonly StoredStep[] })
    | null;
  readonly answers: readonly FindingAnswer[];
  /** Absent where no guard of a team found anything. */
  readonly own?: readonly StoredOwnFinding[];
  readonly calls: Pick<Planned["calls"], "made">;
  readonly estimate: Pick<Planned["estimate"], "width">;
}

/** What a plan stores beside its steps. */
export function storedBesideSteps(plan: Planned): Omit<StoredPlan, "steps"> {
  const { steps: _, findings, ...kept } = plan;
  const { since, calls, estimate } = plan;
  const ofTeam = findings.flatMap(({ guard, address, message, hash, own }): readonly StoredOwnFinding[] =>
    own === undefined ? [] : [{ guard, address, message, hash, own }],
  );
  return {
    ...kept,
    since: since === null ? null : { ...since, pending: pendingIn(plan).map(storedStep) },
    answers: findings.filter(isAnswered).map(({ guard, hash, acknowledged, proposed }) => ({
      guard,
      hash,
      acknowledged,
      proposed,
    })),
    ...(ofTeam.length > 0 && { own: ofTeam }),
    calls: { made: calls.made },
    estimate: { width: estimate.width },
  };
}

/** A step as a plan stores it. */
export function storedStep({ calls: _, ...step }: Step): StoredStep {
  return withPendingValues(step);
}

function isAnswered({ acknowledged, proposed }: FindingAnswer): boolean {
  return acknowledged !== null || proposed.length > 0;
}

/** A step without its calls, which follow from it. */
type StepAlone = Omit<Step, "calls">;

/** A step as a plan file has it: an id that is pending is `{ "pending": "Kind/name" }`, which no text can be. */
function withPendingValues(step: StepAlone): StepAlone {
  return mapped(step, (id) => {
    const address = typeof id === "string" ? pendingAddress(id) : null;
    return address === null ? id : { pending: formatAddress(address) };
  });
}

/** The same step in memory; null where a text of the file has the form of a pending id in the place of one. */
export function withPendingIds(step: StepAlone): StepAlone | null {
  let isForged = false;
  const read = mapped(step, (id) => {
    if (typeof id === "string") isForged ||= pendingAddress(id) !== null;
    const address = isObject(id) && typeof id.pending === "string" ? parseAddress(id.pending) : undefined;
    return address === undefined ? id : pendingId(address);
  });
  const ids: readonly Json[] = [...(read.key ?? []), ...Object.values(read.managed.meanings)];
  return isForged || ids.some((id) => typeof id !== "string") ? null : read;
}

/** A step with other values for its references, in its key and in what its names mean, too. */
function mapped(step: StepAlone, put: (id: Json) => Json): StepAlone {
  const {
    managed: { identity },
    after,
    changes,
  } = mapReferences(step, put);
  if (after === step.after && identity === step.managed.identity) return step;
  const meanings = Object.entries(step.managed.meanings).map(([name, id]) => [name, put(id)] as const);
  return {
    ...step,
    managed: {
      ...step.managed,
      identity,
      meanings: Object.fromEntries(meanings) as Step["managed"]["meanings"],
    },
    after,
    changes,
    key: keyFor(step, identity),
  };
}
