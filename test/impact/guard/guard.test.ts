import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readGuard } from "../../../src/impact/guard/guard.js";
import type { GuardInput } from "../../../src/impact/guard/input.js";
import { guardLanguage } from "../../../src/impact/guard/language.js";
import { guardFault } from "../../../src/impact/guard/mistake.js";
import { type GuardView, NO_PEOPLE, unknownPeople } from "../../../src/impact/guard/people.js";
import { indexPeople } from "../../../src/impact/guard/peopleIndex.js";
import { peopleOf } from "../../../src/impact/person.js";
import { kinds } from "../../../src/kinds/index.js";
import type { JsonObject } from "../../../src/model/json.js";
import { cases } from "../../fakes/cases.js";

const shapes = kinds.filter(({ name }) => name === "EntitlementAutomation").map(({ shape }) => shape);
const language = guardLanguage("step", shapes);
const WORDS = { action: ["create", "update"], kind: ["EntitlementAutomation"] };

const [ana, ben] = peopleOf([
  { id: "ana", email: "ana@x.test", department: "Tax", employmentType: "Employee" },
  { id: "ben", email: "ben@x.test", department: "Law", employmentType: "Contractor", managerIds: ["gone"] },
]);
if (ana === undefined || ben === undefined) throw new Error("two people are two");

const WHY = "it was not read";

function viewOf(before: JsonObject, hidden: readonly string[] = []): GuardView {
  const unknown = (names: readonly string[]) =>
    new Map(names.filter((one) => hidden.includes(one)).map((one) => [one, WHY]));
  const inner = (values: JsonObject, side: string) => ({
    values,
    unknown: new Map(
      Object.keys(FIELDS)
        .filter((one) => hidden.includes(`${side}.${one}`))
        .map((one) => [one, WHY]),
    ),
  });
  const after = { displayName: "Tax", cel: { expression: "true" } };
  return {
    values: {
      address: "EntitlementAutomation/tax",
      kind: "EntitlementAutomation",
      name: "tax",
      action: "update",
      labels: { team: "tax" },
      changed: ["cel.expression"],
      protected: false,
      before,
      after,
    },
    unknown: unknown(["labels", "before"]),
    inner: new Map(
      hidden.includes("before")
        ? []
        : [
            ["before", inner(before, "before")],
            ["after", inner(after, "after")],
          ],
    ),
  };
}

const FIELDS = { displayName: "", cel: {} };

function input(step: GuardView, more: Partial<GuardInput> = {}): GuardInput {
  return {
    step,
    people: { ...NO_PEOPLE, gain: { people: [ana as never, ben as never] } },
    steps: [step],
    context: "",
    today: new Date("2026-11-23T00:00:00Z"),
    index: indexPeople(),
    holds: () => ({ unknown: "nothing was read" }),
    ...more,
  };
}

const said = (text: string, asked: GuardInput) => readGuard(text, language).ask(asked);
const SEEN = viewOf({ displayName: "Tax", cel: { expression: 'subject.department == "Tax"' } });

describe("a guard", () => {
  it.each([
    ['step.before.displayName == "Tax"', "trips"],
    ['step.before.displayName == "tax"', "passes"],
    ["has(step.before.cel)", "trips"],
    ["has(step.before.none)", "passes"],
    ["has(step.labels.team) && !has(step.labels.owner)", "trips"],
    ["step.before == step.after", "passes"],
    ["[step.before] == [step.after]", "passes"],
    ["step.after == step.after && [step.after] == [step.after]", "trips"],
    ['people.gain.exists(p, p.employmentType == "Contractor")', "trips"],
    ["has(people.gain) && !has(people.lose)", "trips"],
    ["people.gain.exists(p, has(p.jobTitle))", "passes"],
    ['"cel.expression" in step.changed', "trips"],
    ["size(plan.steps) == 1", "trips"],
    ['today >= day("2026-11-23") && today < day("2026-11-24")', "trips"],
  ])("answers %s: %s", (text, is) => {
    expect(guardFault(text, "step", language, WORDS)).toBeNull();
    expect(said(text, input(SEEN))).toMatchObject({ is });
  });

  it.each([
    ["step.before.celx.expression == ''", "step.before has no field celx", "celx"],
    ["has(step.before.celx)", "step.before has no field celx", "celx"],
    ["has(step.after.cel.expresion)", "step.after.cel has no field expresion", "expresion"],
    ["people.gain.exists(p, p.departmnt == 'a')", "a person has no field departmnt", "departmnt"],
    ["people.gain.filter(p, true)[0].departmnt == 'a'", "a person has no field departmnt", "departmnt"],
    ["cel.bind(x, step, x.befor.displayName == '')", "x has no field befor", "befor"],
    ["people.gains.size() > 1", "people has no field gains", "gains"],
    ["step.name.startWith('x')", "a guard has no function startWith", "step.name.startWith('x')"],
    ["siz(people.gain) > 1", "a guard has no function siz", "siz(people.gain)"],
    ["subject.department == 'a'", "a guard about a step has no subject", "subject"],
    ["step.action == 'craete'", "no step has the action craete", "'craete'"],
    [
      "step.kind in ['EntitlementAutomations']",
      "no step has the kind EntitlementAutomations",
      "'EntitlementAutomations'",
    ],
    ["dyn(step).x == 1", "dyn() hides which fields there are", "dyn(step)"],
    ["size(people.gain)", "a guard is true or false, and this is int", "size(people.gain)"],
    ["step.before.displayName = 'a'", 'unexpected "="; did you mean "=="?', "="],
  ])("refuses %s at its characters", (text, message, characters) => {
    const fault = guardFault(text, "step", language, WORDS);
    expect(fault?.message).toBe(message);
    expect(text.slice(fault?.start, fault?.end)).toBe(characters);
  });

  it.each([
    ["step.before.displayName == 'x'", viewOf({}, ["before"])],
    ["has(step.before.cel)", viewOf({}, ["before"])],
    ["has(step.before)", viewOf({}, ["before"])],
    ["has(step.before.cel)", viewOf({}, ["before.cel"])],
    ["!has(step.before.cel.expression)", viewOf({}, ["before.cel"])],
    ["step.before == step.after", viewOf({}, ["before.cel"])],
    ["[step.before] == [step.after]", viewOf({}, ["before.cel"])],
    ["step.before in [step.after]", viewOf({}, ["before.cel"])],
    ["has(step.labels.owner)", viewOf({}, ["labels"])],
    ["'owner' in step.labels && false", viewOf({}, ["labels"])],
    ["step.before.displayName == 'x' && false", viewOf({}, ["before"])],
    [
      "[1, 2].exists(n, n == 3 && step.before.displayName == 'x') || step.before.displayName == 'y'",
      viewOf({}, ["before"]),
    ],
    ["type(step.before) == string", viewOf({}, ["before"])],
  ])("does not pass %s where that is unknown", (text, step) => {
    expect(said(text, input(step))).toMatchObject({ is: "unknown", why: expect.stringContaining(WHY) });
  });

  it.each([
    "size(people.gain) > 9",
    "has(people.gain)",
    "people.lose.exists(p, false)",
    "people.keep == 0",
    "!has(people.keep)",
  ])("does not pass %s where people were not counted", (text) => {
    const asked = input(SEEN, { people: unknownPeople("people were not counted") });
    expect(said(text, asked)).toMatchObject({
      is: "unknown",
      why: expect.stringContaining("people were not counted"),
    });
  });

  it.each([
    ["people.gain.exists(p, holds(p, 'C1', 'law') && false)", "nothing was read"],
    ["people.gain.exists(p, holds(p, 'C1', p.id))", "an entitlement whose name is computed"],
    ["people.gain.exists(p, p.manager == 'x')", "manager"],
    ["people.gain[7].department == ''", "the expression fails"],
    ["people.gain.exists(p, p.profile.team == 'x')", "a key that is not there"],
    ["day('2026-06-31') < today", "the expression fails"],
    ["1 / 0 == 1", "the expression fails"],
  ])("does not pass %s, which fails", (text, why) => {
    const answer = said(text, input(SEEN));
    expect(answer).toMatchObject({ is: "unknown", why: expect.stringContaining(why) });
    expect(JSON.stringify(answer)).not.toMatch(/\bana\b|\bben\b/);
  });

  it("passes where something is unknown only if it passes whatever that is", () => {
    const part = fc.constantFrom(
      "step.before.displayName == 'Tax'",
      "has(step.before.cel)",
      "step.before.cel.expression.contains('Tax')",
      "has(step.labels.team)",
      "step.before == step.after",
      "step.changed.exists(c, c == 'cel.expression' && has(step.before.cel))",
      "size(people.gain) > 1",
      "true",
      "false",
    );
    const { expression } = fc.letrec<{ expression: string }>((tie) => ({
      expression: fc.oneof(
        { maxDepth: 4 },
        part,
        tie("expression").map((one) => `!(${one})`),
        fc
          .tuple(tie("expression"), fc.constantFrom("&&", "||", "=="), tie("expression"))
          .map(([a, op, b]) => `((${a}) ${op} (${b}))`),
        fc
          .tuple(tie("expression"), tie("expression"), tie("expression"))
          .map(([a, b, c]) => `((${a}) ? (${b}) : (${c}))`),
        fc
          .tuple(fc.constantFrom("exists", "all"), tie("expression"))
          .map(([macro, one]) => `[1, 2].${macro}(n, n == 2 || (${one}))`),
      ),
    }));
    const before = fc.record({
      displayName: fc.constantFrom("Tax", "Law"),
      cel: fc.constantFrom({ expression: "Tax" }, {}),
    });
    const hidden = fc.subarray(["before", "before.cel", "before.displayName", "labels", "people"]);
    fc.assert(
      fc.property(expression, before, hidden, (text, spec, some) => {
        expect(guardFault(text, "step", language, WORDS)).toBeNull();
        const less = some.includes("people") ? { people: unknownPeople(WHY) } : {};
        const partly = said(text, input(viewOf(spec, some), less));
        const wholly = said(text, input(viewOf(spec)));
        expect(wholly.is).not.toBe("unknown");
        if (partly.is === "passes") expect(wholly.is).toBe("passes");
      }),
      { numRuns: cases(300) },
    );
  });
});
