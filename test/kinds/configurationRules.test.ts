import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fill } from "../../src/apply/fill.js";
import { configurationRules } from "../../src/kinds/configurationRules.js";
import type { Observed } from "../../src/kinds/kind.js";
import { type Call, formatCallPath } from "../../src/model/call.js";
import type { Json, JsonObject } from "../../src/model/json.js";
import { cases } from "../fakes/cases.js";
import { GITHUB, type Visit, visit } from "../sandbox/visit.js";

/** The order of the calls that make one list of rules another: at each moment a rule of before or of after decides. */

const { calls, reads } = configurationRules;
const KEY = [GITHUB];

/** Conditions stand for any: which of them hold is what an entitlement is. The empty one always does. */
const CONDITIONS = ["a", "b", "c", ""];
const ENTITLEMENTS = Array.from({ length: 8 }, (_, bits) =>
  CONDITIONS.slice(0, 3).filter((_, at) => bits & (1 << at)),
);

const ruleOf = fc.record({
  displayName: fc.constantFrom("One", "Two", "Three"),
  condition: fc.constantFrom(...CONDITIONS),
  disabled: fc.boolean(),
  settings: fc.record({ requestSchemaId: fc.constantFrom("strict", "plain", "open") }),
});
const list = fc.array(ruleOf, { maxLength: 6 });

const shown = (visit: Visit): Json => {
  const { body } = visit.ask("GET", `/api/v1/apps/${GITHUB}/entitlement_configuration_rules`);
  return (body as { list: Json }).list;
};
const seen = (visit: Visit) => reads.observe(shown(visit), KEY) as Observed;

/** What decides for each entitlement: the settings of the first rule that holds, or the app. */
const decisions = (visit: Visit) =>
  ENTITLEMENTS.map((holding) => {
    const rules = (shown(visit) as JsonObject[]).filter(({ enabled }) => enabled === true);
    const rule = rules.find(({ condition }) => condition === "" || holding.includes(String(condition)));
    return rule === undefined ? "app" : JSON.stringify(rule.settings);
  });

function callsFrom(visit: Visit, rules: readonly JsonObject[]): readonly Call[] {
  const { fields: before } = seen(visit);
  return calls({
    verb: "set",
    key: KEY,
    identity: {},
    before,
    after: { rules: [...rules] },
    fields: ["rules"],
  });
}

/** Sends the calls, the first so many of them; gives what decided after each. */
function send(visit: Visit, all: readonly Call[], most = all.length): readonly (readonly string[])[] {
  const replies: Json[] = [];
  return all.slice(0, most).map((call) => {
    const { method, body, ...rest } = fill(call, replies, KEY);
    const { status, body: reply } = visit.ask(method, formatCallPath(rest), body);
    expect(status, JSON.stringify(reply)).toBe(200);
    replies.push(reply);
    return decisions(visit);
  });
}

const creates = (all: readonly Call[]) =>
  all.filter(({ operation }) => operation === "CreateConfigurationRule").length;

const written = (rules: readonly JsonObject[]) =>
  rules.map(({ condition, disabled, ...rest }) => ({
    ...rest,
    ...(condition === "" ? {} : { condition }),
    ...(disabled === true ? { disabled } : {}),
  }));

describe("a list of configuration rules", () => {
  it("becomes any other list, decides as before or as after at each moment, and makes no rule twice where it stops", () => {
    fc.assert(
      fc.property(list, list, fc.nat(), (from, to, stop) => {
        const there = visit();
        send(there, callsFrom(there, from));
        const before = decisions(there);
        const all = callsFrom(there, to);
        const after = (() => {
          const other = visit();
          send(other, callsFrom(other, to));
          return decisions(other);
        })();
        const during = send(there, all, all.length === 0 ? 0 : stop % (all.length + 1));
        const left = callsFrom(there, to);
        const rest = send(there, left);
        for (const moment of [...during, ...rest])
          for (const [at, decision] of moment.entries()) expect([before[at], after[at]]).toContain(decision);
        expect(seen(there).fields.rules ?? []).toEqual(written(to));
        expect(creates(all.slice(0, during.length)) + creates(left)).toBe(creates(all));
        expect(callsFrom(there, to)).toEqual([]);
      }),
      { numRuns: cases(40, 100) },
    );
  });
});
