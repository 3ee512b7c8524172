import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/model/json.js";
import type { Planned } from "../../src/plan/plan.js";
import { memoryContents } from "../../src/state/memory.js";
import { cases } from "../fakes/cases.js";
import {
  idOf,
  manifest,
  type Pointers,
  RISK,
  SORTS,
  type Sort,
  story,
  type Thing,
  tenantOf,
  USER,
} from "./remembered.js";

const THINGS = SORTS.map((sort): Thing => ({ sort, id: idOf(sort, 1), name: "one" }));

/** The calls that a plan made to look names up, by what they were for. */
function lookUps({ calls: { made } }: Planned) {
  const { TemplateScope: _, names: __, ...rest } = made;
  return rest;
}

// 249 others: each list has three pages, and a template's name takes a read of its own.
const LONG = tenantOf(THINGS, 249);
const SHORT = tenantOf(THINGS, 2);

describe("the calls for one name, in the first and in the second run", () => {
  it.each<readonly [string, Pointers, JsonObject, JsonObject, JsonObject]>([
    ["app by its name", { app: { name: "one" } }, { apps: 2 }, { apps: 2 }, { apps: 1 }],
    [
      "entitlement by its name",
      { entitlement: { name: "one" } },
      { entitlements: 2 },
      { entitlements: 2 },
      { entitlements: 1 },
    ],
    [
      "entitlement by its alias",
      { entitlement: { alias: "one-alias" } },
      { entitlements: 2 },
      { entitlements: 2 },
      { entitlements: 1 },
    ],
    [
      "entitlement by its slug, which no search knows",
      { entitlement: { slug: "one slug" } },
      { entitlements: 3 },
      { entitlements: 2 },
      { entitlements: 1 },
    ],
    ["user by an e-mail address", { user: { email: USER } }, { users: 1 }, { users: 1 }, { users: 1 }],
    [
      "access profile by its name",
      { profile: { name: "one" } },
      { AccessProfile: 3 },
      { AccessProfile: 3 },
      { AccessProfile: 1 },
    ],
    [
      "template by its name, which no list shows",
      { template: { name: "one" } },
      { "access review templates": 253 },
      { "access review templates": 2 },
      { "access review templates": 4 },
    ],
    [
      "risk level by its name, of which there are few",
      { risk: { name: RISK } },
      { RiskLevel: 1 },
      { RiskLevel: 1 },
      { RiskLevel: 1 },
    ],
  ])("%s", async (_, pointers, first, second, short) => {
    const text = manifest(pointers);
    const run = story();
    const callsOf = async (tenant: typeof LONG) => {
      const { value, diagnostics } = await run.planned(tenant, text);
      if (value === null) throw new Error(JSON.stringify(diagnostics));
      return lookUps(value);
    };
    expect(await callsOf(LONG)).toEqual(first);
    await run.applied(LONG, text);
    expect(await callsOf(LONG)).toEqual(second);
    expect(await callsOf(SHORT)).toEqual(short);
  });
});

/** How a manifest may point at one thing of each sort by its name. */
const WAYS: Readonly<Record<Sort, readonly JsonObject[]>> = {
  app: [{ name: "one" }],
  entitlement: [{ name: "one" }, { alias: "one-alias" }, { slug: "one slug" }],
  template: [{ name: "one" }],
  profile: [{ name: "one" }],
};

const FATES = [
  "as it was",
  "renamed",
  "deleted",
  "named by two",
  "renamed, and another has it",
  "made again",
] as const;
type Fate = (typeof FATES)[number];

/** The things of a sort after its fate, and the id that its name then means where the first one was remembered. */
function fated(sort: Sort, fate: Fate): { readonly things: readonly Thing[]; readonly meant: string | null } {
  const [first, second] = [idOf(sort, 1), idOf(sort, 2)];
  const thing = (id: string, name: string): Thing => ({ sort, id, name });
  switch (fate) {
    case "as it was":
      return { things: [thing(first, "one"), thing(second, "two")], meant: first };
    case "renamed":
      return { things: [thing(first, "One"), thing(second, "two")], meant: null };
    case "deleted":
      return { things: [thing(second, "two")], meant: null };
    case "named by two":
      return { things: [thing(first, "one"), thing(second, "one")], meant: first };
    case "renamed, and another has it":
      return { things: [thing(first, "two"), thing(second, "one")], meant: second };
    case "made again":
      return { things: [thing(second, "one")], meant: second };
  }
}

/** What a plan does to which objects, apart from what it says of them. */
function doneBy({ steps }: Planned) {
  return steps.map(({ key, action, calls, after }) => ({ key, action, calls, after }));
}

describe("a name that the state remembers", () => {
  it("is never written to another object, whatever became of the first one", async () => {
    const counts = { same: 0, refused: 0 };
    const fates = fc.record({
      app: fc.constantFrom(...FATES),
      entitlement: fc.constantFrom(...FATES),
      template: fc.constantFrom(...FATES),
      profile: fc.constantFrom(...FATES),
    });
    const law = fc.asyncProperty(
      fates,
      fc.subarray([...SORTS], { minLength: 1 }),
      fc.constantFrom(...WAYS.entitlement),
      fc.constantFrom(2, 120),
      fc.option(fc.constantFrom("search/", "catalogs/"), { freq: 2 }),
      async (fate, named, way, others, refused) => {
        const isNamed = (sort: Sort) => named.includes(sort);
        const was = SORTS.flatMap((sort) => fated(sort, "as it was").things);
        const now = SORTS.map((sort) => fated(sort, isNamed(sort) ? fate[sort] : "as it was"));
        const tenant = tenantOf(
          now.flatMap(({ things }) => things),
          others,
        );
        const byName = { ...Object.fromEntries(named.map((sort) => [sort, WAYS[sort][0]])) };
        const text = manifest({ ...byName, ...(isNamed("entitlement") && { entitlement: way }) });
        const contents = memoryContents();
        await story(contents).applied(tenantOf(was, others), text);
        const { value: made, diagnostics } = await story(contents).planned(tenant, text, refused);
        const meant = SORTS.flatMap((sort, at) =>
          isNamed(sort) ? [[sort, now[at]?.meant ?? null] as const] : [],
        );
        // An entitlement is remembered within its app: in another app, only one may have the name.
        const isElsewhere =
          isNamed("app") && meant.some(([sort, id]) => sort === "app" && id === idOf("app", 2));
        const isUnclear = isElsewhere && isNamed("entitlement") && fate.entitlement === "named by two";
        if (isUnclear || meant.some(([, id]) => id === null)) {
          expect([made, diagnostics.map(({ code }) => code)]).toEqual([
            null,
            expect.arrayContaining([expect.stringMatching(/^reference\/(not-found|ambiguous)$/)]),
          ]);
          counts.refused += 1;
          return;
        }
        if (made === null) throw new Error(JSON.stringify(diagnostics));
        const plain = await story(contents).planned(tenant, manifest(Object.fromEntries(meant)));
        if (plain.value === null) throw new Error(JSON.stringify(plain.diagnostics));
        expect(doneBy(made)).toEqual(doneBy(plain.value));
        counts.same += 1;
      },
    );
    const runs = Number(process.env.NAMES_RUNS ?? cases(15));
    await fc.assert(law, { numRuns: runs });
    if (runs > 60) process.stdout.write(`${JSON.stringify(counts)}\n`);
    expect(Math.min(...Object.values(counts))).toBeGreaterThan(runs / 10);
  });

  it("is checked before each write, and the write goes to the object that has it now", async () => {
    const text = manifest({ template: { name: "one" }, user: { email: USER } });
    const [first, second] = [idOf("template", 1), idOf("template", 2)];
    const run = story();
    const thing = (id: string, name: string): Thing => ({ sort: "template", id, name });
    expect(await run.applied(tenantOf([thing(first, "one")], 120), text)).toEqual([
      `/api/v1/access_review_template/${first}/scope_and_entitlements`,
    ]);
    expect(await run.applied(tenantOf([thing(first, "two"), thing(second, "one")], 120), text)).toEqual([
      `/api/v1/access_review_template/${second}/scope_and_entitlements`,
    ]);
  });
});

describe("a name that nothing has any more", () => {
  it.each<readonly [Sort, Pointers, string]>([
    ["app", { app: { name: "one" } }, 'has the name "other" now. Write that, or its id.'],
    ["entitlement", { entitlement: { name: "one" } }, 'has the name "other" now. Write that, or its id.'],
    [
      "entitlement",
      { entitlement: { alias: "one-alias" } },
      'has the alias "other-alias" now. Write that, or its id.',
    ],
  ])("of an %s says what was renamed", async (sort, pointers, says) => {
    const contents = memoryContents();
    await story(contents).applied(SHORT, manifest(pointers));
    const renamed = THINGS.map((thing) => (thing.sort === sort ? { ...thing, name: "other" } : thing));
    for (const others of [2, 249]) {
      const { diagnostics } = await story(contents).planned(tenantOf(renamed, others), manifest(pointers));
      expect(diagnostics.map(({ hint }) => hint)).toEqual([
        `At the last apply it was ${idOf(sort, 1)}, which ${says}`,
      ]);
    }
  });

  it.each<readonly [Sort, Pointers]>([
    ["app", { app: { name: "one" } }],
    ["entitlement", { entitlement: { alias: "one-alias" } }],
  ])("of an %s says what was deleted", async (sort, pointers) => {
    const contents = memoryContents();
    await story(contents).applied(SHORT, manifest(pointers));
    const left = THINGS.filter((thing) => thing.sort !== sort);
    const { diagnostics } = await story(contents).planned(tenantOf(left, 2), manifest(pointers));
    const was = `At the last apply it was ${idOf(sort, 1)}, which the list no longer shows. The service lists `;
    expect(diagnostics.map(({ hint }) => hint)).toEqual([expect.stringContaining(was)]);
  });
});
