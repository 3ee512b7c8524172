import { compare } from "../../diff/compare.js";
import { kindOf } from "../../kinds/index.js";
import { isAskedBlind } from "../../kinds/interface.js";
import type { Opening } from "../../kinds/kind.js";
import { byAddress } from "../../model/address.js";
import type { JsonObject } from "../../model/json.js";
import { formatPath } from "../../model/path.js";
import type { SpecShape } from "../../schema/shape.js";
import { aboutMoved } from "../../tenant/names/movedName.js";
import { writes } from "../calls.js";
import type { WhyUnseen } from "../decide/whyUnseen.js";
import { type Finding, type Planned, pendingIn } from "../plan.js";
import { takesOver } from "../saved/showsAll.js";
import { deedOf, type Step } from "../step.js";
import { FIRST_RUN } from "./acknowledge.js";
import { approvalGuards } from "./approvals.js";
import { deletesChanged, deletesUnknown } from "./deletes.js";
import { emptinessOf, expressionInvalid, type OpenExpression, openExpressions } from "./expressions.js";
import { findingsOf, type Guard, type Trip, type Watch } from "./findings.js";
import { PEOPLE_GUARDS } from "./people.js";
import { lostRestrictions } from "./restriction.js";
import type { Rules } from "./rules.js";
import { type ByMeaning, everyoneByCount, nobodyByCount, peopleAsked, reverts } from "./share.js";

const OPENINGS: readonly Opening["guard"][] = [
  "wider-defaults",
  "emergency-open",
  "identity-moved",
  "usage-revoke",
  "no-owner-left",
];

const GUARDS: readonly Guard[] = [
  { name: FIRST_RUN, trips: beginsState },
  { name: "max-deletes", trips: tooManyDeletes },
  { name: "deletes-changed", trips: deletesChanged },
  { name: "deletes-unknown", trips: deletesUnknown },
  { name: "max-forgets", trips: tooManyForgets },
  { name: "max-changes", trips: tooManyChanges },
  { name: "protected", trips: releasesProtected },
  { name: "scope-emptied", trips: perStep(emptiesScope) },
  { name: "expression-invalid", trips: perStep(expressionInvalid) },
  { name: "everyone", trips: perStep(opensToEveryone) },
  { name: "nobody", trips: perStep(closesToAll) },
  ...OPENINGS.map((name): Guard => ({ name, trips: perStep(opening(name)) })),
  ...approvalGuards(perStep),
  { name: "unknown-current", trips: perStep(writesUnseen, ["firstWrite"]) },
  { name: "reference-moved", trips: followsMoved },
  // By count, where a rule does not say it by its meaning.
  { name: "everyone", trips: everyoneByCount(isFoundBy(opensToEveryone)) },
  { name: "nobody", trips: nobodyByCount(isFoundBy(closesToAll)) },
  ...PEOPLE_GUARDS,
];

/** The names of all guards, in the order they are reported. */
export const guardNames: readonly string[] = [...new Set(GUARDS.map(({ name }) => name))];

/** Every rule that a plan trips, by its steps and, where people were counted, by what they mean for them. */
export function guardPlan(
  plan: Pick<Planned, "steps" | "policies" | "impact" | "interface" | "mode" | "since"> &
    Pick<Watch, "firstRunIn">,
  rules: Rules,
): readonly Finding[] {
  const { steps, policies = {}, impact, interface: found, mode, firstRunIn } = plan;
  return findingsOf(GUARDS, steps, {
    interface: found,
    mode,
    rules,
    pending: pendingIn(plan),
    policies,
    impact,
    firstRunIn,
  });
}

/** Findings without an acknowledgement; while there is one, nothing is applied. */
export function openFindings({ findings }: Pick<Planned, "findings">): readonly Finding[] {
  return findings.filter((finding) => finding.acknowledged === null);
}

/** Open findings that no change to the settings answers, either: a merge does not decide them. */
export function undecidedFindings(plan: Pick<Planned, "findings">): readonly Finding[] {
  return openFindings(plan).filter(({ proposed }) => proposed.length === 0);
}

/** Nothing but the state tells what is there: a store without one may be the wrong store. */
function beginsState(steps: readonly Step[], { firstRunIn }: Watch): readonly Trip[] {
  const unseen = steps.filter((step) => writes(step) && step.sight.unseen === "never written");
  if (firstRunIn === undefined || unseen.length === 0) return [];
  const many =
    unseen.length === 1 ? "1 object that cannot be read" : `${unseen.length} objects that cannot be read`;
  const message = `${firstRunIn} contains no state, and the plan writes ${many}`;
  return [{ address: null, message, steps: unseen, limits: [] }];
}

function tooManyDeletes(steps: readonly Step[], { rules: { limits } }: Watch): readonly Trip[] {
  const deletes = steps.filter(({ action }) => action === "delete");
  if (deletes.length <= limits.maxDeletes) return [];
  const message = `${deletes.length} objects would be deleted; the limit is ${limits.maxDeletes}`;
  return [{ address: null, message, steps: deletes, limits: ["maxDeletes"] }];
}

function tooManyForgets(steps: readonly Step[], { rules: { limits } }: Watch): readonly Trip[] {
  const forgets = steps.filter(isReleased);
  if (forgets.length <= limits.maxForgets) return [];
  const message = `${forgets.length} objects would no longer be managed; the limit is ${limits.maxForgets}`;
  return [{ address: null, message, steps: forgets, limits: ["maxForgets"] }];
}

function tooManyChanges(steps: readonly Step[], { rules, pending }: Watch): readonly Trip[] {
  const { maxChanges, maxChangesPercent, changesFloor } = rules.limits;
  const all = steps.filter(writes);
  const there = [...steps, ...pending].filter(isThere);
  const changed = steps.filter(isThere).filter(writes);
  const trips: Trip[] = [];
  if (maxChanges !== null && all.length > maxChanges) {
    const message = `${all.length} objects would be written; the limit is ${maxChanges}`;
    trips.push({ address: null, message, steps: all, limits: ["maxChanges"] });
  }
  if (changed.length > changesFloor && changed.length * 100 > maxChangesPercent * there.length) {
    const message = `${changed.length} of ${there.length} objects that are there would be changed or deleted; the limit is ${maxChangesPercent} %`;
    const limits = ["maxChangesPercent", "changesFloor"] as const;
    trips.push({ address: null, message, steps: changed, limits });
  }
  return trips;
}

function isThere(step: Step): boolean {
  const { action, before } = step;
  const { exists } = step.sight;
  if (writes(step)) return before !== null;
  return action !== "blocked" && exists !== "no";
}

/** Whether the change of the tenant that a step shows or takes over lets everyone in, or ends the access of all. */
export function isDriftDangerous(step: Step): boolean {
  if (step.recorded.driftedFrom === null) return false;
  const drifted = { ...step, before: step.recorded.driftedFrom, changes: [] };
  return opensToEveryone(drifted, { impact: null }) !== null || closesToAll(drifted) !== null;
}

/** What is wrong with one step; null for nothing. */
type ByStep = (step: Step, watch: Watch) => string | null;

/** A rule over the steps that write or take over a change of the tenant, each by itself. */
function perStep(rule: ByStep, limits: Trip["limits"] = []): Guard["trips"] {
  return (steps, watch) =>
    steps
      .filter((step) => writes(step) || takesOver(step))
      .toSorted((one, other) => byAddress(one.address, other.address))
      .flatMap((step): readonly Trip[] => {
        const message = rule(step, watch) ?? acceptedBy(rule, step, watch);
        return message === null ? [] : [{ address: step.address, message, steps: [step], limits }];
      });
}

/** Whether a rule finds something in a step by its meaning. */
function isFoundBy(rule: ByStep): ByMeaning {
  return (step, watch) =>
    (writes(step) || takesOver(step)) && (rule(step, watch) ?? acceptedBy(rule, step, watch)) !== null;
}

/** What a rule finds in the change of the tenant that a step takes over. */
function acceptedBy(rule: ByStep, step: Step, watch: Watch): string | null {
  const message = takesOver(step)
    ? rule({ ...step, before: step.recorded.driftedFrom, changes: [] }, watch)
    : null;
  return message === null ? null : `${message}; the tenant was changed so, and the manifest accepts it`;
}

function releasesProtected(steps: readonly Step[]): readonly Trip[] {
  return steps
    .filter((step) => step.managed.protected && (step.action === "delete" || isReleased(step)))
    .toSorted((one, other) => byAddress(one.address, other.address))
    .map((step) => {
      const what = step.action === "delete" ? "would be deleted" : "would no longer be managed";
      return { address: step.address, message: `it is protected, and ${what}`, steps: [step], limits: [] };
    });
}

/** Whether remit stops managing an object that is still in the tenant: only a decision does that. */
function isReleased({ action, sight: { exists } }: Step): boolean {
  return action === "forget" && exists !== "no";
}

/** What the kind itself says that a step opens. */
function opening(guard: Opening["guard"]): ByStep {
  return ({ before, after, address }) => {
    const opened = after === null ? [] : (kindOf(address).opens?.(before, after) ?? []);
    const messages = opened.filter((one) => one.guard === guard).map(({ message }) => message);
    return messages.length === 0 ? null : messages.join("; ");
  };
}

function emptiesScope(step: Step): string | null {
  const { before, after, address } = step;
  const { shape, verbs } = kindOf(address);
  const isWhole = deedOf(step) === "set" || (takesOver(step) && verbs.full.includes("set"));
  if (!isWhole || before === null || after === null) return null;
  const emptied = [...shape.fields.keys()].filter(
    (name) =>
      (holds(before, name, shape) && !holds(after, name, shape)) ||
      (holdsNamed(before, name, shape) && !holdsNamed(after, name, shape)),
  );
  return emptied.length === 0 ? null : `${emptied.join(" and ")} would be emptied`;
}

/**
 * What lets everyone in by its meaning. What only people can tell is for their count, and is found here where none of them
 * were asked.
 */
function opensToEveryone(step: Step, { impact }: Pick<Watch, "impact">): string | null {
  const { before, after, address } = step;
  if (after === null) return null;
  const { shape } = kindOf(address);
  const [was, is] = [openExpressions(before ?? {}, shape), openExpressions(after, shape)];
  const fresh = is.filter(
    (one) =>
      !was.some((other) => isKnown(one, other)) && !(one.isOfPeople && peopleAsked(step, impact) !== null),
  );
  const constant = fresh.filter(({ isSure }) => isSure).map(({ path }) => path);
  if (constant.length > 0) return `${constant.join(" and ")} would be true for everyone`;
  const [undecided] = fresh;
  if (undecided !== undefined) {
    const why = undecided.unread === null ? "" : `: remit does not evaluate ${undecided.unread}`;
    return `whether ${undecided.path} is true for everyone could not be decided${why}`;
  }
  const lost = lostRestrictions(before ?? {}, after, shape)
    .filter(([field = ""]) => holdsNamed(after, field, shape))
    .map(formatPath);
  return lost.length === 0 ? null : `${lost.join(" and ")} would no longer restrict anything`;
}

/** Whether an open expression was open before; one that could not be decided has to be the same text. */
function isKnown(one: OpenExpression, other: OpenExpression): boolean {
  return one.path === other.path && one.isSure === other.isSure && (one.isSure || one.text === other.text);
}

/** Access ends: a condition that held for some people holds for no one from now on. */
function closesToAll({ action, before, after, address, changes }: Step): string | null {
  if (action === "delete" || before === null || after === null || reverts(changes)) return null;
  const { shape } = kindOf(address);
  const why = emptinessOf(after, shape);
  if (why === null || emptinessOf(before, shape) !== null) return null;
  return `${why}, so everyone who has access by this automation would lose it`;
}

/** Whether a field has anything in it that remit has a name for. */
function holdsNamed(fields: JsonObject, name: string, shape: SpecShape): boolean {
  const field = shape.fields.get(name);
  return field !== undefined && compare(undefined, fields[name], field).length > 0;
}

/** Whether a field has anything in it. */
function holds(fields: JsonObject, name: string, shape: SpecShape): boolean {
  const field = shape.fields.get(name);
  return field !== undefined && compare(undefined, fields[name], field, [name]).length > 0;
}

/** A name that means another object than at the last apply, also where only the state would follow it. */
function followsMoved(steps: readonly Step[]): readonly Trip[] {
  return steps
    .filter((step) => step.recorded.moved.length > 0 && step.action !== "blocked")
    .toSorted((one, other) => byAddress(one.address, other.address))
    .map((step) => ({
      address: step.address,
      message: step.recorded.moved.map(aboutMoved).join("; "),
      steps: [step],
      limits: [],
    }));
}

/** A write to an object that was not seen, whatever the reason, unless the settings permit it as a first write. */
function writesUnseen(
  { sight: { unseen }, address }: Step,
  { rules, interface: found }: Watch,
): string | null {
  if (unseen === null) return null;
  const isPermitted = rules.limits.firstWrite === "allow" && isAskedBlind(found.asked, address.kind);
  if (unseen === "never written" && isPermitted) return null;
  return WHY_UNSEEN[unseen];
}

const WHY_UNSEEN: Readonly<Record<WhyUnseen, string>> = {
  "never written": "it would be written unseen: it cannot be read, and the state has no record of it",
  exists: "it would be written unseen: the service says that it exists, and the state has no record of it",
  "state lost":
    "it would be written unseen: it cannot be read, and the state that may have recorded it is missing",
  uncertain: "it would be written unseen: an earlier write of it may have taken effect",
  "not read": "it would be written without reading the tenant's current value",
  "may exist":
    "it would be created without a state, and another object of the app may be the one that is meant",
  "unseen half": "the write replaces a field that the manifest does not write and that cannot be read",
};
