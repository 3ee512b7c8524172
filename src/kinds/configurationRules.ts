import schema from "../../schemas/app-configuration-rules.json" with { type: "json" };
import type { Call, Segment } from "../model/call.js";
import { isObject, type Json, type JsonObject, same } from "../model/json.js";
import type { Key } from "../model/key.js";
import type { Shape, SpecShape } from "../schema/shape.js";
import type { Objection, Observed, Opening } from "./kind.js";
import { normalise, notCompared } from "./normalise.js";
import { emergency, opensEmergency } from "./openings.js";
import type { KeyedWork, Update } from "./row.js";
import { api, get, isGone, listOf, textOf } from "./spelling.js";
import { kindFrom } from "./table.js";
import { asSent } from "./unnamed.js";

// docs/service/whole-tenant.md, section 4.
const PLACE = "entitlement_configuration_rules";

/** The ids of the rules that were read, in their order: no manifest says them. */
const IDS = "ruleIds";

const COMPARED = ["id", "appId", "displayName", "description", "condition", "enabled", "priority"];

const SET_BY_SERVICE = ["settings", "createdAt", "updatedAt", "deletedAt"];

/** The ordered list of the rules that configure the entitlements of an app: the first whose condition holds decides. */
export const configurationRules = kindFrom({
  name: "AppConfigurationRules",
  noun: ["list of configuration rules", "lists of configuration rules"],
  schema,
  at: `apps/{appId}/${PLACE}`,
  replies: { read: "list" },
  sends: { update: "" },
  isList: true,
  isWhole: true,
  verbs: { core: [], full: ["set"] },
  found: [
    {
      noun: "configuration rules",
      per: "app",
      call: (app) => get("GetAppConfigurationRules", api("apps", app, PLACE), ["list"]),
      keys: (row, app) => (isObject(row) && textOf(row, "id") !== "" && !isGone(row) ? [[app]] : []),
      shows: "the key",
    },
  ],
  writers: { every: ["Super Admin"], own: ["App Admin"] },
  also: {
    observe,
    change,
    refuses,
    opens,
    firstRule: { by: "settings", names: ["requestPolicyId", "emergencyGrantPolicyId"] },
  },
});

/** What all rows show, or the reply to a reorder; a reply about one rule shows no list. */
function observe(body: Json, key: Key, shape: SpecShape): Observed | undefined {
  const rows = isObject(body) ? (body.list ?? null) : body;
  if (!Array.isArray(rows)) return undefined;
  const there = rows.filter(isObject).filter((row) => !isGone(row));
  const ordered = there.toSorted((one, other) => Number(one.priority ?? 0) - Number(other.priority ?? 0));
  const rules = ordered.map(({ displayName = "", description = "", condition = "", enabled, settings }) => ({
    ...{ displayName, description, condition, disabled: enabled !== true, settings: settings ?? null },
  }));
  return {
    key,
    fields: { ...normalise({ rules }, shape), [IDS]: ordered.map((row) => textOf(row, "id")) },
    ...notCompared(there, (name) => ![...COMPARED, ...SET_BY_SERVICE].includes(name)),
  };
}

/** The rules in force that open the way of emergencies, and did not under their name. */
function opens(before: JsonObject | null, after: JsonObject): readonly Opening[] {
  const rulesOf = (object: JsonObject) => listOf(object, "rules").filter(isObject).filter(isOn);
  const were = rulesOf(before ?? {});
  const opened = rulesOf(after).filter(({ displayName, settings }) => {
    const was = were.find((rule) => rule.displayName === displayName);
    return opensEmergency(was?.settings, settings);
  });
  const names = opened.map((rule) => JSON.stringify(textOf(rule, "displayName"))).join(", ");
  const what = opened.length === 1 ? `the rule ${names}` : `${opened.length} rules (${names})`;
  return opened.length === 0 ? [] : [emergency(`emergencyGrantEnabled would be true in ${what}`)];
}

/** A list that was not read, or not to its end, has no ids to change. */
function refuses(before: JsonObject | null): Objection | null {
  const ids = before?.[IDS];
  if (Array.isArray(ids) && ids.length === listOf(before ?? {}, "rules").length) return null;
  return {
    field: "rules",
    message: "the service does not show every rule of the app, so remit cannot keep their order",
    hint: "Plan again once the list can be read to its end.",
  };
}

/** A rule before and after, each null where there is none, and its id. */
interface Place {
  readonly was: JsonObject | null;
  readonly is: JsonObject | null;
  readonly id: Segment;
}

/** A place with where its rule stood before; −1 where there was none. */
interface Merged extends Place {
  readonly at: number;
}

/**
 * At each moment a rule of before or one of after decides for an entitlement: none falls to a later rule. What opens does so
 * from the first place to the last. Then what stays is changed. What closes does so from the last place to the first. A new
 * rule is made disabled, at the end, and enabled in its place. One call does what can be done in one.
 */
function change({ key: [app = ""], before, after }: KeyedWork, _: Update, shape: SpecShape): readonly Call[] {
  const calls = callsTo(app, itemOf(shape));
  const ids = listOf(before, IDS).map(String);
  const were = listOf(before, "rules").filter(isObject).slice(0, ids.length);
  // What is false or empty is unset, in a manifest as in what the service shows.
  const are = listOf(normalise(after, shape), "rules").filter(isObject);
  const isMoved = were.length === are.length && isSameSet(were, are);
  if (isMoved) return same(were, are) ? [] : [calls.reorder(inOrderOf(are, were, ids))];
  const others = are.flatMap((rule, at) => (same(rule, were[at] ?? null) ? [] : [{ rule, at }]));
  const [only] = others;
  if (were.length === are.length && others.length === 1 && only !== undefined)
    return [calls.update(ids[only.at] ?? "", only.rule)];

  const merged = merge(were, ids, are);
  const made = merged.filter(({ was }) => was === null);
  const places = merged.map((place): Place => {
    const at = made.indexOf(place);
    return at === -1 ? place : { ...place, id: { reply: ["routingRule", "id"], of: at } };
  });
  const ranks = merged.map((place) => (place.was === null ? ids.length + made.indexOf(place) : place.at));
  const isInOrder = ranks.every((rank, at) => at === 0 || rank > (ranks[at - 1] ?? 0));
  const opens = ({ was, is }: Place) => isOn(is) && !isOn(was);
  const closes = ({ was, is }: Place) => was !== null && (is === null || (isOn(was) && !isOn(is)));
  const stays = (place: Place) => !opens(place) && !closes(place);
  const updates = (some: readonly Place[]) =>
    some.flatMap(({ was, is, id }) =>
      is === null || same(was, is) || (was === null && !isOn(is)) ? [] : [calls.update(id, is)],
    );
  return [
    ...made.flatMap(({ is }) => (is === null ? [] : [calls.create({ ...is, disabled: true })])),
    ...(isInOrder ? [] : [calls.reorder(places.map(({ id }) => id))]),
    ...updates(places.filter(opens)),
    ...updates(places.filter(stays)),
    ...places
      .filter(closes)
      .toReversed()
      .map(({ is, id }) => (is === null ? calls.remove(id) : calls.update(id, is))),
  ];
}

/**
 * The rules of before and after in one list that has the order of both: those of one condition are one rule. A disabled rule
 * decides nothing, so it stands where its like of after does: it may be a new one that a killed run made at the end.
 */
function merge(were: readonly JsonObject[], ids: readonly string[], are: readonly JsonObject[]) {
  const on = [...were.keys()].filter((at) => isOn(were[at] ?? null));
  const kept = longestCommon(
    on.map((at) => were[at] ?? {}),
    are,
    conditionOf,
  ).map(([place, is]) => [on[place] ?? 0, is] as const);
  const partners = new Map(kept.map(([was, is]) => [is, was]));
  const left = new Set([...were.keys()].filter((at) => !on.includes(at)));
  for (const isLike of [isEqual, isOfCondition]) {
    for (const [at, is] of are.entries()) {
      const like = partners.has(at) ? undefined : [...left].find((was) => isLike(were[was] ?? {}, is));
      if (like === undefined) continue;
      partners.set(at, like);
      left.delete(like);
    }
  }
  const taken = new Set(partners.values());
  const placeOf = (was: number | undefined, is: JsonObject | null) => {
    const rule = was === undefined ? null : (were[was] ?? null);
    return { was: rule, is, id: ids[was ?? -1] ?? "", at: was ?? -1 };
  };
  const places: Merged[] = [];
  let [from, to] = [0, 0];
  for (const [was, is] of [...kept, [were.length, are.length] as const]) {
    for (; to < is; to += 1) places.push(placeOf(partners.get(to), are[to] ?? null));
    for (; from < was; from += 1) if (!taken.has(from)) places.push(placeOf(from, null));
    if (was < were.length) places.push(placeOf(was, are[is] ?? null));
    [from, to] = [was + 1, is + 1];
  }
  return places;
}

function conditionOf(rule: JsonObject): string {
  return textOf(rule, "condition");
}

function isOfCondition(one: JsonObject, other: JsonObject): boolean {
  return conditionOf(one) === conditionOf(other);
}

function isEqual({ disabled: _, ...one }: JsonObject, { disabled: __, ...other }: JsonObject): boolean {
  return same(one, other);
}

function isOn(rule: JsonObject | null): boolean {
  return rule !== null && rule.disabled !== true;
}

function isSameSet(some: readonly JsonObject[], others: readonly JsonObject[]): boolean {
  return some.every((rule) => countOf(rule, some) === countOf(rule, others));
}

function countOf(rule: JsonObject, rules: readonly JsonObject[]): number {
  return rules.filter((other) => same(rule, other)).length;
}

/** The ids of rules in another order; equal ones stand in for each other. */
function inOrderOf(
  are: readonly JsonObject[],
  were: readonly JsonObject[],
  ids: readonly string[],
): readonly string[] {
  const left = were.map((rule, at) => ({ rule, id: ids[at] ?? "" }));
  return are
    .flatMap((rule) =>
      left.splice(
        left.findIndex((one) => same(one.rule, rule)),
        1,
      ),
    )
    .map(({ id }) => id);
}

function itemOf(shape: SpecShape): Shape | undefined {
  const rules = shape.fields.get("rules");
  return rules?.type === "list" ? rules.item : undefined;
}

/** The calls of the rules of one app. An update has no mask, so it sends the whole rule. */
function callsTo(app: Segment, item: Shape | undefined) {
  const written = (rule: JsonObject): JsonObject => {
    const sent = asSent(rule, item);
    const { disabled, ...rest } = isObject(sent) ? sent : {};
    return { description: "", condition: "", settings: {}, ...rest, enabled: disabled !== true };
  };
  const at = (...rest: readonly Segment[]) => api("apps", app, PLACE, ...rest);
  const ofRule = { expects: ["routingRule"] } as const;
  return {
    create: (rule: JsonObject): Call => ({
      operation: "CreateConfigurationRule",
      method: "POST",
      path: at(),
      body: written(rule),
      effect: "once",
      ...ofRule,
    }),
    update: (id: Segment, rule: JsonObject): Call => ({
      operation: "UpdateConfigurationRule",
      method: "POST",
      path: at(id),
      body: written(rule),
      effect: "repeatable",
      ...ofRule,
    }),
    reorder: (ids: readonly Segment[]): Call => ({
      operation: "ReorderConfigurationRules",
      method: "POST",
      path: at("reorder"),
      ids: { ruleIds: ids },
      effect: "repeatable",
      expects: ["list"],
    }),
    remove: (id: Segment): Call => ({
      operation: "DeleteConfigurationRule",
      method: "DELETE",
      path: at(id),
      body: {},
      effect: "repeatable",
    }),
  };
}

/** The places, in two lists, of the longest run of items that both have in the same order. */
function longestCommon<T>(
  some: readonly T[],
  others: readonly T[],
  nameOf: (item: T) => string,
): readonly (readonly [number, number])[] {
  const [left, right] = [some.map(nameOf), others.map(nameOf)];
  // How many items the rests behind each pair of places have in common.
  const common = Array.from({ length: left.length + 1 }, () => new Uint32Array(right.length + 1));
  const at = (one: number, other: number) => common[one]?.[other] ?? 0;
  for (let one = left.length - 1; one >= 0; one -= 1) {
    for (let other = right.length - 1; other >= 0; other -= 1) {
      const row = common[one];
      if (row === undefined) continue;
      const isSame = left[one] === right[other];
      row[other] = isSame ? at(one + 1, other + 1) + 1 : Math.max(at(one + 1, other), at(one, other + 1));
    }
  }
  const pairs: (readonly [number, number])[] = [];
  for (let [one, other] = [0, 0]; one < left.length && other < right.length; ) {
    if (left[one] === right[other]) pairs.push([one++, other++]);
    else if (at(one + 1, other) >= at(one, other + 1)) one += 1;
    else other += 1;
  }
  return pairs;
}
