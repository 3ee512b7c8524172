import { describe, expect, it } from "vitest";
import { drift, explain, explainUnseen, recordIsStale } from "../../src/diff/cause.js";
import type { JsonObject } from "../../src/model/json.js";
import { list, marker, object, spec, text } from "./shapes.js";

const shape = spec(
  {
    appId: text(),
    displayName: text(),
    description: text("text"),
    none: marker,
    cel: object({ expression: text("expression") }),
    scope: object(
      {
        allUsers: marker,
        celExpression: object({ expression: text("expression") }),
        allGrants: marker,
        domains: list(text()),
      },
      { users_scope: ["allUsers", "celExpression"], grants_scope: ["allGrants"] },
    ),
  },
  { conditions: ["none", "cel"] },
  ["appId"],
);

const causes = (
  [applied, answered, current, desired]: readonly [JsonObject, JsonObject | null, JsonObject, JsonObject],
  owned = Object.keys(desired),
) =>
  explain(current, desired, owned, { applied, answered }, shape).map(({ change, cause }) => [
    [...change.path, ...(change.type === "choice" ? [change.group] : [])].join("."),
    cause,
  ]);

describe("why a field differs", () => {
  const [a, b, c] = [{ displayName: "A" }, { displayName: "B" }, { displayName: "C" }];

  it.each<[string, readonly [JsonObject, JsonObject | null, JsonObject, JsonObject], string | null]>([
    ["nobody moved", [a, a, a, a], null],
    ["the manifest moved", [a, a, a, b], "edited"],
    ["the tenant moved", [a, a, b, a], "drifted"],
    ["both moved apart", [a, a, b, c], "both"],
    ["both moved to the same", [a, a, b, b], null],
    ["the service keeps another value than was sent, and still does", [a, b, b, a], "not kept"],
    ["the manifest moved from what the service rewrote", [a, b, b, c], "edited"],
    ["the manifest took up what the service had made of it", [a, b, b, b], null],
    ["the tenant moved from what it had rewritten", [a, b, c, a], "drifted"],
    ["the tenant returned to what was sent once", [a, b, a, a], null],
    ["the service answered nothing, and the tenant moved", [a, null, b, a], "drifted"],
  ])("is known when %s", (_, worlds, cause) => {
    expect(causes(worlds)).toEqual(cause === null ? [] : [["displayName", cause]]);
  });

  const written = (expression: string) => ({ cel: { expression } });
  it.each<[string, string, string, readonly string[]]>([
    ["only white space differs", "a  &&  b", "a && b", []],
    ["no white space is left", "a && b", "a&&b", []],
    ["white space is in a text", 'a == "x  y"', 'a == "x y"', ["not kept"]],
    ["a name is cut in two", "a in b", "ain b", ["not kept"]],
    ["a comment takes in what was behind it", "a // x\n&& b", "a // x && b", ["not kept"]],
  ])("is not kept only where the meaning differs: %s", (_, sent, kept, expected) => {
    const found = causes([written(sent), written(kept), written(kept), written(sent)]);
    expect(found.map(([, cause]) => cause)).toEqual(expected);
  });

  it("is unknown where the last write got no answer, also where nothing differs", () => {
    const found = (desired: JsonObject) =>
      explain(a, desired, Object.keys(desired), { applied: a, answered: a }, shape, ["description"]);
    expect(found({ ...a, description: null })).toEqual([
      { change: { type: "value", path: ["description"], before: null, after: null }, cause: "unknown" },
    ]);
    expect(found({ ...a, description: "x" })).toMatchObject([{ change: { after: "x" }, cause: "unknown" }]);
    expect(found(a)).toEqual([]);
  });

  it("is first for every field of an object that was never seen, cleared ones included", () => {
    const found = explainUnseen({ displayName: "A" }, ["description", "displayName"], shape);
    expect(found.map(({ change, cause }) => [change.path.join(), cause])).toEqual([
      ["displayName", "first"],
      ["description", "first"],
    ]);
  });

  it("is first where remit did not manage the field", () => {
    expect(causes([{}, a, a, b])).toEqual([["displayName", "first"]]);
    expect(explain(a, b, ["displayName"], null, shape)).toMatchObject([{ cause: "first" }]);
  });

  it("is decided for each place inside an owned field", () => {
    const before = { scope: { celExpression: { expression: "a" }, domains: ["x"] } };
    const now = { scope: { celExpression: { expression: "a" }, domains: ["y"], allGrants: {} } };
    const wanted = { scope: { celExpression: { expression: "b" }, domains: ["x"], allGrants: {} } };
    expect(causes([before, before, now, wanted])).toEqual([
      ["scope.celExpression.expression", "edited"],
      ["scope.domains", "drifted"],
    ]);
  });

  it("is both where the manifest chose another member and the tenant changed the first", () => {
    const cel = (expression: string) => ({ scope: { celExpression: { expression } } });
    expect(causes([cel("a"), cel("a"), cel("b"), { scope: { allUsers: {} } }])).toEqual([
      ["scope.users_scope", "both"],
    ]);
  });

  it("keeps two groups of one object apart", () => {
    const applied = { scope: { allUsers: {} } };
    const current = { scope: { allUsers: {}, allGrants: {} } };
    const desired = { scope: { celExpression: { expression: "a" } } };
    expect(causes([applied, applied, current, desired])).toEqual([
      ["scope.users_scope", "edited"],
      ["scope.grants_scope", "drifted"],
    ]);
  });

  it("is not decided for fields that remit does not manage", () => {
    expect(causes([a, a, { ...a, description: "theirs" }, a])).toEqual([]);
  });

  it("takes all members of a group for one field", () => {
    const [cel, none] = [{ cel: { expression: "a" } }, { none: {} }];
    expect(causes([cel, cel, none, cel])).toEqual([["conditions", "drifted"]]);
    expect(causes([cel, cel, cel, none])).toEqual([["conditions", "edited"]]);
  });
});

describe("what is recorded", () => {
  it("drifts only in what was applied", () => {
    const recorded = { applied: { displayName: "A" }, answered: { displayName: "A", description: "x" } };
    expect(drift(recorded, { displayName: "A", description: "y" }, shape)).toEqual([]);
    expect(drift(recorded, { displayName: "B", description: "x" }, shape)).toMatchObject([
      { path: ["displayName"], before: "A", after: "B" },
    ]);
  });

  it("is stale when something else is wanted than was applied", () => {
    const recorded = { applied: { displayName: "A" }, answered: null };
    expect(recordIsStale(recorded, { displayName: "A" }, ["displayName"], shape)).toBe(false);
    expect(recordIsStale(recorded, { displayName: "B" }, ["displayName"], shape)).toBe(true);
    expect(
      recordIsStale(recorded, { displayName: "A", description: "x" }, ["displayName", "description"], shape),
    ).toBe(true);
  });
});
