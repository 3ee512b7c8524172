import { loadProject } from "../../manifest/project.js";
import { formatAddress } from "../../model/address.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import { conflictsOf, movedConflicts } from "../../people/conflicts.js";
import { countPeople, guardAsking } from "../../people/count.js";
import { takesOthers } from "../../plan/guards/deletes.js";
import { opensByPeople } from "../../plan/guards/expressions.js";
import { askOwnGuards } from "../../plan/guards/own/ask.js";
import { NO_GUARD_FACTS } from "../../plan/guards/own/facts.js";
import { limitsPeople } from "../../plan/guards/people.js";
import { otherLabelsOf } from "../../plan/labels/otherLabels.js";
import { reviewedLabelsByAddress } from "../../plan/labels/reviewedLabels.js";
import type { Holdings, PlanImpact } from "../../plan/people/impact.js";
import { questionsOf } from "../../plan/people/question.js";
import type { Finding, Planned } from "../../plan/plan.js";
import { recordLookup } from "../../plan/record/lookup.js";
import type { Request } from "../../plan/request.js";
import type { OtherLabels } from "../../plan/select/labels.js";
import type { Step } from "../../plan/step.js";
import type { Snapshot } from "../../state/snapshot.js";
import type { Client } from "../../tenant/client/client.js";
import { makeTenant } from "../../tenant/tenant.js";
import { say } from "../../words/say.js";

/** What a saved plan means for people now, and what guards that a team wrote then find in it. */
interface PeopleNow {
  readonly impact: PlanImpact | null;
  readonly own: readonly Finding[];
}

/**
 * What a saved plan means for people now. It is counted again where a limit in people is in force, a delete takes other
 * objects with it, or people move in the groups of a conflict. So it is where only people tell whether a rule holds for everyone, or a guard asks about people. What the
 * plan says of people answers for none of these.
 */
export async function peopleNow(
  plan: Planned,
  request: Request,
  snapshot: Snapshot | null,
  client: Client | null,
): Promise<PeopleNow> {
  const { rules, optional } = request;
  const { own } = rules.settings;
  const asksHolders = own.guards.some(({ holds }) => holds.length > 0);
  const resources = asksHolders ? (await loadProject(request.project.manifests)).resources : [];
  const guards = guardAsking(request, resources);
  const conflicts = conflictsOf(plan, resources, snapshot, request.project.manifests.apps ?? {});
  const isNeeded =
    movedConflicts(conflicts, questionsOf(plan.steps)).length > 0 ||
    limitsPeople(rules.limits) ||
    takesOthers(plan.steps) ||
    plan.steps.some((step) => opensByPeople(step)) ||
    guards !== null;
  const { counting } = optional;
  const counted =
    !isNeeded || client === null || counting === null
      ? { impact: null, facts: NO_GUARD_FACTS }
      : await countPeople(plan, makeTenant(client), counting, { guards, conflicts });
  const impact = isNeeded ? counted.impact : plan.impact;
  const steps = labelledNow(plan.steps, request, snapshot);
  const { findings } = await askOwnGuards({ ...plan, steps, impact }, counted.facts, rules);
  return { impact, own: findings };
}

/** The steps of a saved plan with the labels of their objects by the state and the reviewed branch: a plan decides neither. */
function labelledNow(
  steps: readonly Step[],
  { history: { reviewed }, project: { moved } }: Request,
  snapshot: Snapshot | null,
): readonly Step[] {
  const memory = recordLookup(snapshot);
  const known = reviewed === null ? null : reviewedLabelsByAddress(reviewed, moved);
  return steps.map((step) => {
    const now = otherLabelsOf({ ...step, managed: { ...step.managed, otherLabels: [] } }, memory, known);
    const isNow = ({ by }: OtherLabels) => now.some((one) => one.by === by);
    const otherLabels = [...now, ...step.managed.otherLabels.filter((one) => !isNow(one))];
    return { ...step, managed: { ...step.managed, otherLabels } };
  });
}

/** Where more people lose access than a saved plan shows: one error for each step, and each rule that follows. */
export function grown(plan: Planned, now: PlanImpact | null): readonly Diagnostic[] {
  const was = lossesIn(plan.impact);
  return [...lossesIn(now)].flatMap(([place, { name, most, below }]): readonly Diagnostic[] => {
    const shown = was.get(place);
    const more = shown?.below && below ? moreBelow(shown.below, below) : null;
    if (more !== null) return [say("impact/grew#below", { name, more })];
    const then = shown?.most ?? null;
    if (then === null || most === null || most <= then) return [];
    return [say("impact/grew#people", { name, most, then })];
  });
}

/** How many people may lose access by something that a plan counted; null for any number. */
interface Losses {
  readonly name: string;
  readonly most: number | null;
  /** What goes with an object that is deleted; null for all else. */
  readonly below: Holdings | null;
}

/** By what is counted: one step may change a rule and what those get who are enrolled. */
function lossesIn(impact: PlanImpact | null): ReadonlyMap<string, Losses> {
  const steps = (impact?.steps ?? []).flatMap((step): readonly (readonly [string, Losses])[] => {
    const name = formatAddress(step.address);
    const place = `${step.as} ${name}`;
    if (step.as === "holdings") return [[place, { name, most: null, below: step }]];
    return step.as === "audience" ? [] : [[place, { name, most: step.loses.high, below: null }]];
  });
  const rules = (impact?.follow ?? []).flatMap(({ address, as, counts }) => {
    const name = formatAddress(address);
    if (as !== "members" || counts === null) return [];
    return [[`follows ${name}`, { name, most: counts.loses.high, below: null }] as const];
  });
  return new Map([...steps, ...rules]);
}

/** Of what more is deleted than was shown; null for nothing, or where that is unknown. */
function moreBelow(shown: Holdings, now: Holdings): string | null {
  const parts = ["resources", "entitlements", "automations", "grants", "people"] as const;
  const more = parts.find((part) => (now[part]?.low ?? 0) > (shown[part]?.low ?? 0));
  return more === undefined ? null : `more ${more}`;
}
