import { kinds } from "../../kinds/index.js";
import { askedFor, blind, isAskedBlind, LIVE, OFFLINE } from "../../kinds/interface.js";
import type { Kind } from "../../kinds/kind.js";
import { policy } from "../../kinds/policy.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import { same } from "../../model/json.js";
import { isPending } from "../../plan/calls.js";
import { findingsNow } from "../../plan/guards/findingsNow.js";
import { readPolicies } from "../../plan/guards/policies.js";
import type { Plan, Planned, Policies } from "../../plan/plan.js";
import type { Recalled, Request } from "../../plan/request.js";
import type { VerifiedPlan } from "../../plan/saved/read.js";
import type { Step } from "../../plan/step.js";
import type { Snapshot } from "../../state/snapshot.js";
import type { Client } from "../../tenant/client/client.js";
import { makeTenant } from "../../tenant/tenant.js";
import { say } from "../../words/say.js";
import type { StepsToDo } from "../anew.js";
import { refusals, unexpected, withoutParent } from "../check.js";
import type { Order } from "../order.js";
import { wantedBy } from "../reads/recentReads.js";
import { makeReread } from "../reads/reread.js";
import { refusal } from "../result.js";
import type { Session } from "../session.js";
import { confirmedApplying } from "./confirmed.js";
import { continuedPlan, continuedSteps } from "./continued.js";
import { grown, peopleNow } from "./peopleNow.js";

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

/**
 * Why a saved plan was not made from what this run can see. A plan never chooses that its objects are written without a
 * look at them: the interface is the one in force. Where that is `auto`, the service is asked whether it has the reads
 * that the plan did without.
 */
async function otherSources(
  { steps, interface: found, mode }: Plan,
  { tenant: { interface: asked } }: Pick<Request, "tenant">,
  { snapshot }: Pick<Recalled, "snapshot">,
  { client }: Pick<Session, "client">,
): Promise<readonly Diagnostic[]> {
  const faults: Diagnostic[] = [];
  for (const kind of kinds) {
    const first = steps.find((step) => step.address.kind === kind.name && isPending(step.action));
    const source = found.kinds[kind.name];
    if (first === undefined || source === undefined) continue;
    const on = askedFor(asked, kind.name);
    const isBlind = same(source, blind(source.why));
    const isSeen = same(source, LIVE) || (same(source, OFFLINE) && mode.offline);
    const mayBe = isAskedBlind(asked, kind.name) ? isBlind : isSeen || (isBlind && on === "auto");
    if (!mayBe) {
      faults.push(other(kind, source.interface, on));
    } else if (isBlind && on === "auto") {
      const wasRead = snapshot?.wasRead ?? false;
      if (client !== null && (await isOffered(kind, first, makeReread(client, wasRead)))) {
        faults.push(
          other(kind, source.interface, "the service has reads of it, or did not say that it has none"),
        );
      }
    }
  }
  return faults;
}

async function isOffered(kind: Kind, step: Step, look: ReturnType<typeof makeReread>): Promise<boolean> {
  return !("notOffered" in (await look.many(kind, [wantedBy(step, kind)])));
}

function other({ name }: Kind, made: string, now: string): Diagnostic {
  return say("plan/other-interface", { made, name, now });
}

/**
 * The policies behind a saved plan as they stand now: whether to look for them follows from the request. What the plan says
 * of them counts only where the tenant does not show any policy.
 */
async function policiesNow(
  plan: Planned,
  { tenant }: Pick<Request, "tenant">,
  snapshot: Snapshot | null,
  client: Client | null,
): Promise<Policies> {
  const kinds = isAskedBlind(tenant.interface, policy.name) ? {} : { [policy.name]: LIVE };
  const known = { current: { objects: new Map(), policies: null }, snapshot };
  const look = { ...plan, interface: { ...plan.interface, kinds } };
  const { policies, isRead } = await readPolicies(
    look,
    { known },
    client === null ? null : makeTenant(client),
  );
  if (isRead) return policies;
  const names = Object.entries(policies);
  return Object.fromEntries(names.map(([id, now]) => [id, now ?? plan.policies?.[id] ?? null]));
}
