import { describe, expect, it } from "vitest";
import { plan as makePlan } from "../../src/apply/preview.js";
import { readSeed } from "../../src/cli/open/sandboxInput.js";
import type { Call, ListEffort } from "../../src/model/call.js";
import type { Json } from "../../src/model/json.js";
import type { PlanImpact, StepImpact } from "../../src/plan/people/impact.js";
import { readPeople } from "../../src/tenant/people.js";
import type { Remote } from "../../src/tenant/reads.js";
import { makeTenant } from "../../src/tenant/tenant.js";
import { pagesOf } from "../fakes/pagesOf.js";
import { COUNTING, groupRule, taxSeed, user } from "./people.js";
import { sessionScene } from "./sessionScene.js";

/** Replies that do not fit together: a number of people becomes unknown by them, and never wrong. */

const SEED = taxSeed([
  user("Ana", "Tax", "Analyst"),
  user("Bo", "Tax", "Director"),
  user("Cy", "Law", "Director"),
  user("Di", "Tax", "Analyst"),
]);

type Members = Extract<StepImpact, { as: "members" }>;

/** The people of a plan whose lists of users and of grants are changed on their way. */
async function counted(
  change: { readonly users?: Rows; readonly grants?: Rows; readonly exclusions?: Rows },
  expression = 'subject.jobTitle == "Director"',
): Promise<{ readonly step: Members; readonly users: PlanImpact["users"] }> {
  const { tenant } = readSeed(JSON.stringify(SEED), "seed.yaml");
  const { request, session } = await sessionScene("full", { sandbox: { tenant } });
  const { client } = session;
  if (client === null) throw new Error("the scene has a client");
  const changed: typeof client = {
    ...client,
    async *pages(call, effort) {
      const last = call.path.at(-1);
      const list = last === "users" && !isAboutIds(call.body) ? change.users : undefined;
      const rewrite = last === "grants" || last === "exclusions" ? change[last] : list;
      for await (const page of client.pages(call, effort))
        yield { ...page, rows: rewrite?.(page.rows) ?? page.rows };
    },
  };
  const asked = request(groupRule(expression), { counting: COUNTING });
  const { value } = await makePlan(asked, { ...session, client: changed });
  const [step] = value?.impact?.steps ?? [];
  if (step?.as !== "members" || value?.impact == null) throw new Error("the plan changes a rule");
  return { step, users: value.impact.users };
}

type Rows = (rows: readonly Json[]) => readonly Json[];

function isAboutIds(body: unknown): boolean {
  return typeof body === "object" && body !== null && "refs" in body;
}

const edited =
  (which: number, edit: (row: Json) => Json): Rows =>
  (rows) =>
    rows.map((row, at) => (at === which ? edit(row) : row));

describe("the people of a plan", () => {
  it("count once, however often a list shows them, and are not all read then", async () => {
    const { step, users } = await counted({ users: (rows) => [...rows, ...rows.slice(1)] });
    expect(users).toMatchObject({ read: 4, areAll: false });
    expect(step).toMatchObject({
      gains: { low: 1, high: null },
      loses: { high: 2 },
      keeps: { low: 1 },
    });
  });

  it.each<[string, Rows]>([
    ["a row without a user", edited(0, () => ({}))],
    ["a row without an id", edited(0, () => ({ user: { department: "Tax" } }))],
    ["a field of another form", edited(0, () => ({ user: { id: "x", department: 7 } }))],
  ])("are not all read where a list shows %s", async (_name, users) => {
    const { step, users: read } = await counted({ users });
    expect(read.areAll).toBe(false);
    expect([step.gains.certainty, step.after.high]).toEqual(["at least", null]);
  });

  it("are not all read where a page repeats another, which may be missing", async () => {
    const pages = ["ab", "ab", "c"].map((ids) => [...ids].map((id) => ({ user: { id } })));
    const read: unknown[] = [];
    const list = await listing(pages).users(null, (rows) => read.push(...rows));
    expect([list.isEnded, await list.isSteady]).toEqual([false, false]);
    expect(read).toEqual([{ id: "a" }, { id: "b" }, { id: "c" }]);
  });

  it("are not known as members or excluded where a page of that list repeats another", async () => {
    const row = { appUser: { id: "a", identityUserId: "u" }, user: { id: "u" } };
    expect([...((await listing([[row]]).holders(TYPE)) ?? [])]).toEqual([["u", true]]);
    expect(await listing([[row], [row]]).holders(TYPE)).toBeNull();
    expect(await listing([[row], [row]]).excluded(TYPE)).toBeNull();
  });

  it("may be excluded where a row of the exclusions shows no one", async () => {
    const { step } = await counted({ exclusions: () => [{ appUserId: "x", user: null }] });
    expect(step.gains).toMatchObject({ low: 0, high: 1, certainty: "at most" });
  });

  it("are asked for one by one where they are members and no list shows them", async () => {
    const { step } = await counted({ users: (rows) => rows.slice(1) });
    expect(step).toMatchObject({
      gains: { low: 1, high: 1 },
      loses: { high: 2 },
      keeps: { low: 1, high: 1 },
    });
  });

  it("may be among the losers where the service shows no such user", async () => {
    const stranger = edited(0, () => ({ appUser: { id: "a", identityUserId: "stranger" } }));
    const { step } = await counted({ grants: stranger });
    expect(step).toMatchObject({ loses: { high: 2 }, keeps: { high: 2 }, others: { low: 0, high: 1 } });
  });

  it("may be members or not where their grants have ended", async () => {
    const ended = edited(1, (row) => ({ ...(row as object), expired: "2020-01-01T00:00:00Z" }) as Json);
    const { step } = await counted({ grants: ended });
    expect(step).toMatchObject({ gains: { low: 1, high: 1 }, keeps: { low: 0, high: 1 } });
  });

  it("have unknown memberships where a grant shows no one", async () => {
    for (const row of [null, { user: {} }]) {
      const { step } = await counted({ grants: edited(0, () => row) });
      expect(step).toMatchObject({
        gains: { low: 0, high: 1 },
        keeps: { low: 0, high: 1 },
        both: { low: 1 },
      });
    }
  });
});

/** Reads of lists that have these pages. */
function listing(pages: readonly (readonly Json[])[]) {
  const remote = {
    pages: (_: Call, { from }: ListEffort) => pagesOf(pages, from),
    pace: { limit: (one: () => unknown) => one() },
  };
  return readPeople(makeTenant(remote as unknown as Remote).reader(), 200);
}

const TYPE = { as: "type", appId: "a", id: "t" } as const;
const account = (id: string) => ({ appUser: { id } });
const resource = (id: string) => ({ appResource: { id } });
const entitlement = (id: string, grantCount: Json) => ({ appEntitlement: { id, grantCount } });

describe("accounts, resources and entitlements", () => {
  it("count once, however often a list shows them, and are not all read then", async () => {
    const twice = (row: Json, other: Json) => listing([[row, row], [other]]);
    expect(await twice(account("a"), account("b")).accounts("a")).toBeNull();
    expect(await twice(account("a"), account("b")).fitting({}, ["a"])).toEqual({ low: 2, isAll: false });
    expect(await twice(resource("a"), resource("b")).resources(TYPE)).toEqual({ low: 2, isAll: false });
    const held = await twice(entitlement("a", "3"), entitlement("b", "0")).heldUnder(TYPE);
    expect(held).toMatchObject({ held: [{ grants: 3 }, { grants: 0 }], isAll: false });
  });

  it("are not all read where a row shows none, or a page repeats another", async () => {
    const odd = (row: Json) => [listing([[row, {}]]), listing([[row], [row]])];
    for (const reads of odd(account("a"))) {
      expect(await reads.accounts("a")).toBeNull();
      expect(await reads.fitting({}, ["a"])).toEqual({ low: 1, isAll: false });
    }
    for (const reads of odd(resource("a")))
      expect(await reads.resources(TYPE)).toMatchObject({ isAll: false });
    for (const reads of [...odd(entitlement("a", "3")), listing([[entitlement("a", null)]])])
      expect((await reads.heldUnder(TYPE))?.isAll ?? false).toBe(false);
  });
});
