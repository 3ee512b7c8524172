import { type Address, formatAddress } from "../../model/address.js";
import { same } from "../../model/json.js";
import type { PlanImpact } from "../people/impact.js";
import type { Finding, Plan, Policies } from "../plan.js";
import { fingerprint } from "../saved/spelling.js";
import type { Step } from "../step.js";
import { acknowledged, acknowledgementOf } from "./acknowledge.js";
import { nameOfAcknowledgement, nameOfLimit, type Rules } from "./rules.js";
import type { Limits } from "./settings.js";

/** What a plan is guarded with. */
export interface Watch {
  readonly interface: Plan["interface"];
  readonly mode: Plan["mode"];
  readonly rules: Rules;
  /** Steps that the plan leaves out: they trip nothing, and count among the objects that are there. */
  readonly pending: readonly Step[];
  /** The policies that the steps lead to and do not write. */
  readonly policies: Policies;
  /** What the steps mean for people; null where that was not counted. */
  readonly impact: PlanImpact | null;
  /** The server's store that never had a state; absent otherwise. */
  readonly firstRunIn?: string | undefined;
}

/** One time that a rule trips. */
export interface Trip {
  readonly address: Address | null;
  readonly message: string;
  /** What trips the rule. */
  readonly steps: readonly Step[];
  /** The limits that decide whether it does. */
  readonly limits: readonly (keyof Limits)[];
  /** What else decides it than the steps: another one is another finding. Absent where nothing does. */
  readonly decidedBy?: string;
}

/** A rule over the steps of a plan. */
export type Guard = (steps: readonly Step[], watch: Watch) => readonly Trip[];

/** What some rules find in the steps, each by its name, and who answers for it. */
export function findingsOf(
  guards: Readonly<Record<string, Guard>>,
  steps: readonly Step[],
  watch: Watch,
): readonly Finding[] {
  return Object.entries(guards).flatMap(([guard, trips]) =>
    trips(steps, watch).map((trip): Finding => {
      const { address, message, decidedBy = null } = trip;
      const hash = hashOfFinding(guard, address, trip.steps, decidedBy);
      const found = { guard, address, message, hash };
      const answer = acknowledged(found, watch.rules);
      const proposed = answer === null ? proposedFor(found, trip, trips, steps, watch) : [];
      return { ...found, acknowledged: answer, proposed };
    }),
  );
}

/** The settings of the working tree that would answer for a finding once they are in force. */
function proposedFor(
  found: Pick<Finding, "guard" | "address" | "hash">,
  trip: Trip,
  trips: Guard,
  steps: readonly Step[],
  watch: Watch,
): Finding["proposed"] {
  const { rules } = watch;
  const { proposal, differences } = rules.settings;
  if (proposal === null) return [];
  const placeOf = (name: string) => differences.find(({ setting }) => setting === name)?.place ?? null;
  const own = acknowledgementOf(found, { ...rules, acknowledgements: proposal.acknowledgements });
  if (own !== null) {
    const setting = nameOfAcknowledgement(own);
    return [{ setting, place: placeOf(setting) }];
  }
  if (trip.limits.length === 0) return [];
  const left = trips(steps, { ...watch, rules: { ...rules, limits: proposal.limits } });
  const isStill = (one: Trip) => one.address === trip.address && same(one.limits, trip.limits);
  if (left.some(isStill)) return [];
  return trip.limits
    .filter((name) => proposal.limits[name] !== rules.limits[name])
    .map((name) => ({ setting: nameOfLimit(name), place: placeOf(nameOfLimit(name)) }));
}

/**
 * The hash that an acknowledgement names with `of`: of the guard, of the address, and of each step that the finding is
 * about, with its value before and after. Another value gives another hash. What else decides it does so, too: of a guard that
 * a team wrote, its definition.
 */
export function hashOfFinding(
  guard: string,
  address: Address | null,
  steps: readonly Pick<Step, "address" | "key" | "action" | "before" | "after" | "recorded">[],
  definition: string | null = null,
): string {
  const about = steps.map((step) => ({
    address: formatAddress(step.address),
    key: step.key,
    action: step.action,
    before: step.before,
    after: step.after,
    ...(step.recorded.driftedFrom === null ? {} : { driftedFrom: step.recorded.driftedFrom }),
  }));
  const hashes = about.map(fingerprint).sort();
  const name = address === null ? null : formatAddress(address);
  const decided = definition === null ? {} : { definition };
  return `sha256:${fingerprint({ guard, address: name, steps: hashes, ...decided })}`;
}
