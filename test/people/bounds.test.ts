import { describe, expect, it } from "vitest";
import { plan as makePlan } from "../../src/apply/preview.js";
import { readSeed } from "../../src/cli/open/sandboxInput.js";
import { kinds } from "../../src/kinds/index.js";
import { DEFAULT_LIMITS, type Limits } from "../../src/plan/guards/settings.js";
import type { Counting } from "../../src/plan/people/impact.js";
import { type PeopleTotals, totalsOf } from "../../src/plan/people/totals.js";
import type { Planned } from "../../src/plan/plan.js";
import { describePlan } from "../../src/report/plan/describe.js";
import type { Rule } from "../../src/sandbox/faults/plan.js";
import { COUNTING, groupRule, taxSeed, user } from "../apply/people.js";
import { type SessionScene, sessionScene } from "../apply/sessionScene.js";

const ANY = { low: 0, high: null };

const PEOPLE = [user("Ana", "Tax", "Analyst"), user("Bo", "Tax", "Director"), user("Cy", "Law", "Director")];

/** A tenant with so many groups that no rule fills, beside Tax and Law. */
function scene(more: object = {}, rules: readonly object[] = []): Promise<SessionScene> {
  const groups = Array.from({ length: 30 }, (_, at) => `G${at}`);
  const seed = taxSeed(PEOPLE);
  const types = [
    { name: "Group", kind: "GROUP", resources: ["Tax", "Law", ...groups], entitlements: ["Member"] },
  ];
  const { tenant } = readSeed(
    JSON.stringify({ ...seed, apps: [{ name: "C1", types }], ...more }),
    "seed.yaml",
  );
  return sessionScene("full", { sandbox: { tenant }, rules: rules as readonly Rule[] });
}

interface Asked {
  readonly counting?: Partial<Counting> | null;
  readonly limits?: Partial<Limits>;
  readonly target?: readonly string[];
}

async function planned(at: SessionScene, text: string, { counting = {}, limits = {}, target }: Asked = {}) {
  const request = at.request(text, {
    counting: counting === null ? null : { ...COUNTING, names: false, ...counting },
    limits: { ...DEFAULT_LIMITS, changesFloor: 0, maxChangesPercent: 100, ...limits },
  });
  const mode = target === undefined ? request.mode : { ...request.mode, targets: target };
  const { value, diagnostics } = await makePlan({ ...request, mode }, at.session);
  if (value === null) throw new Error(JSON.stringify(diagnostics));
  return value;
}

const totals = (plan: Planned): PeopleTotals => totalsOf(plan);
const said = (plan: Planned, code: string) =>
  describePlan(plan, "", (name) => kinds.find((kind) => kind.name === name))
    .statements.filter((one) => one.code === code)
    .map(({ text }) => text);

const DIRECTORS = 'subject.jobTitle == "Director"';

describe("the people of many rules", () => {
  it("are counted for each of them, however many are new", async () => {
    const rules = Array.from({ length: 24 }, (_, at) => groupRule("true", `g${at}`));
    const made = await planned(await scene(), [...rules, groupRule(DIRECTORS)].join("---\n"));
    expect(totals(made).access).toMatchObject({
      rules: 25,
      gains: { low: 3, high: 3 },
      loses: { low: 0, high: 1 },
    });
  });
});

describe("people who were not counted", () => {
  const REFUSED = [{ fault: "error", status: 403, operation: "SearchUsers" }];

  it.each([
    ["the service refuses the users", () => scene({}, REFUSED), {}],
    ["the service fails for the users", () => scene({}, [{ ...REFUSED[0], status: 500 }]), {}],
    ["no call may be made", () => scene(), { calls: 0 }],
    ["they are not asked for", () => scene(), null],
    ["the service shows none", () => scene({ users: [], members: [] }), {}],
  ])("are any number where %s", async (_, at, counting) => {
    const made = await planned(await at(), groupRule(DIRECTORS), { counting });
    expect(totals(made).access).toMatchObject({ gains: ANY, loses: ANY });
    expect(said(made, "people/access")).toEqual([
      "People: who gains and who loses access is unknown (1 rule).",
    ]);
    expect(said(made, "people/not-counted")).toHaveLength(1);
  });

  it("do not lose by a new rule, whatever was read", async () => {
    const made = await planned(await scene(), groupRule("true", "law"), { counting: null });
    expect(said(made, "people/access")).toEqual([
      "People: no one loses access, an unknown number gain it (1 rule).",
    ]);
  });
});
