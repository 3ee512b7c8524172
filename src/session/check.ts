import { kinds } from "../kinds/index.js";
import { formatAddress } from "../model/address.js";
import type { Diagnostic } from "../model/diagnostic.js";
import { findingsNow } from "../plan/findingsNow.js";
import { pinPlan } from "../plan/freeze.js";
import { openFindings } from "../plan/guards.js";
import type { Plan } from "../plan/plan.js";
import { publicServer } from "../plan/server.js";
import { planFaults, type Thawed } from "../plan/thaw.js";
import type { Request } from "../reconcile.js";
import type { Snapshot } from "../state/snapshot.js";

const AGAIN = "Nothing was applied. Make the plan again.";

/** Why a saved plan may not be applied: it is not what was saved, or it is for another server or another state. */
export function refusals(
  { plan, hash }: Thawed,
  server: string,
  snapshot: Snapshot | null,
): readonly Diagnostic[] {
  const altered = wrongSeal(plan, hash);
  if (altered.length > 0) return altered;
  return [...otherServer(plan, server), ...otherState(plan, snapshot)];
}

/** Why a plan is not the expected one. */
export function unexpected(hash: string, expected: string | null): readonly Diagnostic[] {
  if (expected === null || expected === hash) return [];
  const message = `the plan is ${hash}, and ${expected} was expected`;
  const hint = "Nothing was applied. Review this plan, or apply the plan that was reviewed.";
  return [refusal("plan/unexpected", message, hint)];
}

/** The findings of a plan that no acknowledgement covers, by the limits and acknowledgements in force now. */
export function openIn(
  plan: Plan,
  { limits, acknowledgements, today }: Pick<Request, "limits" | "acknowledgements" | "today">,
): readonly Diagnostic[] {
  const { value } = findingsNow(plan, kinds, { limits, acknowledgements, today });
  return openFindings({ findings: value }).map(({ guard, address, message }) => {
    const about = address === null ? null : formatAddress(address);
    const given = about === null ? guard : `${guard}=${about}`;
    const hint = `Nothing was applied. If this is intended, add --acknowledge ${given}.`;
    return refusal(`guard/${guard}`, about === null ? message : `${about}: ${message}`, hint);
  });
}

/** The seal covers the plan, and what the plan shows must follow from its steps. */
function wrongSeal(plan: Plan, hash: string): readonly Diagnostic[] {
  if (pinPlan(plan) === hash) return planFaults(plan, kinds);
  return [refusal("plan/tampered", "the plan is not what was saved: its hash does not match", AGAIN)];
}

function otherServer({ server }: Plan, configured: string): readonly Diagnostic[] {
  if (publicServer(configured) === server) return [];
  const message = `the plan is for ${server}, and this project's server is ${publicServer(configured)}`;
  const hint = "A plan never chooses its server. Apply it in the project it was made in, or make it again.";
  return [refusal("plan/other-server", message, hint)];
}

function otherState({ state }: Plan, snapshot: Snapshot | null): readonly Diagnostic[] {
  if (state?.lineage !== snapshot?.lineage) {
    const message =
      state === null
        ? "the plan was made without a state, and there is one now"
        : snapshot === null
          ? "the plan was made from a state, and there is none now"
          : "the plan was made from another state";
    return [refusal("plan/other-state", message, AGAIN)];
  }
  if (state?.serial === snapshot?.serial) return [];
  const message = `the plan was made from serial ${state?.serial} of the state, which is now ${snapshot?.serial}`;
  return [refusal("plan/stale", message, AGAIN)];
}

function refusal(code: string, message: string, hint: string): Diagnostic {
  return { code, severity: "error", message, hint };
}
