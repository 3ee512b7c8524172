import { owns, unitsOf } from "../../diff/own.js";
import { kindOf } from "../../kinds/index.js";
import { type AskedInterface, foundFor, isLive } from "../../kinds/interface.js";
import type { Kind } from "../../kinds/kind.js";
import { formatAddress } from "../../model/address.js";
import { formatKey } from "../../model/key.js";
import type { Snapshot } from "../../state/snapshot.js";
import { writes } from "../calls.js";
import { type WhyUnseen, whyUnseen } from "../decide/whyUnseen.js";
import type { Finding, Planned } from "../plan.js";
import { type RecordLookup, recordLookup } from "../record/lookup.js";
import { deedOf, type Step } from "../step.js";
import { guardPlan } from "./guards.js";
import { movedIn } from "./movedReferences.js";
import { NO_SETTINGS, type Rules } from "./rules.js";

/** What decides where a plan is applied: nothing that the plan says of itself. */
interface InForce {
  readonly rules: Rules;
  readonly interface: AskedInterface;
  /** Null without a state. */
  readonly snapshot: Snapshot | null;
  /** Whether a state existed that is now missing. */
  readonly isStateLost: boolean;
  /** The server's store that never had a state; absent otherwise. */
  readonly firstRunIn?: string;
}

/**
 * The findings of a plan as they stand when it is applied: every rule is asked anew, with the limits and the
 * acknowledgements in force now. What the plan says of itself counts for nothing. Whether an object is protected, and
 * what its names meant, is in the state. Why it is not seen follows from the state and the interface.
 */
export function findingsNow(plan: Planned, inForce: InForce): readonly Finding[] {
  const records = recordLookup(inForce.snapshot);
  const steps = plan.steps.map((step) => {
    const entry = records.entry(step.address.kind, step.key);
    const moved = movedIn(step, records.holder(step.address), kindOf(step.address));
    const unseen = whyUnseenNow(step, kindOf(step.address), plan.interface, records, inForce);
    return {
      ...step,
      sight: { ...step.sight, unseen },
      recorded: { ...step.recorded, moved },
      managed: { ...step.managed, protected: step.managed.protected || entry?.protected === true },
    };
  });
  const found = { asked: inForce.interface, kinds: plan.interface.kinds };
  const now = { ...plan, steps, interface: found, firstRunIn: inForce.firstRunIn };
  return guardPlan(now, { ...inForce.rules, settings: NO_SETTINGS });
}

/** Why the object of a write is not seen. An object that can be read is read before it is written. */
function whyUnseenNow(
  step: Step,
  kind: Kind,
  { kinds }: Planned["interface"],
  records: RecordLookup,
  { isStateLost }: Pick<InForce, "isStateLost">,
): WhyUnseen | null {
  const { address, key } = step;
  const { owned } = step.managed;
  const { unseen } = step.sight;
  if (!writes(step) || isLive(kinds, address.kind)) return unseen;
  const name = key === null ? formatAddress(address) : formatKey(kind.name, key);
  const why = whyUnseen({
    seen: { as: "recorded", fields: null },
    on: foundFor(kinds, address.kind),
    entry: records.entry(kind.name, key),
    uncertain: records.uncertain(address, key),
    isShown: unseen === "exists" || records.isExisting(name),
    isStateLost,
  });
  const isHalfUnseen = deedOf(step) === "set" && unitsOf(kind.shape).some((unit) => !owns(owned, unit));
  return why ?? (isHalfUnseen ? "unseen half" : null);
}
