import { compare } from "../../diff/compare.js";
import { kindOf } from "../../kinds/index.js";
import { isAskedBlind } from "../../kinds/interface.js";
import { byAddress } from "../../model/address.js";
import type { JsonObject } from "../../model/json.js";
import { formatPath } from "../../model/path.js";
import type { SpecShape } from "../../schema/shape.js";
import { aboutMoved } from "../../tenant/names/movedName.js";
import type { GuardName } from "../../words/guard.js";
import { say } from "../../words/say.js";
import { writes } from "../calls.js";
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

/** Every guard, in the order in which findings are reported. */
const GUARDS: Readonly<Record<GuardName, Guard>> = {
  [FIRST_RUN]: beginsState,
  "max-deletes": tooMany("max-deletes", "maxDeletes", ({ action }) => action === "delete"),
  "deletes-changed": deletesChanged,
  "deletes-unknown": deletesUnknown,
  "max-forgets": tooMany("max-forgets", "maxForgets", isReleased),
  "max-changes": either(tooMany("max-changes#count", "maxChanges", writes), tooLargeAShare),
  protected: releasesProtected,
  "scope-emptied": perStep(emptiesScope),
  "expression-invalid": perStep(expressionInvalid),
  everyone: either(perStep(opensToEveryone), everyoneByCount(isFoundBy(opensToEveryone))),
  nobody: either(perStep(closesToAll), nobodyByCount(isFoundBy(closesToAll))),
  "wider-defaults": perStep(opens("guard/wider-defaults")),
  "emergency-open": perStep(opens("guard/emergency-open")),
  "identity-moved": perStep(opens("guard/identity-moved")),
  "usage-revoke": perStep(opens("guard/usage-revoke")),
  "no-owner-left": perStep(opens("guard/no-owner-left")),
  ...approvalGuards(perStep),
  "unknown-current": perStep(writesUnseen, ["firstWrite"]),
  "reference-moved": followsMoved,
  ...PEOPLE_GUARDS,
};

/** The names of all guards, in that order. */
export const guardNames = Object.keys(GUARDS) as readonly GuardName[];

/** What both of two rules find: one by what a step means, and one by count. */
function either(one: Guard, other: Guard): Guard {
  return (steps, watch) => [...one(steps, watch), ...other(steps, watch)];
}

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
  const { message } = say("guard/first-run", { store: firstRunIn, unseen: unseen.length });
  return [{ address: null, message, steps: unseen, limits: [] }];
}

/** More steps of a sort than a limit of the same name permits. */
function tooMany(
  said: "max-deletes" | "max-forgets" | "max-changes#count",
  name: "maxDeletes" | "maxForgets" | "maxChanges",
  isOne: (step: Step) => boolean,
): Guard {
  return (steps, { rules: { limits } }) => {
    const limit = limits[name];
    const some = steps.filter(isOne);
    if (limit === null || some.length <= limit) return [];
    const { message } = say(`guard/${said}`, { count: some.length, limit });
    return [{ address: null, message, steps: some, limits: [name] }];
  };
}

function tooLargeAShare(steps: readonly Step[], { rules, pending }: Watch): readonly Trip[] {
  const { maxChangesPercent: limit, changesFloor } = rules.limits;
  const there = [...steps, ...pending].filter(isThere);
  const changed = steps.filter(isThere).filter(writes);
  if (changed.length <= changesFloor || changed.length * 100 <= limit * there.length) return [];
  const { message } = say("guard/max-changes#share", { count: changed.length, of: there.length, limit });
  return [{ address: null, message, steps: changed, limits: ["maxChangesPercent", "changesFloor"] }];
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
function perStep(rule: ByStep, limits: Trip["limits"] = []): Guard {
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
      const { message } = say(
        step.action === "delete" ? "guard/protected#delete" : "guard/protected#release",
      );
      return { address: step.address, message, steps: [step], limits: [] };
    });
}

/** Whether remit stops managing an object that is still in the tenant: only a decision does that. */
function isReleased({ action, sight: { exists } }: Step): boolean {
  return action === "forget" && exists !== "no";
}

/** What the kind itself says that a step opens. */
function opens(code: `guard/${GuardName}`): ByStep {
  return ({ before, after, address }) => {
    const opened = after === null ? [] : (kindOf(address).opens?.(before, after) ?? []);
    const messages = opened.filter((one) => one.code === code).map(({ message }) => message);
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
  return emptied.length === 0 ? null : say("guard/scope-emptied", { fields: emptied }).message;
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
  if (constant.length > 0) return say("guard/everyone#always", { paths: constant }).message;
  const [undecided] = fresh;
  if (undecided !== undefined) {
    const { path, unread } = undecided;
    if (unread === null) return say("guard/everyone#undecided", { path }).message;
    return say("guard/everyone#unread", { path, unread }).message;
  }
  const lost = lostRestrictions(before ?? {}, after, shape)
    .filter(([field = ""]) => holdsNamed(after, field, shape))
    .map(formatPath);
  return lost.length === 0 ? null : say("guard/everyone#unrestricted", { fields: lost }).message;
}

/** Whether an open expression was open before; one that could not be decided has to be the same text. */
function isKnown(one: OpenExpression, other: OpenExpression): boolean {
  return one.path === other.path && one.isSure === other.isSure && (one.isSure || one.text === other.text);
}

/** Access ends: a condition that held for some people holds for no one from now on. */
function closesToAll({ action, before, after, address, changes }: Step): string | null {
  if (action === "delete" || before === null || after === null || reverts(changes)) return null;
  const { shape } = kindOf(address);
  return emptinessOf(before, shape) === null ? emptinessOf(after, shape) : null;
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
  return say(`guard/unknown-current#${unseen}`).message;
}

/** What an apply of a plan would come to, as far as its exit code says it. */
export type Outlook = "cannot be applied" | "changes the tenant" | "changes nothing";

/**
 * Whether a plan can be applied as it is, and whether the tenant would change. Recording what is already true in the
 * tenant is not a change. Where only drift is looked for, the tenant differs from the record where it drifted.
 */
export function outlookOf(plan: Planned): Outlook {
  const { steps, mode } = plan;
  const isBlocked = steps.some(({ action }) => action === "blocked");
  if (isBlocked || undecidedFindings(plan).length > 0) return "cannot be applied";
  const differs = mode.refreshOnly ? isDrift : writes;
  return steps.some(differs) ? "changes the tenant" : "changes nothing";
}

function isDrift({ reason, changes }: Step): boolean {
  return changes.length > 0 || reason === "gone from tenant";
}
