import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import schema from "../../../schemas/template-scope.json" with { type: "json" };
import { normalise } from "../../../src/kinds/normalise.js";
import { templateScope } from "../../../src/kinds/templateScope.js";
import { isObject, type Json, type JsonObject } from "../../../src/model/json.js";
import { cases as counted } from "../../fakes/cases.js";
import { current, planOf, present, wish } from "../worlds.js";

const KEY = ["t"];
const ID = "2fsgTvxP0DVTsNXEUBI7hOe0l5A";

/** The findings of a plan whose scope was one and is another. */
function findingsOf(before: JsonObject, after: JsonObject): readonly string[] {
  const seen = present(KEY, normalise({ scope: before }, templateScope.shape));
  const { findings } = planOf({
    desired: [wish(templateScope, "q4", { templateId: "t", scope: after })],
    current: current("full", [[templateScope, KEY, seen]]),
  });
  return findings.map(({ guard, message }) => `${guard}: ${message}`);
}

const trips = (before: JsonObject, after: JsonObject) =>
  findingsOf(before, after).some((finding) => /^(everyone|scope-emptied):/.test(finding));

/** What docs/service/interface.md §2.5 calls the choices that leave nothing out. */
const ALL = ["allUsers", "allAccounts", "allGrants", "allAccessConflicts"];

type Node = Readonly<Record<string, unknown>>;

const node = (value: unknown) => value as Node;
const followed = (one: Node): Node =>
  typeof one.$ref === "string" ? node(node(schema.$defs)[one.$ref.replace("#/$defs/", "")]) : one;
const propertiesOf = (one: Node) =>
  Object.entries((one.properties ?? {}) as Readonly<Record<string, Node>>).map(
    ([name, inner]) => [name, followed(inner)] as const,
  );
const typesOf = ({ type }: Node) => [type].flat();

/** Known values of an enum but those that stand for none, or for all that can be specified. */
function namesOf(one: Node): readonly string[] {
  const values = one["x-enum"] as readonly string[];
  return values.filter((name) => !name.endsWith("UNSPECIFIED") && !name.endsWith("_SPECIFIC"));
}

/** Values of a node of the schema that restrict, as authors write them. */
function restricting(one: Node): fc.Arbitrary<Json> {
  if (one["x-marker"] === true) return fc.constant({});
  if (isObject(one["x-id"] as Json)) return fc.constantFrom(ID, `${ID.slice(0, -1)}B`);
  const types = typesOf(one);
  if (types.includes("boolean")) return fc.constant(true);
  if (types.includes("array"))
    return fc.uniqueArray(restricting(followed(node(one.items))), {
      minLength: 1,
      maxLength: 2,
      selector: (item) => JSON.stringify(item),
    });
  if (types.includes("object")) {
    if (isObject(one.additionalProperties as Json)) {
      const value = restricting(node(one.additionalProperties));
      return fc.dictionary(fc.constantFrom("department", "title"), value, { minKeys: 1 });
    }
    const members = propertiesOf(one).filter(([, inner]) => inner["x-only-with"] === undefined);
    return objectOf(one, members, 1);
  }
  if (one["x-form"] === "duration") return fc.constantFrom("90d", "12h30m");
  if (one["x-form"] === "timestamp") return fc.constantFrom("2026-01-01T00:00:00Z", "2026-03-31T00:00:00Z");
  if (one["x-form"] === "expression") return fc.constantFrom("subject.a == 'x'", "subject.b");
  return Array.isArray(one["x-enum"]) ? fc.constantFrom(...namesOf(one)) : fc.constant("x");
}

/** An object with some members, at most one of each group. */
function objectOf(one: Node, members: readonly (readonly [string, Node])[], least: number) {
  const groups = Object.values((one["x-groups"] ?? {}) as Readonly<Record<string, readonly string[]>>);
  const all = Object.fromEntries(members.map(([name, inner]) => [name, fc.option(restricting(inner))]));
  return fc
    .record(all)
    .map((value): JsonObject => {
      const set = Object.entries(value).filter(([, inner]) => inner !== null) as [string, Json][];
      const isFirst = ([name]: readonly [string, Json]) => {
        const group = groups.find((names) => names.includes(name));
        return group === undefined || set.find(([other]) => group.includes(other))?.[0] === name;
      };
      return Object.fromEntries(set.filter(isFirst));
    })
    .filter((value) => Object.keys(value).length >= least);
}

const SCOPE = node(schema.$defs.spec.properties.scope);
/** Choices that restrict. What selects everything does not, nor do the apps as a whole and the kind of principals. */
const CHOICES = propertiesOf(SCOPE).filter(
  ([name]) => ![...ALL, "appAccess", "principalTypeFilter"].includes(name),
);
const scopes = objectOf(SCOPE, CHOICES, 1);

/** A scope, one place in it that restricts, and every way to write that it restricts nothing. */
interface Loosening {
  readonly path: readonly string[];
  readonly values: readonly (Json | undefined)[];
}

/** Everything in a value that a loosening may be about: each criterion, and each object around it. */
function looseningsIn(value: Json, one: Node, path: readonly string[]): readonly Loosening[] {
  const here = (...values: readonly (Json | undefined)[]) => (path.length === 0 ? [] : [{ path, values }]);
  const types = typesOf(one);
  if (one["x-marker"] === true) return here(undefined);
  if (types.includes("boolean")) return here(false, null, undefined);
  if (types.includes("array")) {
    const item = followed(node(one.items));
    // An empty selection selects no one.
    if (one["x-narrows"] !== true) return [];
    const zero = ((item["x-enum"] ?? []) as readonly string[]).filter((name) =>
      name.endsWith("_UNSPECIFIED"),
    );
    return here([], null, undefined, ...zero.map((name) => [name]));
  }
  if (types.includes("object") && isObject(value)) {
    const isMap = isObject(one.additionalProperties as Json);
    const inside = Object.entries(value).flatMap(([name, inner]) => {
      const of = isMap ? node(one.additionalProperties) : followed(node(node(one.properties)[name]));
      if (isMap) return [{ path: [...path, name], values: [undefined] }];
      return looseningsIn(inner, of, [...path, name]);
    });
    return [...here(null, undefined), ...inside];
  }
  const zero = ((one["x-enum"] ?? []) as readonly string[]).filter((name) => name.endsWith("_UNSPECIFIED"));
  return here(null, undefined, "", ...zero, ...(one["x-form"] === "duration" ? ["0s"] : []));
}

function withValue(
  object: JsonObject,
  [name = "", ...rest]: readonly string[],
  value: Json | undefined,
): JsonObject {
  const inner = object[name];
  const now: Json | undefined =
    rest.length === 0 ? value : withValue(isObject(inner) ? inner : {}, rest, value);
  const { [name]: _, ...others } = object;
  return (now === undefined ? others : { ...others, [name]: now }) as JsonObject;
}

describe("a scope", () => {
  it("never loses a restriction without a finding", () => {
    const cases = scopes.chain((scope) => {
      const all = looseningsIn(scope, SCOPE, []).flatMap(({ path, values }) =>
        values.map((value) => ({ path, value })),
      );
      return fc.constantFrom(...all).map((one) => ({ scope, ...one }));
    });
    fc.assert(
      fc.property(cases, ({ scope, path, value }) => {
        expect(trips(scope, withValue(scope, path, value))).toBe(true);
      }),
      { numRuns: counted(300) },
    );
  });

  it("has no finding where it only gets narrower or asks for something else", () => {
    const pairs = scopes.chain((scope) => {
      const inside = Object.entries(scope).map(([name, value]) => {
        const of = followed(node(node(SCOPE.properties)[name]));
        // Another value in each place that had one, and criteria beside them.
        const again = isObject(value) && of["x-marker"] !== true ? objectLike(value, of) : fc.constant(value);
        return again.map((now) => [name, now] as const);
      });
      return fc
        .tuple(...inside)
        .map((members) => ({ scope, now: Object.fromEntries(members) as JsonObject }));
    });
    fc.assert(
      fc.property(pairs, ({ scope, now }) => {
        expect(findingsOf(scope, now)).toEqual([]);
      }),
      { numRuns: counted(300) },
    );
  });

  it.each<[string, JsonObject, boolean]>([
    ["by a real one", { daysSinceLastUsed: "90d" }, false],
    ["by less than a day", { daysSinceLastUsed: "1s" }, true],
    ["by no time at all", { daysSinceLastUsed: "0s" }, true],
    ["by a start before every grant", { grantsAddedBetween: { startDate: "1970-01-01T00:00:00Z" } }, true],
    ["by an end after every grant", { grantsAddedBetween: { endDate: "9999-01-01T00:00:00Z" } }, true],
    [
      "by a start that leaves grants out",
      { grantsAddedBetween: { startDate: "2026-01-01T00:00:00Z" } },
      false,
    ],
    ["by nothing in it", { grantsAddedBetween: {} }, true],
  ])("does not lose a criterion that is replaced %s without a finding: %j", (_, criterion, isFound) => {
    const before = { grantsByCriteria: { typeFilter: "GRANT_FILTER_TYPE_PERMANENT" } };
    expect(trips(before, { grantsByCriteria: criterion })).toBe(isFound);
  });

  it("does not lose a criterion to one that lists every value", () => {
    const all = propertiesOf(followed(node(node(SCOPE.properties).userCriteria)));
    const [, statuses] = all.find(([name]) => name === "userStatus") ?? ["", {}];
    const names = namesOf(followed(node(node(statuses).items)));
    const before = { userCriteria: { managerUserIds: [ID] } };
    expect(trips(before, { userCriteria: { userStatus: [...names] } })).toBe(true);
    expect(trips(before, { userCriteria: { userStatus: names.slice(0, 1) } })).toBe(false);
  });

  it.each<[string, JsonObject, JsonObject, boolean]>([
    [
      "a start of nothing",
      between({ startDate: "2026-01-01T00:00:00Z" }),
      between({ startDate: null }),
      true,
    ],
    [
      "specific profiles without any",
      profiles("INCLUDE_SPECIFIC", [ID]),
      profiles("INCLUDE_SPECIFIC", []),
      true,
    ],
    [
      "specific exclusions without any",
      profiles("EXCLUDE_SPECIFIC", [ID]),
      profiles("EXCLUDE_SPECIFIC", []),
      true,
    ],
    [
      "any profile instead of a specific one",
      profiles("INCLUDE_SPECIFIC", [ID]),
      profiles("INCLUDE_ALL"),
      false,
    ],
    ["no profile instead of all but one", profiles("EXCLUDE_SPECIFIC", [ID]), profiles("EXCLUDE_ALL"), false],
    ["specific profiles instead of any", profiles("INCLUDE_ALL"), profiles("INCLUDE_SPECIFIC", [ID]), false],
    ["an unspecified filter", profiles("EXCLUDE_ALL"), profiles("UNSPECIFIED"), true],
    ["a blank expression", cel("subject.a"), cel(" \n"), true],
    ["an empty expression of accounts", accounts("subject.a"), accounts(""), true],
    [
      "an expression instead of criteria",
      { userCriteria: { userStatus: ["ENABLED"] } },
      cel("subject.a"),
      false,
    ],
    [
      "another criterion instead",
      { grantsByCriteria: { typeFilter: "GRANT_FILTER_TYPE_PERMANENT" } },
      { grantsByCriteria: { daysSinceLastUsed: "90d" } },
      false,
    ],
    ["a longer list", status("ENABLED"), status("ENABLED", "DISABLED"), false],
    ["an exclusion", {}, { excludedSpecificResources: {} }, false],
    [
      "an exclusion dropped",
      { ...status("ENABLED"), excludedSpecificResources: {} },
      status("ENABLED"),
      true,
    ],
    ["everything chosen", status("ENABLED"), { allUsers: {} }, true],
    ["everything as before", { allUsers: {} }, { allUsers: {} }, false],
  ])("that gets %s", (_, before, after, isFound) => {
    expect(trips(before, after)).toBe(isFound);
  });
});

/** An object with a value in each place that has one, and with more criteria outside of groups that have a choice. */
function objectLike(value: JsonObject, one: Node): fc.Arbitrary<Json> {
  if (isObject(one.additionalProperties as Json)) {
    const of = restricting(node(one.additionalProperties));
    return fc.record(Object.fromEntries(Object.keys(value).map((name) => [name, of])));
  }
  const groups = Object.values((one["x-groups"] ?? {}) as Readonly<Record<string, readonly string[]>>).flat();
  const members = propertiesOf(one)
    .filter(
      ([name, inner]) => inner["x-only-with"] === undefined && (!groups.includes(name) || name in value),
    )
    .map(([name, inner]) => {
      const own = value[name];
      const isNested = isObject(own) && inner["x-marker"] !== true;
      const again = isNested ? objectLike(own, inner) : restricting(inner);
      return [name, name in value ? again : fc.option(again, { nil: undefined })] as const;
    });
  return fc.record(Object.fromEntries(members)).map((made) => {
    const set = Object.entries(made).filter(([, inner]) => inner !== undefined);
    return Object.fromEntries(set) as JsonObject;
  });
}

function between(dates: JsonObject): JsonObject {
  return { grantsByCriteria: { grantsAddedBetween: dates } };
}

function profiles(type: string, ids?: readonly string[]): JsonObject {
  const list = type.startsWith("EXCLUDE") ? "excludedAccessProfileIds" : "includedAccessProfileIds";
  const filterType = `ACCESS_PROFILE_FILTER_TYPE_${type}`;
  const accessProfileFilter = { filterType, ...(ids === undefined ? {} : { [list]: [...ids] }) };
  return { grantsByCriteria: { accessProfileFilter, daysSinceLastUsed: "90d" } };
}

function cel(expression: string): JsonObject {
  return { celExpression: { expression } };
}

function accounts(expression: string): JsonObject {
  return { accountCelExpression: { expression } };
}

function status(...names: readonly string[]): JsonObject {
  return { userCriteria: { userStatus: [...names] } };
}
