import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { configurationRules } from "../../src/kinds/configurationRules.js";
import { customEntitlement } from "../../src/kinds/customEntitlement.js";
import type { JsonObject } from "../../src/model/json.js";
import { changesRules } from "../../src/people/deciding.js";
import { rulesDecide } from "../../src/people/rulesDecide.js";
import type { RouteChange, RulesDecide } from "../../src/plan/plan.js";
import type { PeopleReads } from "../../src/tenant/peopleReads.js";
import { cases } from "../fakes/cases.js";
import { absent, current, type Fact, planOf, present, wish } from "../plan/worlds.js";

const APP = "a";

/** Conditions, and whether each holds; null where remit cannot know it. */
const CONDITIONS: Readonly<Record<string, (row: JsonObject) => boolean | null>> = {
  "": () => true,
  'entitlement.displayName.startsWith("A")': ({ displayName }) => String(displayName).startsWith("A"),
  'entitlement.display_name.contains("b")': ({ displayName }) => String(displayName).includes("b"),
  '!(entitlement.riskLevelValueId == "high")': ({ riskLevelValueId }) => riskLevelValueId !== "high",
  'entitlement.annotations["team"] == "x"': ({ annotations }) => {
    const { team } = annotations as JsonObject;
    return team === undefined ? null : team === "x";
  },
  'entitlement.role.displayName == "Owner"': () => null,
  "entitlement.colour == 1": () => null,
};

const row = fc.record({
  displayName: fc.constantFrom("A", "Ab", "b", "c"),
  riskLevelValueId: fc.constantFrom("", "high", "low"),
  annotations: fc.constantFrom<JsonObject>({ team: "x" }, { team: "y" }, {}),
});
const rule = fc.record({
  condition: fc.constantFrom(...Object.keys(CONDITIONS)),
  disabled: fc.boolean(),
  maxGrantDuration: fc.constantFrom("1h", "2h"),
});
const rules = fc
  .uniqueArray(fc.tuple(fc.constantFrom("One", "Two", "Three", "Four", "Five"), rule), {
    selector: ([name]) => name,
  })
  .map((all) =>
    all.map(([displayName, { maxGrantDuration, ...rest }]): JsonObject => {
      return { displayName, ...rest, settings: { maxGrantDuration } };
    }),
  );

interface Tenant {
  readonly rows: readonly JsonObject[];
  readonly isAll: boolean;
  readonly model: string;
}

/** What a plan says that changes the rules of an app, and that makes some entitlements in it. */
function decided(
  before: readonly JsonObject[],
  after: readonly JsonObject[],
  tenant: Tenant,
  made: readonly JsonObject[] = [],
): Promise<RulesDecide> | null {
  const fields = { rules: [...before], ruleIds: before.map((_, at) => `r${at}`) };
  const facts: readonly Fact[] = [[configurationRules, [APP], present([APP], fields)]];
  const names = made.map((_, at) => `new${at}`);
  const { steps } = planOf({
    desired: [
      wish(configurationRules, "rules", { appId: APP, rules: [...after] }),
      ...made.map((spec, at) =>
        wish(customEntitlement, names[at] ?? "", {
          appId: APP,
          appResourceTypeId: "t",
          appResourceId: "r",
          ...spec,
        }),
      ),
    ],
    current: current("full", [...facts, ...names.map((name): Fact => [customEntitlement, name, absent])]),
  });
  const [step] = steps.filter(({ address }) => address.kind === configurationRules.name);
  if (step === undefined || !changesRules(step)) return null;
  const reads = {
    entitlementsIn: async () => ({ rows: tenant.rows, isAll: tenant.isAll }),
    object: async () => ({ app: { accessModel: tenant.model } }),
  } as unknown as PeopleReads;
  return rulesDecide(step, steps, reads, (work) => ({ value: work(), milliseconds: 0 }));
}

/** By rule, the least and the most that it may decide for, over every answer to what is not known. */
function bounds(rules: readonly JsonObject[], rows: readonly JsonObject[]) {
  const counts = new Map<string | null, { low: number; high: number }>();
  for (const name of [...rules.map(({ displayName }) => String(displayName)), null])
    counts.set(name, { low: 0, high: 0 });
  for (const one of rows) {
    const first = new Set<string | null>();
    for (let bits = 0; bits < 2 ** rules.length; bits++) {
      const found = rules.find(({ condition, disabled }, at) => {
        const answer = CONDITIONS[String(condition ?? "")]?.(one) ?? (bits & (1 << at)) !== 0;
        return disabled !== true && answer;
      });
      first.add(found === undefined ? null : String(found.displayName));
    }
    for (const name of first) {
      const count = counts.get(name) ?? { low: 0, high: 0 };
      if (first.size === 1) count.low++;
      count.high++;
    }
  }
  return counts;
}

const CLASSIC = "APP_ACCESS_MODEL_CLASSIC";
const byRule = ({ rules }: RulesDecide) => new Map(rules.map((one) => [one.rule, one]));

describe("the rules of an app", () => {
  it("decide for as many entitlements as a loop over each answer counts, before and after", async () => {
    const rowsOf = fc.array(row, { maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(
        rules,
        rules,
        rowsOf,
        rowsOf,
        fc.boolean(),
        async (before, after, some, made, isAll) => {
          const rows = some.map((one, at): JsonObject => ({ id: `e${at}`, appId: APP, ...one }));
          // A manifest has no annotations.
          const fresh = made.map(({ displayName, ...one }, at) => {
            return { ...one, displayName: `${displayName}${at}`, annotations: {} };
          });
          const tenant = { rows, isAll, model: "APP_ACCESS_MODEL_HYBRID" };
          const seen = await decided(before, after, tenant, fresh);
          if (seen === null) return;
          const [were, are] = [bounds(before, rows), bounds(after, [...rows, ...fresh])];
          const said = byRule(seen);
          const none = { low: 0, high: 0 };
          const open = (count = none) => (isAll ? count : { ...count, high: null });
          for (const name of new Set([...were.keys(), ...are.keys()])) {
            const [was, is] = [open(were.get(name)), open(are.get(name))];
            const one: RouteChange | undefined = said.get(name);
            if (one === undefined) expect([name, is]).toEqual([name, was]);
            else expect([name, one.before, one.after]).toEqual([name, was, is]);
          }
          expect(seen.isOpen).toBe(true);
        },
      ),
      { numRuns: cases(60) },
    );
  });

  it("are known for roles only where the app has none", async () => {
    const role = {
      displayName: "Owners",
      condition: 'entitlement.role.displayName == "Owner"',
      settings: {},
    };
    const rows = [{ id: "e", appId: APP, displayName: "Admin" }];
    const of = async (model: string) =>
      byRule((await decided([], [role], { rows, isAll: true, model })) as RulesDecide);
    expect((await of(CLASSIC)).get("Owners")).toMatchObject({ after: { low: 0, high: 0 }, unknown: null });
    expect((await of("")).get("Owners")).toMatchObject({
      after: { low: 0, high: 1 },
      unknown: "the rule asks for entitlement.role, which remit did not read",
    });
  });
});
