import { appendFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { FORM_NAMES } from "../../src/report/forms/table.js";
import { face, type Given } from "../golden/harness.js";
import { edit, LARKSPUR } from "../golden/larkspur.js";

const PEOPLE = /Ruiz|Lind|larkspur\.example/;
const REPORTS = FORM_NAMES.flatMap((form) => ["--report", `${form}=report.${form}`]);

/** Two users who lose access by the planned change, one who keeps it, and everything that a run wrote. */
const given = (files: readonly string[], more: Partial<Given> = {}): Given => ({
  prepare: (cwd) =>
    appendFileSync(
      join(cwd, "seed.yaml"),
      `users:
  - { name: Ana Ruiz, email: ana@larkspur.example, department: Engineering }
  - { name: Bo Lind, email: bo@larkspur.example, department: Engineering }
  - { name: Di Lind, email: di@larkspur.example, department: Engineering, fields: { employmentType: Employee } }
members: [{ entitlement: C1/c1-engineering-member, departments: [Engineering] }]
`,
    ),
  look: (cwd) => files.map((file) => readFileSync(join(cwd, file), "utf8")).join("\n"),
  ...more,
});

const WRITTEN = ["plan.json", ...FORM_NAMES.map((form) => `report.${form}`)];

describe("names of people", () => {
  it.each(FORM_NAMES)(
    "are in no %s that is not read at a terminal, unless they were asked for",
    async (form) => {
      expect(await face(LARKSPUR, ["plan", "--format", form], given([]))).not.toMatch(PEOPLE);
    },
  );

  it("are in no saved plan and no report", async () => {
    const seen = await face(LARKSPUR, ["plan", "--out", "plan.json", ...REPORTS], given(WRITTEN));
    expect(seen).toContain("at most 2 lose it");
    expect(seen).not.toMatch(PEOPLE);
  });

  it("are in no saved plan that is shown, and in no log of a pipeline that looks like a terminal", async () => {
    const saved = given([], { before: [["plan", "--out", "plan.json"]] });
    expect(await face(LARKSPUR, ["show", "plan.json"], saved)).not.toMatch(PEOPLE);
    const impact = ["impact", "EntitlementAutomation/engineering"];
    expect(await face(LARKSPUR, impact, given([], { env: { CI: "true" } }))).not.toMatch(PEOPLE);
  });

  it("are never in events, in the state or in the outcome, whatever was asked for", async () => {
    const forms = ["text", "json", "markdown"];
    const files = [".remit/state.json", ...forms.map((form) => `report.${form}`)];
    const reports = forms.flatMap((form) => ["--report", `${form}=report.${form}`]);
    const people = edit("remit.yaml", "server:", "impact: { people: true }\nserver:");
    const argv = ["apply", "--yes", "--json", "--people", ...reports];
    const seen = await face(LARKSPUR, argv, given(files, { before: [people] }));
    expect(seen).toContain("step finished");
    expect(seen).not.toMatch(PEOPLE);
  });

  it("are everywhere else where the settings in force ask for them", async () => {
    const people = edit("remit.yaml", "server:", "impact: { people: true }\nserver:");
    const seen = await face(LARKSPUR, ["plan", ...REPORTS], given(["report.markdown"], { before: [people] }));
    expect(seen.match(/Ana Ruiz/g)).toHaveLength(2);
  });

  it("are everywhere else where they were asked for", async () => {
    const seen = await face(LARKSPUR, ["plan", "--people", "--out", "plan.json"], given(["plan.json"]));
    expect(seen).toMatch(/at most 2 lose it \((Ana Ruiz, Bo Lind|Bo Lind, Ana Ruiz)\)/);
    expect(seen).toContain("ana@larkspur.example");
  });
});
