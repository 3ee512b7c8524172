import type { Evaluate } from "../impact/census.js";
import { AskedEntitlement, CLASSIC } from "../impact/entitlement.js";
import { type Routing, routingOf } from "../impact/routing.js";
import { customEntitlement } from "../kinds/customEntitlement.js";
import { managedApp } from "../kinds/managedApp.js";
import { inside, listOf, textOf } from "../kinds/spelling.js";
import { canonical, isObject, type JsonObject, same } from "../model/json.js";
import { writes } from "../plan/calls.js";
import type { RouteChange, RulesDecide } from "../plan/plan.js";
import type { Step } from "../plan/step.js";
import type { PeopleReads } from "../tenant/peopleReads.js";

/** So many of the entitlements are named for which a rule newly decides. */
const MOST_NAMED = 5;

/** For which entitlements of its app each rule of a list decides, before and after a plan. */
export async function rulesDecide(
  step: Step,
  steps: readonly Step[],
  reads: PeopleReads,
  evaluate: Evaluate,
): Promise<RulesDecide> {
  const { address, key } = step;
  const [app] = key ?? [];
  // An app that the plan makes has only what the plan makes in it.
  const [found, shown] =
    app === undefined
      ? [{ rows: [], isAll: true }, null]
      : await Promise.all([reads.entitlementsIn(app), reads.object(managedApp.reads.one([app]))]);
  if (found === null)
    return {
      ...{ as: "rules", address, isOpen: false, rules: [] },
      uncounted: "its entitlements were not read",
    };
  const model = app === undefined ? CLASSIC : textOf(inside(shown ?? null, "app") ?? {}, "accessModel");
  const are = rowsAfter(found.rows, step, steps);
  const decide = (rules: readonly JsonObject[], rows: readonly JsonObject[]) =>
    routingOf(
      rules,
      rows.map((row) => new AskedEntitlement(row, model === CLASSIC)),
      evaluate,
    );
  const [before, after] = [rulesIn(step.before), rulesIn(step.after)];
  const was = routesOf(before, found.rows, decide(before, found.rows));
  const is = routesOf(after, are, decide(after, are));
  const names = [...new Set([...is.keys(), ...was.keys()])];
  return {
    as: "rules",
    address,
    uncounted: null,
    isOpen: model === "APP_ACCESS_MODEL_HYBRID" || model === "APP_ACCESS_MODEL_SPARSE",
    rules: names.flatMap((name) => changeOf(was.get(name), is.get(name), found.isAll) ?? []),
  };
}

function rulesIn(spec: JsonObject | null): readonly JsonObject[] {
  return listOf(spec ?? {}, "rules").filter(isObject);
}

/** The entitlements of an app once the plan is done. */
function rowsAfter(rows: readonly JsonObject[], rules: Step, steps: readonly Step[]): readonly JsonObject[] {
  const appOf = ({ key, managed: { identity } }: Step) => canonical(key?.[0] ?? identity.appId ?? null);
  const ofApp = steps.filter(
    (step) => step.address.kind === customEntitlement.name && writes(step) && appOf(step) === appOf(rules),
  );
  const written = new Map(ofApp.map((step) => [step.key?.at(-1) ?? null, step]));
  const kept = rows.flatMap((row) => {
    const step = written.get(textOf(row, "id"));
    if (step === undefined) return [row];
    return step.action === "delete" ? [] : [{ ...row, ...step.after }];
  });
  const made = ofApp
    .filter(({ key }) => key === null)
    .map(({ after, managed: { identity } }) => ({ ...identity, ...after }));
  return [...kept, ...made];
}

/** What one rule decides for: those for which it certainly does, and all for which it may. */
interface Route {
  readonly rule: JsonObject | null;
  readonly unknown: string | null;
  readonly certain: ReadonlySet<string>;
  readonly possible: ReadonlyMap<string, string>;
}

/** By rule, under its name; two of one name are distinguished by their order. What no rule decides is under the empty name. */
function routesOf(
  rules: readonly JsonObject[],
  rows: readonly JsonObject[],
  { deciders, unknown }: Routing,
): ReadonlyMap<string, Route> {
  const routeOf = (rule: JsonObject | null, place: number | null): Route => {
    const idOf = (row: JsonObject) => textOf(row, "id") || textOf(row, "displayName");
    const may = rows.flatMap((row, at) => {
      const some = deciders[at] ?? [];
      return some.includes(place) ? [{ row, isSure: some.length === 1 }] : [];
    });
    return {
      rule,
      unknown: place === null ? null : (unknown[place] ?? null),
      certain: new Set(may.flatMap(({ row, isSure }) => (isSure ? [idOf(row)] : []))),
      possible: new Map(may.map(({ row }) => [idOf(row), textOf(row, "displayName")])),
    };
  };
  const named = rules.map((rule, place): readonly [string, Route] => {
    const name = textOf(rule, "displayName");
    const earlier = rules.slice(0, place).filter((other) => textOf(other, "displayName") === name).length;
    return [canonical([name, earlier]), routeOf(rule, place)];
  });
  return new Map([...named, ["", routeOf(null, null)]]);
}

/** What changes for one rule; null where nothing does. */
function changeOf(was: Route | undefined, is: Route | undefined, areAll: boolean): RouteChange | null {
  const rule = is?.rule ?? was?.rule ?? null;
  const countOf = (route: Route | undefined) => ({
    low: route?.certain.size ?? 0,
    high: areAll ? (route?.possible.size ?? 0) : null,
  });
  const ids = (route: Route | undefined) => [...(route?.possible.keys() ?? [])].sort();
  const isSame = same(countOf(was), countOf(is)) && same(ids(was), ids(is));
  if (isSame && same(was?.rule ?? null, is?.rule ?? null)) return null;
  const fresh = [...(is?.possible ?? [])].filter(([id]) => was?.possible.has(id) !== true);
  const names = fresh.map(([, name]) => name).sort();
  return {
    rule: rule === null ? null : textOf(rule, "displayName"),
    isNew: was === undefined,
    before: countOf(was),
    after: countOf(is),
    newly: names.slice(0, MOST_NAMED),
    others: Math.max(0, names.length - MOST_NAMED),
    unknown: is?.unknown ?? null,
  };
}
