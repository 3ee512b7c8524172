import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { PeopleCount, PlanImpact } from "../../src/plan/people/impact.js";
import type { Planned } from "../../src/plan/plan.js";
import { writePlan } from "../../src/plan/saved/effect.js";
import { readSavedPlan } from "../../src/plan/saved/read.js";
import { face, type Given } from "../golden/harness.js";
import { edit, LARKSPUR } from "../golden/larkspur.js";

/** Two members who lose access by the planned change, and one who keeps it as an employee. */
const MEMBERS = `users:
  - { name: Ana Ruiz, email: ana@larkspur.example, department: Engineering }
  - { name: Bo Lind, email: bo@larkspur.example, department: Engineering }
  - { name: Di Lind, email: di@larkspur.example, department: Engineering, fields: { employmentType: Employee } }
members: [{ entitlement: C1/c1-engineering-member, departments: [Engineering] }]
`;

/** One more member who loses access by it. */
const ANOTHER = edit("seed.yaml", "users:\n", "users:\n  - { name: Cy Lind, department: Engineering }\n");

/** How an apply of a saved plan ends after something happened: under a limit in people, or without one. */
async function applied(limit: number | null, happened: Given["before"] = []): Promise<string> {
  const maxLosing = limit === null ? "" : `maxLosing: ${limit}, `;
  const guards = `guards: { ${maxLosing}changesFloor: 0, maxChangesPercent: 100 }`;
  return face(LARKSPUR, ["apply", "plan.json", "--yes"], {
    prepare: (cwd) => appendFileSync(join(cwd, "seed.yaml"), MEMBERS),
    before: [
      ["plan", "--out", "plan.json"],
      edit("remit.yaml", "server:", `${guards}\nserver:`),
      ...happened,
    ],
    look: (cwd) =>
      existsSync(join(cwd, ".remit/state.json")) ? "something was applied" : "nothing was applied",
  });
}

/** Changes what the saved plan says of people, under hashes that fit. */
function forged(change: (impact: PlanImpact) => PlanImpact | null): (cwd: string) => void {
  return (cwd) => {
    const path = join(cwd, "plan.json");
    const plan: Planned | undefined = readSavedPlan(readFileSync(path, "utf8")).value?.plan;
    if (plan?.impact == null) throw new Error("no plan with people was saved");
    writeFileSync(path, writePlan({ ...plan, impact: change(plan.impact) }).text);
  };
}

const NO_ONE: PeopleCount = {
  certainty: "exact",
  low: 0,
  high: 0,
  assumed: 0,
  assumptions: [],
  people: null,
};

const losesNoOne = forged((impact) => ({
  ...impact,
  steps: impact.steps.map((step) => (step.as === "members" ? { ...step, loses: NO_ONE } : step)),
  together: { ...impact.together, loses: { low: 0, high: 0 } },
}));

describe("an apply of a saved plan, where a limit in people is in force,", () => {
  it("applies it where no more people lose access than it shows", async () => {
    const seen = await applied(50);
    expect(seen).toContain("exit 0");
    expect(seen).toContain("something was applied");
  });

  it("counts again, and refuses it where more people lose access than it shows", async () => {
    const seen = await applied(50, [ANOTHER]);
    expect(seen).toContain("exit 4");
    expect(seen).toContain(
      "error[impact/grew]: EntitlementAutomation/engineering: up to 3 people may lose access now, and the plan shows up to 2",
    );
    expect(seen).toContain("nothing was applied");
  });

  it("does not believe what it says of people: fewer than lose access", async () => {
    const seen = await applied(50, [losesNoOne]);
    expect(seen).toContain("exit 4");
    expect(seen).toContain(
      "error[impact/grew]: EntitlementAutomation/engineering: up to 2 people may lose access now",
    );
    expect(seen).toContain("nothing was applied");
  });

  it("holds the limit where the plan says nothing of people", async () => {
    const seen = await applied(1, [forged(() => null)]);
    expect(seen).toContain("exit 4");
    expect(seen).toContain("error[guard/max-losing]: up to 2 people would lose access; the limit is 1");
    expect(seen).toContain("nothing was applied");
  });
});

it("an apply of a saved plan counts no people where no limit in people is in force", async () => {
  const seen = await applied(null, [ANOTHER]);
  expect(seen).toContain("exit 0");
  expect(seen).not.toContain("impact/");
});
