import { describe, expect, it } from "vitest";
import type { Json } from "../../src/model/json.js";
import type { PlanImpact, StepImpact } from "../../src/plan/impact.js";
import { readSeed } from "../../src/sandbox/seed/seed.js";
import { plan as makePlan } from "../../src/session/plan.js";
import { COUNTING, groupRule, taxSeed, user } from "./people.js";
import { sessionScene } from "./scene.js";

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
  change: { readonly users?: Rows; readonly grants?: Rows },
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
      const rewrite = last === "grants" ? change.grants : list;
      for await (const page of client.pages(call, effort)) yield rewrite?.(page) ?? page;
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
  it("count once, however often a list shows them", async () => {
    const { step, users } = await counted({ users: (rows) => [...rows, ...rows.slice(1)] });
    expect(users).toMatchObject({ read: 4, areAll: true });
    expect(step).toMatchObject({
      gains: { low: 1, high: 1 },
      loses: { high: 2 },
      keeps: { low: 1, high: 1 },
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
    const { step } = await counted({ grants: edited(0, () => null) });
    expect(step).toMatchObject({ gains: { low: 0, high: 1 }, keeps: { low: 0, high: 1 }, both: { low: 1 } });
  });
});
