import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import { renderFailureJson, renderOutcomeJson, renderPlanJson } from "../../src/report/forms/json.js";
import type { FieldReport, FindingReport, PlanReport } from "../../src/report/plan/report.js";
import { INTERRUPTED, PARTIAL } from "./endings.js";
import {
  BLOCKED,
  CREATED,
  DELETED,
  DRIFTED,
  EVERY_CHANGE,
  EVERY_GUARD,
  EVERY_REASON,
  KEPT,
} from "./faces.js";
import { report } from "./plans.js";

function checker(file: string): (text: string) => unknown {
  const check = new Ajv2020({ strict: true, allowUnionTypes: true }).compile(
    JSON.parse(readFileSync(file, "utf8")),
  );
  return (text) => (check(JSON.parse(text)) ? [] : check.errors);
}

const faultsInReport = checker("schemas/report.json");
const faultsInFailure = checker("schemas/failure.json");
const faultsInOutcome = checker("schemas/outcome.json");

describe("a plan in JSON", () => {
  const all = report([...EVERY_REASON, EVERY_CHANGE, DRIFTED, CREATED, DELETED, BLOCKED, KEPT], {
    findings: EVERY_GUARD,
    commit: "a1b2c3",
    unseen: [{ what: "template scopes", why: "no reads" }],
    rewritten: [{ address: KEPT.address, fields: ["displayName"] }],
    notCompared: [{ kind: "ResourceType", objects: 2, members: ["createdAt"] }],
    calls: { made: { app: 1 }, ahead: { ResourceType: 2 } },
  });

  it("is as its schema says", () => {
    expect(faultsInReport(renderPlanJson(all))).toEqual([]);
  });

  it("is refused by its schema with a member that is not described", () => {
    expect(faultsInReport(JSON.stringify({ ...all, more: 1 }))).not.toEqual([]);
  });

  it("shows each change, its cause and each guard as the report has them", () => {
    const made = report([EVERY_CHANGE, KEPT], { findings: EVERY_GUARD });
    const { steps, findings } = JSON.parse(renderPlanJson(made));
    expect(steps).toEqual(made.steps);
    expect(steps[0].fields.map(({ difference }: FieldReport) => difference.type)).toEqual([
      ...["choice", "value", "value", "set", "text"],
    ]);
    expect(findings).toEqual(made.findings);
    expect(findings.map(({ flag }: FindingReport) => flag?.split("=", 1)[0])).toEqual(
      EVERY_GUARD.map(({ guard }) => `--acknowledge ${guard}`),
    );
  });

  it("shows the riskiest step first, each with a reason of its own", () => {
    const { steps }: PlanReport = JSON.parse(renderPlanJson(report(EVERY_REASON)));
    const risks = steps.map(({ risk }) => risk);
    expect(risks).toEqual(risks.toSorted((one, other) => other - one));
    const reasons = steps.map(({ action, reason }) => `${action}: ${reason}`);
    expect(new Set(reasons).size).toBe(steps.length);
    expect(reasons.filter((one) => one.endsWith(": "))).toEqual(["update: "]);
  });
});

describe("a failure in JSON", () => {
  it("is as its schema says", () => {
    const missing = { code: "file/missing", severity: "error", message: "there is no file x.yaml" } as const;
    const head = {
      formatVersion: 1,
      command: "plan",
      failure: "invalid",
      exitCode: 5,
      server: null,
      commit: null,
    } as const;
    expect(faultsInFailure(renderFailureJson({ ...head, diagnostics: [missing] }))).toEqual([]);
  });
});

describe("an outcome in JSON", () => {
  it.each([
    ["of a part", PARTIAL],
    ["of an interrupt", INTERRUPTED],
  ])("%s is as its schema says", (_what, outcome) => {
    expect(faultsInOutcome(renderOutcomeJson(outcome))).toEqual([]);
  });
});
