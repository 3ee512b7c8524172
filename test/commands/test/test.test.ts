import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runInside } from "../../fakes/inside.js";

const rule = (name: string, expression: string, contexts = "") => `apiVersion: remit/v1
kind: EntitlementAutomation
metadata: { name: ${name}${contexts} }
spec:
  appId: 2fsgTvxP0DVTsNXEUBI7hOe0l5C
  appEntitlementId: { alias: ${name} }
  displayName: Rule
  cel: { expression: '${expression}' }
`;

const FILES: Readonly<Record<string, string>> = {
  "remit.yaml": `manifests: [manifests]
contexts:
  eu: { server: https://eu.example.test }
  us: { server: https://us.example.test }
`,
  "manifests/all.yaml": rule("tax", 'subject.department == "Tax"'),
  "manifests/us.yaml": rule("boston", 'subject.profile.office == "Boston"', ", contexts: [us]"),
  "tests/people.yaml": `apiVersion: remit/v1
kind: Test
metadata: { name: people }
spec:
  people:
    ana: { department: Tax, profile: { office: Boston } }
    ben: { department: Law }
  expect:
    - { person: ana, holds: [EntitlementAutomation/tax] }
    - { person: ana, holds: [EntitlementAutomation/boston] }
    - { person: ben, lacks: [EntitlementAutomation/tax] }
`,
};

let cwd = "";

beforeAll(() => {
  cwd = mkdtempSync(join(tmpdir(), "remit-test-"));
  for (const [name, text] of Object.entries(FILES)) write(name, text);
});

afterAll(() => rmSync(cwd, { recursive: true }));

function write(name: string, text: string): void {
  mkdirSync(dirname(join(cwd, name)), { recursive: true });
  writeFileSync(join(cwd, name), text);
}

function remit(...argv: readonly string[]) {
  return runInside(["test", ...argv], { cwd, env: {} });
}

describe("remit test in a project with contexts", () => {
  it("tests each context, and does not miss a rule that another one has", async () => {
    const { code, stdout, stderr } = await remit();
    expect([code, stdout, stderr]).toEqual([0, expect.stringContaining("in each of 2 contexts"), ""]);
  });

  it("tests one context alone with --context, where a rule of another one is missing", async () => {
    expect((await remit("--context", "us")).code).toBe(0);
    const { code, stdout } = await remit("--context", "eu");
    expect(code).toBe(1);
    expect(stdout).toContain(
      "error[expectation/no-such-rule]: people: the project has no rule EntitlementAutomation/boston",
    );
    expect((await remit("--context", "asia")).code).toBe(1);
  });

  it("fails in every format for an expectation that does not hold, and for an answer that is unknown", async () => {
    write(
      "manifests/all.yaml",
      rule("tax", 'c1.user.v1.HasApp(subject, "okta") || subject.department == "Law"'),
    );
    for (const format of ["text", "json", "github", "sarif", "junit"]) {
      const { code, stdout } = await remit("--format", format);
      expect([format, code]).toEqual([format, 1]);
      expect(stdout).toContain("expectation/unknown");
      expect(stdout).toContain("the accounts of the app okta");
    }
    write("manifests/all.yaml", FILES["manifests/all.yaml"] ?? "");
  });

  it("names in a report of JUnit each expectation once, the same whether it holds or not", async () => {
    const twice = FILES["tests/people.yaml"]?.replace(
      "ben, lacks: [",
      "ben, lacks: [EntitlementAutomation/tax, ",
    );
    write("tests/people.yaml", `${twice}    - { nobody: EntitlementAutomation/tax }\n`);
    const casesWith = async (expression: string) => {
      write("manifests/all.yaml", rule("tax", expression));
      await remit("--report", "junit=junit.xml");
      const text = readFileSync(join(cwd, "junit.xml"), "utf8");
      const failed = /failures="(\d+)"/.exec(text)?.[1];
      const names = [...text.matchAll(/<testcase classname="tests[^"]*" name="([^"]*)"/g)].map(
        ([, name]) => name,
      );
      return { failed, names };
    };
    const some = await casesWith('subject.department == "Tax"');
    const names = [
      "people: ana holds EntitlementAutomation/tax",
      "people: ana holds EntitlementAutomation/boston",
      "people: ben lacks EntitlementAutomation/tax",
      "people: ben lacks EntitlementAutomation/tax (2)",
      "people: no one holds EntitlementAutomation/tax",
    ];
    expect(some).toEqual({ failed: "1", names });
    expect(await casesWith("true")).toEqual({ failed: "3", names });
    expect(await casesWith('subject.department == "Law"')).toEqual({ failed: "4", names });
    expect(await casesWith('c1.user.v1.HasApp(subject, "okta")')).toEqual({ failed: "4", names });
    write("manifests/all.yaml", FILES["manifests/all.yaml"] ?? "");
    write("tests/people.yaml", FILES["tests/people.yaml"] ?? "");
  });

  it("says of a folder without tests, and of a manifest among them, what is so", async () => {
    mkdirSync(join(cwd, "empty"), { recursive: true });
    write("only-values/v.yaml", "apiVersion: remit/v1\nkind: Values\n");
    for (const [path, message] of [
      ["empty", "error[expectation/none]: No tests found in ./empty"],
      ["nowhere", "error[file/missing]: No tests found in ./nowhere: the folder does not exist"],
      ["only-values", "error[expectation/none]: no tests found in only-values"],
      ["manifests/all.yaml", "error[manifest/misplaced]: this is a manifest of kind EntitlementAutomation"],
    ] as const) {
      const { code, stdout } = await remit(path);
      expect([code, stdout]).toEqual([1, expect.stringContaining(message)]);
      expect([...stdout.matchAll(/^error/gm)]).toHaveLength(1);
    }
  });

  it.each([
    ["people: { ana: { like: ben }, ben: { like: ana } }", "g: ana is like itself"],
    ["people: { ana: { manager: bo } }", "g: the test has no person bo"],
    [
      "people: { ana: {} }, entitlements: { tax: [ana], C1/tax: [] }",
      "g: tax and C1/tax are one entitlement, and have other people",
    ],
  ])("refuses in the test of a guard: %s", async (said, message) => {
    const header = "apiVersion: remit/v1\nkind: Guard\nmetadata: { name: g }\nspec:\n  on: plan\n";
    const guarded = `${header}  trips: people.gain.size() > 0\n  message: More people.\n`;
    const steps = `steps: [{ kind: EntitlementAutomation, after: { cel: { expression: "true" } } }]`;
    write("guards/g.yaml", `${guarded}  tests: [{ ${steps}, ${said}, trips: true }]\n`);
    const { code, stdout } = await remit("guards/g.yaml");
    expect([code, stdout]).toEqual([1, expect.stringContaining(`error[guard/test-mistake]: ${message}`)]);
  });
});
