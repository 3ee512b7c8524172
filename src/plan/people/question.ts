import { meansTheSame } from "../../diff/spelling.js";
import { usersPartOf } from "../../impact/audience.js";
import type { Kind } from "../../kinds/kind.js";
import type { KindOf } from "../../kinds/kindOf.js";
import type { EntitlementRef, HolderRef } from "../../kinds/people.js";
import { canonical, type JsonObject } from "../../model/json.js";
import type { Key } from "../../model/key.js";
import type { SpecShape } from "../../schema/shape.js";
import type { Step } from "../step.js";

/** A step that means something for people: what to ask about them. */
export type PeopleQuestion = { readonly step: Step } & (
  | {
      readonly as: "members";
      readonly entitlement: EntitlementRef;
      /** Null where no rule exists; undefined where the object was not seen. */
      readonly before: JsonObject | null | undefined;
      readonly after: JsonObject | null;
      readonly isNew: boolean;
    }
  | {
      readonly as: "audience";
      readonly before: JsonObject | undefined;
      readonly after: JsonObject;
      /** Whether it asks for the same users as before. */
      readonly isSame: boolean;
      readonly added: readonly EntitlementRef[];
      readonly removed: readonly EntitlementRef[];
      /** The apps of what is reviewed. */
      readonly apps: { readonly before: readonly string[]; readonly after: readonly string[] };
      /** The template whose campaigns the scope is for. */
      readonly template: string;
    }
  | { readonly as: "holdings"; readonly of: HolderRef }
);

/** A question that the users of the tenant answer. */
export type UserQuestion = Exclude<PeopleQuestion, { as: "holdings" }>;

/** Whether users answer a question. */
export function isAboutUsers(question: PeopleQuestion): question is UserQuestion {
  return question.as !== "holdings";
}

const CHANGING: ReadonlySet<Step["action"]> = new Set(["create", "update", "set", "replace", "delete"]);

/**
 * The steps that change a rule or the users of a scope, also where the tenant did so already and the step takes it over. A
 * first adoption changes no one's access.
 */
export function questionsOf(steps: readonly Step[], kindOf: KindOf): readonly PeopleQuestion[] {
  return steps.filter(mayChangeRule).flatMap((step) => questionOf(step, kindOf(step.address)));
}

/** The same, and the rules that stay as they are in the tenant: before and after are one value. */
export function allQuestionsOf(steps: readonly Step[], kindOf: KindOf): readonly PeopleQuestion[] {
  return steps.flatMap((step) => {
    const { concern } = kindOf(step.address);
    const changed = mayChangeRule(step) ? questionOf(step, kindOf(step.address)) : [];
    if (changed.length > 0 || step.before === null || step.exists !== "yes" || step.key === null)
      return changed;
    return unchangedQuestion(step, concern, step.before, step.key);
  });
}

function mayChangeRule({ action, key, driftedFrom }: Step): boolean {
  return (CHANGING.has(action) || driftedFrom !== null) && key !== null;
}

/** The question about a rule that a plan leaves as it is. */
function unchangedQuestion(
  step: Step,
  concern: Kind["concern"],
  object: JsonObject,
  key: Key,
): readonly PeopleQuestion[] {
  if (concern.as === "members") {
    const rule = concern.rule(object);
    const entitlement = concern.entitlement(key);
    return [{ step, as: "members", entitlement, before: rule, after: rule, isNew: false }];
  }
  if (concern.as !== "audience") return [];
  const scope = concern.scope(object);
  const apps = appsOf(concern.entitlements(object));
  const unmoved = { isSame: false, added: [], removed: [], apps: { before: apps, after: apps } };
  return [{ step, as: "audience", before: scope, after: scope, ...unmoved, template: concern.template(key) }];
}

/** Whether a question is about a rule that stays as it is. */
export function isUnchanged({ before, after }: UserQuestion): boolean {
  return before !== undefined && before === after;
}

/** The object before a step; where the step leaves a part of it as it is, before the change of it that the step takes over. */
function beforeOf(
  { before, after, driftedFrom }: Step,
  part: (object: JsonObject) => JsonObject,
  shape: SpecShape,
): JsonObject | null {
  if (before === null || after === null || driftedFrom === null) return before;
  return meansTheSame(part(before), part(after), shape) ? driftedFrom : before;
}

function questionOf(step: Step, { concern, shape }: Kind): readonly PeopleQuestion[] {
  const { exists, key } = step;
  const isSeen = exists === "yes" && step.before !== null;
  switch (concern.as) {
    case "nothing":
      return [];
    case "members": {
      const before = isSeen
        ? concern.rule(beforeOf(step, concern.rule, shape) ?? {})
        : exists === "no"
          ? null
          : undefined;
      const after = step.action === "delete" ? null : concern.rule(step.after ?? {});
      if (before !== undefined && canonical(before) === canonical(after)) return [];
      const entitlement = concern.entitlement(key ?? []);
      return [{ step, as: "members", entitlement, before, after, isNew: before === null }];
    }
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
          isSame: before !== undefined && canonical(usersPartOf(before)) === canonical(usersPartOf(after)),
          added: without(has, had),
          removed: without(had, has),
          apps: { before: appsOf(had), after: appsOf(has) },
          template: concern.template(key ?? []),
        },
      ];
    }
    case "holdings":
      return step.action === "delete" ? [{ step, as: "holdings", of: concern.of(key ?? []) }] : [];
  }
}

function appsOf(refs: readonly EntitlementRef[]): readonly string[] {
  return [...new Set(refs.map(({ appId }) => appId))].sort();
}

function without(
  some: readonly EntitlementRef[],
  others: readonly EntitlementRef[],
): readonly EntitlementRef[] {
  const left = new Set(others.map(nameOf));
  return some.filter((ref) => !left.has(nameOf(ref)));
}

function nameOf({ appId, id }: EntitlementRef): string {
  return `${appId}/${id}`;
}
