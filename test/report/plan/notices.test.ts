import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { Ajv } from "ajv";
import addFormats from "ajv-formats";
import { describe, expect, it } from "vitest";
import { FORM_NAMES, type FormOptions, render } from "../../../src/report/forms/table.js";
import { noticesOfPlan } from "../../../src/report/plan/notices.js";
import { plain } from "../../../src/report/text/paint.js";
import { PARTIAL, UNCERTAIN, WHOLE } from "../endings.js";
import { BLOCKED, CREATED, DELETED, DRIFTED, EVERY_CHANGE, EVERY_GUARD, EVERY_REASON } from "../faces.js";
import { automation, changed, report } from "../plans.js";

const OPTIONS: FormOptions = {
  ...{ columns: 80, paint: plain, legend: false, part: "whole", verbose: false },
  ...{ maxBytes: null, linkBase: null, folder: "teams/identity", packed: null, version: "0.0.0" },
  exitCode: null,
};

const STATE = { lineage: "l", serial: 1 } as const;
const value = (path: readonly string[]) => ({ type: "value", path, before: "old", after: "new" }) as const;

describe("the notices of a plan", () => {
  it("put each drifted field on its line, and leave out what was edited", () => {
    const step = automation({
      changes: [
        changed(value(["description"]), "edited", 12),
        changed(value(["cel", "expression"]), "drifted", 14),
        changed(value(["isEnabled"]), "both", 15),
      ],
    });
    const found = noticesOfPlan(report([step], { state: STATE }));
    expect(found.map(({ code, severity, span }) => [code, severity, span?.start.line])).toEqual([
      ["plan/drift", "warning", 14],
      ["plan/drift", "warning", 15],
    ]);
    expect(found.map(({ message }) => message)).toEqual([
      "EntitlementAutomation/engineering-group: cel.expression was changed in the tenant since the last apply; an apply reverts it",
      "EntitlementAutomation/engineering-group: isEnabled was changed in the tenant since the last apply; an apply writes the edited value",
    ]);
  });

  it("put a field that a named value gives on the line of the value, and name the manifest that uses it", () => {
    const { change } = changed(value(["displayName"]), "drifted");
    const place = { line: 7, column: 5 };
    const span = { file: "values/teams.yaml", start: place, end: place };
    const [found] = noticesOfPlan(
      report([automation({ changes: [{ change, cause: "drifted", span, edit: null }] })], { state: STATE }),
    );
    expect([found?.span?.file, found?.span?.start.line]).toEqual(["values/teams.yaml", 7]);
    expect(found?.related).toEqual([
      { message: "the manifest uses it here", span: expect.objectContaining({ file: "reviews/q4.yaml" }) },
    ]);
  });

  it("say of a blocked step why, on the line of its manifest", () => {
    expect(
      noticesOfPlan(report([automation({ action: "blocked", reason: "read failed" })], { state: STATE })),
    ).toEqual([
      {
        code: "plan/blocked",
        check: "plan/blocked EntitlementAutomation/engineering-group",
        severity: "error",
        message: "EntitlementAutomation/engineering-group is blocked: remit could not read it",
        span: {
          file: "reviews/q4.yaml",
          start: { line: 3, column: 1 },
          end: { line: 3, column: 1 },
        },
      },
    ]);
  });

  it("are errors for open findings, notes for acknowledged ones, warnings where a merge answers or nothing is decided", () => {
    const finding = {
      guard: "protected",
      address: CREATED.address,
      message: "it is protected",
      hash: `sha256:${"0".repeat(64)}`,
      acknowledged: null,
      proposed: [],
    };
    const by = { by: "flag", until: null, reason: null, of: null } as const;
    const findings = [
      finding,
      { ...finding, acknowledged: by },
      { ...finding, proposed: [{ setting: "guards.protected", place: null }] },
    ];
    const [open, answered, proposed] = noticesOfPlan(report([CREATED], { findings }));
    expect(open).toMatchObject({ code: "guard/protected", severity: "error" });
    expect(open?.hint).toContain("--acknowledge protected=");
    expect(open?.span?.start.line).toBe(CREATED.managed.span?.start.line);
    expect(answered).toMatchObject({ severity: "note" });
    expect(proposed).toMatchObject({ severity: "warning" });
  });
});

const require = createRequire(import.meta.url);
const ajv = new Ajv({ strict: false, allErrors: true, unicodeRegExp: false });
addFormats.default(ajv);
const {
  $schema: _dialect,
  id: _id,
  ...sarif
} = JSON.parse(
  readFileSync(require.resolve("@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json"), "utf8"),
);
const isSarif = ajv.compile(sarif);
// From https://docs.gitlab.com/ci/testing/code_quality/#code-quality-report-format; GitLab publishes no schema of it.
const isCodeQuality = ajv.compile({
  type: "array",
  items: {
    type: "object",
    required: ["description", "check_name", "fingerprint", "severity", "location"],
    additionalProperties: false,
    properties: {
      description: { type: "string", minLength: 1 },
      check_name: { type: "string", minLength: 1 },
      fingerprint: { type: "string", minLength: 1 },
      severity: { enum: ["info", "minor", "major", "critical", "blocker"] },
      location: {
        type: "object",
        required: ["path", "lines"],
        properties: {
          path: { type: "string", pattern: "^(?!\\./|/)." },
          lines: {
            type: "object",
            required: ["begin"],
            properties: { begin: { type: "integer", minimum: 1 } },
          },
        },
      },
    },
  },
});

const WORST = report([...EVERY_REASON, EVERY_CHANGE, CREATED, DELETED, DRIFTED, BLOCKED], {
  findings: EVERY_GUARD,
});
const SUBJECTS = [
  ["plan", WORST],
  ["plan", report([])],
  ["outcome", WHOLE],
  ["outcome", PARTIAL],
  ["outcome", UNCERTAIN],
  [
    "failure",
    {
      formatVersion: 1,
      command: "plan",
      failure: "failed",
      exitCode: 1,
      server: "https://acme.example",
      commit: null,
      diagnostics: [{ code: "file/missing", severity: "error", message: "there is no file" }],
    },
  ],
  ["diagnostics", []],
] as const;

describe("of every subject", () => {
  it("the SARIF log and the Code Quality report are valid", async () => {
    for (const [subject, value] of SUBJECTS) {
      const log = JSON.parse(await render("sarif", subject, value, OPTIONS));
      expect(isSarif(log), JSON.stringify(isSarif.errors?.[0])).toBe(true);
      const rows = JSON.parse(await render("codequality", subject, value, OPTIONS));
      expect(isCodeQuality(rows), JSON.stringify(isCodeQuality.errors?.[0])).toBe(true);
      const prints = rows.map(({ fingerprint }: { readonly fingerprint: string }) => fingerprint);
      expect(new Set(prints).size).toBe(prints.length);
    }
  });

  it("the paths start at the root of the checkout", async () => {
    for (const form of ["sarif", "codequality", "github"] as const)
      expect(await render(form, "plan", WORST, OPTIONS)).toContain("teams/identity/reviews/q4.yaml");
  });
});

describe("the counts for GitLab", () => {
  const counts = async (...[subject, value]: (typeof SUBJECTS)[number]) =>
    JSON.parse(await render("terraform", subject, value, OPTIONS));

  it("are three whole numbers", async () => {
    expect(await counts("plan", report([CREATED, EVERY_CHANGE, DELETED]))).toEqual({
      create: 1,
      update: 1,
      delete: 1,
    });
    expect(await counts("outcome", WHOLE)).toEqual({ create: 1, update: 2, delete: 1 });
  });

  it("are absent after a failure: GitLab reports that the result is missing, and shows no zeros", async () => {
    const [, , , , , [, failure]] = SUBJECTS;
    const shown = await counts("failure", failure as never);
    expect(Object.keys(shown)).toEqual(["failure"]);
  });
});

it("every format prints the worst plan", async () => {
  for (const form of FORM_NAMES) expect(await render(form, "plan", WORST, OPTIONS)).not.toBe("");
});
