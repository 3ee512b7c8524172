import { meansTheSame } from "../../diff/spelling.js";
import { othersPartOf, usersPartOf } from "../../impact/audience.js";
import { kindOf } from "../../kinds/index.js";
import type { Kind } from "../../kinds/kind.js";
import { type EntitlementRef, type HolderRef, refName } from "../../kinds/people.js";
import { formatAddress } from "../../model/address.js";
import { canonical, isObject, type Json, type JsonObject } from "../../model/json.js";
import type { Key } from "../../model/key.js";
import type { SpecShape } from "../../schema/shape.js";
import type { Step } from "../step.js";

/** What a question is about. */
type AskedStep = Pick<Step, "address" | "key">;

/** Something that may move people: what to ask about them. */
export type PeopleQuestion<S = AskedStep> = { readonly step: S } & (
  | {
      readonly as: "members";
      readonly entitlement: EntitlementRef;
      /** What else those get whom it matches. */
      readonly offered: readonly EntitlementRef[];
      /** Null where no rule exists; undefined where the object was not seen. */
      readonly before: JsonObject | null | undefined;
      readonly after: JsonObject | null;
      readonly isNew: boolean;
      /** Who is left out by hand: no one yet, those of the service's list, or people whom the service does not show. */
      readonly exclusions: "none" | "listed" | "not shown";
      /** Whether whom it matches gains for certain, and whom it no longer matches loses for certain. */
      readonly isSure: { readonly gains: boolean; readonly loses: boolean };
    }
  /** What those get who hold an enrollment, where it changes. */
  | {
      readonly as: "enrolled";
      readonly entitlement: EntitlementRef;
      /** What the profile offers, before or after. */
      readonly offered: readonly EntitlementRef[];
      readonly gives: boolean;
      readonly takes: boolean;
    }
  /** Who may request something, where that changes. */
  | { readonly as: "requesters" }
  | {
      readonly as: "audience";
      readonly before: JsonObject | undefined;
      readonly after: JsonObject;
      /** Whether it makes the first review of its template. */
      readonly isNew: boolean;
      /** Whether it asks for the same users as before. */
      readonly isSame: boolean;
      /** Whether another part of the scope changes. */
      readonly isOtherwise: boolean;
      readonly added: readonly EntitlementRef[];
      readonly removed: readonly EntitlementRef[];
      readonly kept: readonly EntitlementRef[];
      /** The apps of what is reviewed. */
      readonly apps: { readonly before: readonly string[]; readonly after: readonly string[] };
      /** The template whose campaigns the scope is for. */
      readonly template: string;
    }
  | {
      readonly as: "holdings";
      readonly of: HolderRef;
      /** What those got who were enrolled in it. */
      readonly offered: readonly EntitlementRef[];
    }
);

/** A question about a step of a plan. */
export type StepQuestion = PeopleQuestion<Step>;

/** A question that the users of the tenant answer. */
export type UserQuestion<S = AskedStep> = Extract<PeopleQuestion<S>, { as: "members" | "audience" }>;

/** Whether users answer a question. */
export function isAboutUsers<S>(question: PeopleQuestion<S>): question is UserQuestion<S> {
  return question.as === "members" || question.as === "audience";
}

const CHANGING: ReadonlySet<Step["action"]> = new Set(["create", "update", "set", "replace", "delete"]);

/**
 * The steps that change a rule or the users of a scope, also where the tenant did so already and the step takes it over. A
 * first adoption changes no one's access.
 */
export function questionsOf(steps: readonly Step[]): readonly StepQuestion[] {
  return steps.filter(mayChangeRule).flatMap((step) => questionOf(step, kindOf(step.address)));
}

/** The same, and the rules that stay as they are in the tenant: before and after are one value. */
export function allQuestionsOf(steps: readonly Step[]): readonly StepQuestion[] {
  return steps.flatMap((step) => {
    const { concern } = kindOf(step.address);
    const changed = mayChangeRule(step) ? questionOf(step, kindOf(step.address)) : [];
    if (changed.length > 0 || step.before === null || step.sight.exists !== "yes" || step.key === null)
      return changed;
    return unchangedQuestion(step, concern, step.before, step.key);
  });
}

function mayChangeRule({ action, key, recorded: { driftedFrom } }: Step): boolean {
  return CHANGING.has(action) || (driftedFrom !== null && key !== null);
}

/** The entitlement that a step is about. One that the plan creates has no app here: no one holds it yet. */
function entitlementOf(
  { address, key }: Step,
  { entitlement }: { readonly entitlement: (key: Key) => EntitlementRef },
): EntitlementRef {
  return key === null ? { appId: "", id: formatAddress(address) } : entitlement(key);
}

/** The question about a rule that a plan leaves as it is. */
function unchangedQuestion(
  step: Step,
  concern: Kind["concern"],
  object: JsonObject,
  key: Key,
): readonly StepQuestion[] {
  const rule = standingRule(step, concern, object);
  if (rule !== null) return [rule];
  if (concern.as !== "audience") return [];
  const scope = concern.scope(object);
  const kept = concern.entitlements(object);
  const apps = { before: appsOf(kept), after: appsOf(kept) };
  const unmoved = { isNew: false, isSame: true, isOtherwise: false, added: [], removed: [], kept, apps };
  return [{ step, as: "audience", before: scope, after: scope, ...unmoved, template: concern.template(key) }];
}

/** Whether a question is about a rule that stays as it is. */
export function isUnchanged({ before, after }: UserQuestion): boolean {
  return before !== undefined && before === after;
}

/** The object before a step; where the step leaves a part of it as it is, before the change of it that the step takes over. */
function beforeOf(
  { before, after, recorded: { driftedFrom } }: Step,
  part: (object: JsonObject) => JsonObject,
  shape: SpecShape,
): JsonObject | null {
  if (before === null || after === null || driftedFrom === null) return before;
  return meansTheSame(part(before), part(after), shape) ? driftedFrom : before;
}

function questionOf(step: Step, { concern, shape }: Kind): readonly StepQuestion[] {
  const { key } = step;
  const { exists } = step.sight;
  const isSeen = exists === "yes" && step.before !== null;
  switch (concern.as) {
    case "nothing":
    case "conflict":
      return [];
    case "members": {
      const before = isSeen
        ? concern.rule(beforeOf(step, concern.rule, shape) ?? {})
        : exists === "no"
          ? null
          : undefined;
      const after = step.action === "delete" ? null : concern.rule(step.after ?? {});
      if (before !== undefined && canonical(before) === canonical(after)) return [];
      const entitlement = entitlementOf(step, concern);
      const members = { as: "members", entitlement, offered: [], before, after } as const;
      const isNew = before === null;
      return [{ step, ...members, isNew, exclusions: isNew ? "none" : "listed", isSure: SURE }];
    }
    case "profile":
      return ofProfile(step, concern);
    case "audience": {
      if (step.after === null) return [];
      const old = isSeen ? beforeOf(step, (object) => object, shape) : undefined;
      const fresh = step.after;
      const before = old === undefined || old === null ? undefined : concern.scope(old);
      const after = concern.scope(fresh);
      const [had, has] = [old == null ? [] : concern.entitlements(old), concern.entitlements(fresh)];
      return [
        {
          step,
          as: "audience",
          before,
          after,
          isNew:
            exists === "no" || key === null || (before !== undefined && isUnset(before) && had.length === 0),
          isSame: before !== undefined && canonical(usersPartOf(before)) === canonical(usersPartOf(after)),
          isOtherwise:
            before === undefined || canonical(othersPartOf(before)) !== canonical(othersPartOf(after)),
          added: without(has, had),
          removed: without(had, has),
          kept: without(has, without(has, had)),
          apps: { before: appsOf(had), after: appsOf(has) },
          template: concern.template(key ?? []),
        },
      ];
    }
    case "holdings":
      return step.action === "delete"
        ? [{ step, as: "holdings", of: concern.of(key ?? []), offered: [] }]
        : [];
  }
}

const SURE = { gains: true, loses: true };

/** The question about a rule that stays as an object has it; null where none runs. */
export function standingRule<S extends AskedStep>(
  step: S,
  concern: Kind["concern"],
  object: JsonObject,
): Extract<PeopleQuestion<S>, { as: "members" }> | null {
  if (concern.as !== "members" && concern.as !== "profile") return null;
  const rule = concern.rule(object);
  if (rule === null) return null;
  const entitlement = concern.entitlement(step.key ?? []);
  const offered = concern.as === "profile" ? refsIn(concern.entries(object)) : [];
  const members = { as: "members", entitlement, offered, before: rule, after: rule, isNew: false } as const;
  return concern.as === "members"
    ? { step, ...members, exclusions: "listed", isSure: SURE }
    : { step, ...members, exclusions: "not shown", isSure: sureOf(concern, object) };
}

/** What the rule of a profile does for certain: the service stops one that would remove many members at once. */
function sureOf({ enrollsAtOnce }: ProfileConcern, object: JsonObject) {
  return { gains: enrollsAtOnce(object), loses: false };
}

type ProfileConcern = Extract<Kind["concern"], { as: "profile" }>;

/** What a change of a profile means: for those whom its rule matches, for those who are enrolled, and for those who may request it. */
function ofProfile(step: Step, concern: ProfileConcern): readonly StepQuestion[] {
  const { action } = step;
  const { exists } = step.sight;
  if (action === "delete") {
    const offered = refsIn(concern.entries(step.before ?? {}));
    return [{ step, as: "holdings", of: concern.of(step.key ?? []), offered }];
  }
  const old = exists === "no" ? {} : (step.recorded.driftedFrom ?? step.before ?? undefined);
  const fresh = step.after ?? {};
  const differ = (part: (object: JsonObject) => Json) =>
    old === undefined || canonical(part(old)) !== canonical(part(fresh));
  const entitlement = entitlementOf(step, concern);
  const before = old === undefined ? undefined : concern.rule(old);
  const exclusions = exists === "no" ? "none" : "not shown";
  const isSure = sureOf(concern, fresh);
  const offered = [...refsIn(concern.entries(old ?? {})), ...refsIn(concern.entries(fresh))];
  const members = { as: "members", entitlement, offered, before, after: concern.rule(fresh) } as const;
  const rows = (object: JsonObject) => rowsOf(concern.entries(object));
  const [had, has] = [rows(old ?? {}), rows(fresh)];
  const gives = old === undefined || [...has].some((row) => !had.has(row));
  const takes = old === undefined || [...had].some((row) => !has.has(row));
  return [
    ...(differ(concern.rule)
      ? [{ step, ...members, isNew: before === null, exclusions, isSure } as const]
      : []),
    ...(exists === "no" || !(gives || takes)
      ? []
      : [{ step, as: "enrolled", entitlement, offered, gives, takes } as const]),
    ...(differ(concern.requestable) ? [{ step, as: "requesters" } as const] : []),
  ];
}

function refsIn(list: Json): readonly EntitlementRef[] {
  return (Array.isArray(list) ? list : []).flatMap((row) =>
    isObject(row) && typeof row.appId === "string" && typeof row.id === "string"
      ? [{ appId: row.appId, id: row.id }]
      : [],
  );
}

function rowsOf(list: Json): ReadonlySet<string> {
  return new Set(Array.isArray(list) ? list.map(canonical) : []);
}

/** Whether a scope chooses nothing: a template that was just made has such a one. */
function isUnset(scope: JsonObject): boolean {
  return Object.values(scope).every((value) => value === null);
}

function appsOf(refs: readonly EntitlementRef[]): readonly string[] {
  return [...new Set(refs.map(({ appId }) => appId))].sort();
}

function without(
  some: readonly EntitlementRef[],
  others: readonly EntitlementRef[],
): readonly EntitlementRef[] {
  const left = new Set(others.map(refName));
  return some.filter((ref) => !left.has(refName(ref)));
}

export type MembersQuestion = Extract<PeopleQuestion, { as: "members" }>;
