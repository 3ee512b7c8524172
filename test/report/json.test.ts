import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import { renderFailureJson, renderOutcomeJson, renderPlanJson } from "../../src/report/forms/json.js";
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
          "edit": null,
          "file": null,
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
          "edit": null,
          "file": null,
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
          "edit": null,
          "file": null,
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
          "edit": null,
          "file": null,
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
          "edit": null,
          "file": null,
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
        "7 delete: the manifest was removed, and \`removed:\` in remit.yaml deletes it",
        "5 blocked: its current value is unknown, and the call would replace all of it",
        "5 blocked: no resource type has the id 2fsgTvxP0DVTsNXEUBI7hOe0l5E",
        "5 blocked: not in the tenant, and remit cannot create it",
        "5 blocked: remit could not read it",
        "5 blocked: remit could not look up a name in it",
        "5 blocked: the result of an earlier create is unknown, so remit does not send it again",
        "5 blocked: a step that it needs is blocked",
        "5 blocked: the manifest was removed, and remit cannot delete the object",
        "3 update: ",
        "3 update: never applied by remit",
        "2 create: not in the tenant yet",
        "2 create: never applied by remit",
        "2 create: no longer in the tenant; remit creates it again",
        "2 create: changed since the last apply; the core interface can only create it again",
        "1 adopt: the tenant already has these values; remit only records them",
        "1 adopt: nothing changes in the tenant",
        "1 adopt: the manifest no longer writes some fields; nothing changes in the tenant",
        "1 adopt: only the protection changes; nothing changes in the tenant",
        "1 adopt: changed in the tenant since the last apply",
        "0 forget: no longer managed; STAYS ACTIVE in the tenant",
        "0 forget: no longer in the tenant; remit removes it from the state",
        "0 removed: the manifest was removed; STAYS ACTIVE in the tenant until you decide",
        "0 keep: another object of the service manages it, so remit leaves it unchanged",
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
            "of": null,
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
            "of": "sha256:3333333333333333333333333333333333333333333333333333333333333333",
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
            "of": null,
            "reason": "reviewed in AR-7",
            "until": "2026-07-01",
          },
        ],
      ]
    `);
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
