import { type Address, formatAddress } from "../model/address.js";
import type { Diagnostic } from "../model/diagnostic.js";
import { FIRST_RUN, flagFor } from "../plan/guards/acknowledge.js";
import { openFindings } from "../plan/guards/guards.js";
import { codeOf, DENIED } from "../plan/guards/own/ownGuard.js";
import type { PlanSettings, SettingDifference } from "../plan/guards/settings.js";
import { type Finding, type Mode, type Planned, pendingIn } from "../plan/plan.js";
import { isDecided, type Removals } from "../plan/removed/decision.js";
import type { Request } from "../plan/request.js";
import { effectOf, isWriting } from "../plan/saved/effect.js";
import { stepWithoutParent } from "../plan/saved/forgedReference.js";
import type { VerifiedPlan } from "../plan/saved/read.js";
import { sealOf } from "../plan/saved/spelling.js";
import { verifyPlan } from "../plan/saved/verify.js";
import { publicServer } from "../plan/server.js";
import { isUnnamed } from "../state/belonging.js";
import type { Applying, Snapshot } from "../state/snapshot.js";
import { firstOf } from "../words/more.js";
import { quote } from "../words/quote.js";
import { say } from "../words/say.js";
import { belongingOf, foreignIn } from "./belonging.js";
import type { Order, PlanForReview } from "./order.js";

/** Why a saved plan may not be applied: it is not what was saved, or it is for another server or another state. */
export function refusals(
  { plan, seal }: VerifiedPlan,
  { tenant: { server }, mode, project: { removals } }: Pick<Request, "tenant" | "mode" | "project">,
  snapshot: Snapshot | null,
): readonly Diagnostic[] {
  const altered = wrongSeal(plan, seal);
  if (altered.length > 0) return altered;
  return [
    ...otherServer(plan, server),
    ...otherState(plan, snapshot),
    ...undecidedDeletes(plan, mode, removals),
    ...undecidedForgets(plan, removals),
  ];
}

/** A saved plan goes on from what the state says that its effect created; the file says nothing of that. */
export function withoutParent(
  { steps }: Pick<Planned, "steps">,
  { created = [] }: Applying,
): readonly Diagnostic[] {
  const step = stepWithoutParent(steps, created);
  if (step === undefined) return [];
  return [say("plan/forged-reference#parent", { address: step.address })];
}

/**
 * Why a plan is not the expected one. What the state says is done of the expected effect counts, so that an apply that
 * ended early can be repeated.
 */
export function unexpected(
  plan: Planned,
  before: Applying | null,
  expected: string | null,
): readonly Diagnostic[] {
  const effect = effectOf(plan);
  if (expected === null || expected === effect || completes(plan, before, expected)) return [];
  return [say("plan/unexpected", { effect, expected })];
}

function completes(plan: Planned, before: Applying | null, expected: string): boolean {
  if (before === null || before.effect !== expected) return false;
  if (before.isComplete && plan.steps.some(isWriting)) return false;
  return effectOf(plan, before.done, before.created) === expected;
}

/** Why nothing is applied: the findings that no acknowledgement covers. */
function openIn(findings: readonly Finding[]): readonly Diagnostic[] {
  return openFindings({ findings }).map((finding) => {
    const { guard, address, message, hash, own } = finding;
    const about = address === null ? null : formatAddress(address);
    const entry = `an entry with \`of: ${hash}\` in remit.yaml`;
    const hint =
      own?.level === "deny"
        ? `Nothing was applied. ${DENIED}`
        : `Nothing was applied. If this is intended, add ${flagFor(finding)}, or ${entry}.`;
    return quote(codeOf(guard), "error", about === null ? message : `${about}: ${message}`, { hint });
  });
}

const MOST_NAMED = 20;

/** What a plan leaves out because it is blocked: one warning; or why, and an error, where nothing is applied for it. */
function blockedIn({ steps }: Planned, isAllOrNothing: boolean): readonly Diagnostic[] {
  const blocked = steps.filter(({ action }) => action === "blocked");
  if (blocked.length === 0) return [];
  const names = named(
    blocked.map(({ address }) => address),
    MOST_NAMED,
  );
  if (isAllOrNothing) {
    const why = blocked.slice(0, MOST_NAMED).flatMap(({ diagnostics }) => diagnostics);
    return [...why, say("apply/all-or-nothing", { count: blocked.length, names })];
  }
  return [say("apply/leaves-blocked", { count: blocked.length, names })];
}

/** The working tree decides otherwise than the reviewed branch, and no person is asked. */
function otherIntent(intent: readonly SettingDifference[], { from }: PlanSettings): readonly Diagnostic[] {
  if (intent.length === 0) return [];
  const settings = intent.map(({ setting }) => setting);
  const names = firstOf(settings, 5);
  return [say("apply/other-intent", { from: from?.named ?? "the settings in force", names })];
}

/** The seal covers the plan, and what the plan shows must follow from its steps. */
function wrongSeal(plan: Planned, seal: string): readonly Diagnostic[] {
  if (sealOf(plan) === seal)
    return verifyPlan(
      plan,
      [...plan.steps, ...pendingIn(plan)].map(({ calls }) => calls),
    );
  return [say("plan/tampered#changed")];
}

function otherServer({ server }: Planned, configured: string): readonly Diagnostic[] {
  if (publicServer(configured) === server) return [];
  return [say("plan/other-server#plan", { server, configured: publicServer(configured) })];
}

/** A plan without a state is compared with the state object by object. */
function otherState({ state }: Planned, snapshot: Snapshot | null): readonly Diagnostic[] {
  if (state === null || state.lineage === snapshot?.lineage) return [];
  return [say(snapshot === null ? "plan/other-state#none" : "plan/other-state#other")];
}

/** A plan carries no authority: what it deletes must be wanted where it is applied, too. */
function undecidedDeletes(
  { steps }: Planned,
  { prune }: Pick<Mode, "prune">,
  { decisions }: Pick<Removals, "decisions">,
): readonly Diagnostic[] {
  const deletes = steps
    .filter((step) => step.action === "delete" && !isDecided("delete", step, decisions))
    .map(({ address }) => address);
  if (prune || deletes.length === 0) return [];
  return [say("plan/undecided-delete", { deletes: named(deletes) })];
}

/** The same holds for an object that it forgets, unless the object is gone. */
function undecidedForgets(
  { steps }: Planned,
  { decisions }: Pick<Removals, "decisions">,
): readonly Diagnostic[] {
  const forgets = steps
    .filter(({ action, sight: { exists } }) => action === "forget" && exists !== "no")
    .filter((step) => !isDecided("forget", step, decisions))
    .map(({ address }) => address);
  if (forgets.length === 0) return [];
  return [say("plan/undecided-forget", { forgets: named(forgets) })];
}

function named(addresses: readonly Address[], most = 5): string {
  return firstOf(addresses.map(formatAddress), most);
}

/** A plan just before it is applied, with everything that stands in its way or that a person has to agree to. */
export function checked(
  { plan, findings }: { readonly plan: Planned; readonly findings: readonly Finding[] },
  { request, isAllOrNothing, asksAboutIntent }: Order,
  snapshot: Snapshot | null,
  diagnostics: readonly Diagnostic[],
): PlanForReview {
  const { project, rules } = request;
  const blocked = blockedIn(plan, isAllOrNothing);
  const intent = rules.settings.differences.filter(({ effect }) => effect === "intent");
  const foreign = isUnnamed(snapshot, project.name)
    ? foreignIn(belongingOf(plan, snapshot), snapshot, "error")
    : [];
  const asked = asksAboutIntent ? findings.filter(isOpenFirstRun) : [];
  const open = [
    ...openIn(findings.filter((one) => !asked.includes(one))),
    ...(isAllOrNothing ? blocked : []),
    ...(asksAboutIntent ? [] : [...foreign, ...otherIntent(intent, rules.settings)]),
  ];
  const leftOut = isAllOrNothing ? [] : blocked;
  return { plan, effect: effectOf(plan), diagnostics, open, leftOut, intent, foreign, asked };
}

/** Whether a finding is of a first run that no one answers for: a person at a terminal is asked about it. */
function isOpenFirstRun({ guard, acknowledged }: Finding): boolean {
  return guard === FIRST_RUN && acknowledged === null;
}
