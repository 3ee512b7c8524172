import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compare } from "../../src/diff/compare.js";
import { isObject, type Json } from "../../src/model/json.js";
import type { Path } from "../../src/model/path.js";
import { flag, keyed, list, map, marker, object, text } from "./shapes.js";

const scope = object(
  {
    allUsers: marker,
    selectedUsers: object({ userIds: list(text()) }),
    celExpression: object({ expression: text("expression") }),
    principalTypeFilter: text(),
    noAccountOwner: flag,
    attributes: map(object({ values: keyed(["value"], { value: text() }) })),
    refs: keyed(["appId", "id"], { appId: text(), id: text(), note: text("text") }),
    steps: list(text(), { by: "place" }),
  },
  { users_scope: ["allUsers", "selectedUsers", "celExpression"] },
);

describe("compare", () => {
  it.each<[string, Json | undefined, Json | undefined]>([
    ["null and absent", { principalTypeFilter: null }, {}],
    ["an empty text and absent", { principalTypeFilter: "" }, {}],
    ["an empty list and absent", { steps: [], refs: [] }, { refs: null }],
    ["false and absent", { noAccountOwner: false }, {}],
    ["an empty object and nothing", {}, undefined],
    [
      "the order of a set",
      { selectedUsers: { userIds: ["b", "a"] } },
      { selectedUsers: { userIds: ["a", "b"] } },
    ],
    [
      "repetition in a set",
      { selectedUsers: { userIds: ["a", "a"] } },
      { selectedUsers: { userIds: ["a"] } },
    ],
    ["what the shape does not know", { newField: 1 }, { newField: 2 }],
  ])("finds no difference in %s", (_, before, after) => {
    expect(compare(before, after, scope)).toEqual([]);
  });

  it("takes the presence of a marker for the choice", () => {
    expect(compare({}, { allUsers: {} }, scope)).toEqual([
      {
        type: "choice",
        path: [],
        group: "users_scope",
        from: null,
        to: "allUsers",
        opens: true,
        before: null,
        after: {},
      },
    ]);
  });

  it("says the switch of a one-of in one change", () => {
    const before = { selectedUsers: { userIds: ["a"] } };
    expect(compare(before, { celExpression: { expression: "true" } }, scope)).toEqual([
      {
        type: "choice",
        path: [],
        group: "users_scope",
        from: "selectedUsers",
        to: "celExpression",
        opens: false,
        before: { userIds: ["a"] },
        after: { expression: "true" },
      },
    ]);
  });

  it("says what was added to a set and what was removed", () => {
    const [before, after] = [
      { selectedUsers: { userIds: ["b", "a"] } },
      { selectedUsers: { userIds: ["c", "b"] } },
    ];
    expect(compare(before, after, scope)).toEqual([
      {
        type: "set",
        path: ["selectedUsers", "userIds"],
        before: ["a", "b"],
        after: ["b", "c"],
        added: ["c"],
        removed: ["a"],
      },
    ]);
  });

  it("tells keyed items by their key, and looks inside those that stay", () => {
    const before = { refs: [{ appId: "1", id: "a", note: "old" }] };
    const after = {
      refs: [
        { appId: "2", id: "a" },
        { appId: "1", id: "a", note: "new" },
      ],
    };
    expect(compare(before, after, scope)).toMatchObject([
      { type: "set", path: ["refs"], added: [{ appId: "2", id: "a" }], removed: [] },
      { type: "text", path: ["refs", 0, "note"], before: "old", after: "new" },
    ]);
  });

  it("compares place by place where the order means something", () => {
    expect(compare({ steps: ["a", "b"] }, { steps: ["b", "a"] }, scope)).toEqual([
      { type: "value", path: ["steps"], before: ["a", "b"], after: ["b", "a"] },
    ]);
  });

  it("compares expressions letter by letter, as texts", () => {
    const of = (expression: string) => ({ celExpression: { expression } });
    expect(compare(of("a == 1"), of("a == 1 "), scope)).toEqual([
      { type: "text", path: ["celExpression", "expression"], before: "a == 1", after: "a == 1 " },
    ]);
  });

  it("takes any name of a map for what it is", () => {
    const after = JSON.parse('{"attributes":{"__proto__":{"values":[{"value":"x"}]}}}') as Json;
    expect(compare({}, after, scope)).toMatchObject([
      { type: "set", path: ["attributes", "__proto__", "values"], added: [{ value: "x" }] },
    ]);
  });
});

const ids = fc.array(fc.constantFrom("a", "b", "c", "d"), { maxLength: 5 });
const ref = fc.record({ appId: fc.constantFrom("1", "2"), id: fc.constantFrom("a", "b") });
const users = fc.oneof(
  fc.constant({}),
  fc.constant({ allUsers: {} }),
  fc.record({ selectedUsers: fc.record({ userIds: ids }) }),
  fc.record({ celExpression: fc.record({ expression: fc.constantFrom("true", "x == 1") }) }),
);
const rest = fc.record(
  {
    principalTypeFilter: fc.constantFrom("USERS", "RESOURCES"),
    noAccountOwner: fc.boolean(),
    attributes: fc.dictionary(
      fc.string(),
      fc.record({ values: fc.array(fc.record({ value: fc.string() })) }),
    ),
    refs: fc.array(ref),
    steps: ids,
  },
  { requiredKeys: [] },
);
const scopes = fc.tuple(users, rest).map(([one, other]): Json => ({ ...one, ...other }));

function put(value: Json | undefined, [first, ...rest]: Path, inner: Json): Json {
  if (first === undefined) return inner;
  const members = new Map(Object.entries(isObject(value) ? value : {}));
  members.set(String(first), put(members.get(String(first)), rest, inner));
  return Object.fromEntries(members);
}

describe("the laws of compare", () => {
  it("finds nothing between a value and itself", () => {
    fc.assert(fc.property(scopes, (a) => compare(a, structuredClone(a), scope).length === 0));
  });

  it("finds backwards what it finds forwards, the other way round", () => {
    fc.assert(
      fc.property(scopes, scopes, (a, b) => {
        const turned = compare(b, a, scope).map((change) => {
          const { before, after } = change;
          if (change.type === "set") {
            return { ...change, before: after, after: before, added: change.removed, removed: change.added };
          }
          if (change.type === "choice") {
            const opens = change.from === "allUsers";
            return { ...change, before: after, after: before, from: change.to, to: change.from, opens };
          }
          return { ...change, before: after, after: before };
        });
        expect(turned).toEqual(compare(a, b, scope));
      }),
    );
  });

  it("does not care for the order of sets", () => {
    const shuffled = ids.chain((one) =>
      fc.tuple(fc.constant(one), fc.shuffledSubarray(one, { minLength: one.length }), ids),
    );
    const of = (userIds: readonly string[]) => ({ selectedUsers: { userIds } });
    fc.assert(
      fc.property(shuffled, ([one, again, other]) => {
        expect(compare(of(one), of(again), scope)).toEqual([]);
        expect(compare(of(one), of(other), scope)).toEqual(compare(of(again), of(other), scope));
      }),
    );
  });

  it("finds all there is to find: what it found leads from the one to the other", () => {
    fc.assert(
      fc.property(scopes, scopes, (a, b) => {
        const led = compare(a, b, scope).reduce((value, change) => {
          if (change.type !== "choice") return put(value, change.path, change.after);
          const left = change.from === null ? value : put(value, [...change.path, change.from], null);
          return change.to === null ? left : put(left, [...change.path, change.to], change.after);
        }, a);
        expect(compare(led, b, scope)).toEqual([]);
      }),
    );
  });

  it("finds the sum of two steps empty only when they return to where they began", () => {
    fc.assert(
      fc.property(scopes, scopes, scopes, (a, b, c) => {
        const isSame = (one: Json, other: Json) => compare(one, other, scope).length === 0;
        if (isSame(a, b) && isSame(b, c)) expect(compare(a, c, scope)).toEqual([]);
        if (isSame(a, b) && !isSame(b, c)) expect(compare(a, c, scope)).not.toEqual([]);
      }),
    );
  });
});
