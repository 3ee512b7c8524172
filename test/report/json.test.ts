import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import { renderOutcomeJson } from "../../src/report/outcome/json.js";
import { renderPlanJson } from "../../src/report/plan/json.js";
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
const faultsInOutcome = checker("schemas/outcome.json");

describe("a plan in JSON", () => {
  const all = report([...EVERY_REASON, EVERY_CHANGE, DRIFTED, CREATED, DELETED, BLOCKED, KEPT], {
    findings: EVERY_GUARD,
    commit: "a1b2c3",
    unseen: [{ what: "template scopes", why: "no reads" }],
    rewritten: [{ address: KEPT.address, fields: ["displayName"] }],
    calls: { made: { app: 1 }, ahead: { ResourceType: 2 } },
  });

  it("is as its schema says", () => {
    expect(faultsInReport(renderPlanJson(all))).toEqual([]);
  });

  it("is refused by its schema with a member that is not described", () => {
    expect(faultsInReport(JSON.stringify({ ...all, more: 1 }))).not.toEqual([]);
  });

  it("shows each type of change with its cause", () => {
    expect(JSON.parse(renderPlanJson(report([EVERY_CHANGE]))).steps[0].fields).toMatchInlineSnapshot(`
      [
        {
          "cause": "edited",
          "difference": {
            "after": null,
            "before": "{ userStatus: [ENABLED] }",
            "sentence": "users: allUsers instead of userCriteria",
            "type": "choice",
          },
          "line": 14,
          "path": "scope.allUsers",
        },
        {
          "cause": "both",
          "difference": {
            "after": "1d12h30m",
            "before": "90d",
            "type": "value",
          },
          "line": 16,
          "path": "scope.grantsByCriteria.daysSinceLastUsed",
        },
        {
          "cause": "first",
          "difference": {
            "after": null,
            "before": "PRINCIPAL_TYPE_FILTER_USERS",
            "type": "value",
          },
          "line": 2,
          "path": "scope.principalTypeFilter",
        },
        {
          "cause": "edited",
          "difference": {
            "added": [
              "GitHub › github-admin (2fsg…5D)",
            ],
            "kept": 1,
            "removed": [
              "GitHub › old",
            ],
            "type": "set",
          },
          "line": 20,
          "path": "entitlements",
        },
        {
          "cause": "drifted",
          "difference": {
            "type": "text",
            "words": [
              {
                "as": "same",
                "text": "subject.department == "",
              },
              {
                "as": "removed",
                "text": "Engineering",
              },
              {
                "as": "added",
                "text": "Sales",
              },
              {
                "as": "same",
                "text": ""
        && subject.level > 3",
              },
            ],
          },
          "line": 22,
          "path": "scope.celExpression.expression",
        },
      ]
    `);
  });

  it("shows each action and reason", () => {
    const { steps } = JSON.parse(renderPlanJson(report(EVERY_REASON)));
    expect(
      steps.map(({ action, reason, risk }: Record<string, unknown>) => `${risk} ${action}: ${reason}`),
    ).toMatchInlineSnapshot(`
      [
        "7 delete: Its manifest was removed, and --prune was given.",
        "5 blocked: What it is now cannot be known, and the call would replace all of it.",
        "5 blocked: The object it belongs to is not in the tenant.",
        "5 blocked: It would have to be created, and it cannot be.",
        "5 blocked: It could not be read.",
        "5 blocked: A name in it could not be looked up.",
        "5 blocked: An earlier create ended without an answer; it is not sent again by itself.",
        "5 blocked: Something it needs is blocked.",
        "3 update: It differs from the manifest.",
        "3 set: It was never applied by us.",
        "2 create: It is not in the tenant.",
        "2 create: It was never applied by us.",
        "2 create: It is gone from the tenant.",
        "2 create: It differs from what was applied, and the core interface can only create.",
        "1 adopt: It is as the manifest says already; it is recorded as ours, and nothing is sent.",
        "1 adopt: Its manifest has another name now; nothing changes in the tenant.",
        "1 adopt: Fields that were ours are no longer written; they stay in the tenant as they are.",
        "1 adopt: Its protection changed; nothing changes in the tenant.",
        "1 adopt: The tenant has moved away from what was applied.",
        "0 forget: Its manifest was removed; it stays in the tenant as it is, and is ours no longer.",
        "0 forget: It is gone from the tenant.",
        "0 forget: Its manifest was removed, and it cannot be deleted.",
        "0 keep: Another object of the service manages it; it is left alone.",
      ]
    `);
  });

  it("shows each guard", () => {
    const { findings } = JSON.parse(renderPlanJson(report([KEPT], { findings: EVERY_GUARD })));
    expect(
      findings.map(({ flag, acknowledged }: Record<string, unknown>) => [flag, acknowledged]),
    ).toMatchInlineSnapshot(`
      [
        [
          "--acknowledge max-deletes",
          null,
        ],
        [
          "--acknowledge max-changes",
          {
            "by": "flag",
            "reason": null,
            "until": null,
          },
        ],
        [
          "--acknowledge protected=EntitlementAutomation/contractors",
          null,
        ],
        [
          "--acknowledge scope-emptied=TemplateScope/q4-privileged-access",
          {
            "by": "project",
            "reason": "reviewed in AR-7",
            "until": "2026-07-01",
          },
        ],
        [
          "--acknowledge everyone=TemplateScope/q4-privileged-access",
          null,
        ],
        [
          "--acknowledge unknown-current=ResourceType/github-team",
          {
            "by": "project",
            "reason": "reviewed in AR-7",
            "until": "2026-07-01",
          },
        ],
      ]
    `);
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
