import { findingsNow } from "../../plan/guards/findingsNow.js";
import type { Recalled } from "../../plan/request.js";
import type { VerifiedPlan } from "../../plan/saved/read.js";
import type { StepsToDo } from "../anew.js";
import { refusals, unexpected, withoutParent } from "../check.js";
import type { Order } from "../order.js";
import { refusal } from "../result.js";
import type { Session } from "../session.js";
import { confirmedApplying } from "./confirmed.js";
import { continuedPlan, continuedSteps } from "./continued.js";
import { otherSources } from "./otherSources.js";
import { grown, peopleNow } from "./peopleNow.js";
import { policiesNow } from "./policiesNow.js";

/** A saved plan, or what is left of it, where it is the expected one and belongs to this server and this state. */
export async function again(
  saved: VerifiedPlan,
  { request, expected, mergedAt }: Order,
  session: Session,
  recalled: Recalled,
): Promise<StepsToDo> {
  const told = recalled.snapshot?.applying ?? null;
  const refused = refusals(saved, request, recalled.snapshot);
  const sources = refused.length > 0 ? [] : await otherSources(saved.plan, request, recalled, session);
  const { applying: before, unconfirmed } = await confirmedApplying(
    { plan: saved.plan, isSaved: true, isRecorded: false, mergedAt },
    told,
    session,
  );
  const faults = [...refused, ...sources, ...unexpected(saved.plan, before, expected)];
  if (faults.length > 0) return { plan: null, ...refusal("check", [...unconfirmed, ...faults]) };
  const done = await continuedSteps(saved.plan, before, session);
  if (done.refused.length > 0) return { plan: null, ...refusal("check", done.refused) };
  const continued = continuedPlan(saved.plan, done.applying, true);
  const forged = withoutParent(continued.plan, continued.applying);
  if (forged.length > 0) return { plan: null, ...refusal("check", forged) };
  const [{ impact, own }, policies] = await Promise.all([
    peopleNow(continued.plan, request, recalled.snapshot, session.client),
    policiesNow(continued.plan, request, recalled.snapshot, session.client),
  ]);
  const more = grown(continued.plan, impact);
  if (more.length > 0) return { plan: null, ...refusal("check", more) };
  const found = findingsNow(
    { ...continued.plan, impact, policies },
    {
      ...recalled,
      rules: request.rules,
      interface: request.tenant.interface,
    },
  );
  return { ...continued, plannedAt: null, findings: [...found, ...own], diagnostics: [] };
}
