import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runInside } from "../fakes/inside.js";

/** One object of an example with a group, a rule, a conflict and policies, drawn from a plan and from the manifests. */

const MORE = `apiVersion: remit/v1
kind: EntitlementAutomation
metadata: { name: engineering }
spec:
  appId: { name: C1 }
  appEntitlementId: { manifest: engineering-member }
  displayName: Engineering
  cel: { expression: subject.department == "Engineering" }
---
apiVersion: remit/v1
kind: AccessConflict
metadata: { name: code-and-graphs }
spec:
  displayName: Code and graphs
  groupA: [{ appId: { name: GitHub }, id: { alias: github-developer } }]
  groupB: [{ appId: { name: Grafana }, id: { alias: grafana-viewer } }]
`;
let cwd: string;

beforeAll(async () => {
  cwd = mkdtempSync(join(tmpdir(), "remit-graph-"));
  cpSync("examples/access-profile", cwd, { recursive: true });
  writeFileSync(join(cwd, "manifests", "more.yaml"), MORE);
  const { code, stderr } = await run("plan", "--out", "plan.json");
  expect(code, stderr).toBe(0);
});
afterAll(() => rmSync(cwd, { recursive: true, force: true }));

const run = (...argv: readonly string[]) =>
  runInside(argv, { cwd, env: { XDG_STATE_HOME: join(cwd, "home"), NO_COLOR: "1" } });

describe("remit show --graph", () => {
  it("draws from a plan what a profile gives, its policies, its conflicts and who sees it", async () => {
    const { code, stdout } = await run("show", "plan.json", "--graph", "AccessProfile/engineering-starter");
    expect(code).toBe(0);
    expect(stdout.replace(/\([^()]*…..\) /g, "")).toMatchInlineSnapshot(`
      "AccessProfile/engineering-starter  + create
        C1 › Engineering starter
      ├─ gives Grafana › Viewer
      │  └─ AccessConflict/code-and-graphs has it in group B  + create
      │       Code and graphs
      │     └─ has GitHub › Developer in group A
      ├─ gives GitHub › Developer
      ├─ gives GitHub › Reader
      ├─ sends requests to Manager approval
      ├─ sends revokes to Leave at once
      └─ is shown to those who have Entitlement/engineering-member  + create
           C1 › Engineering member
      "
    `);
  });

  it("draws from a plan the rule of a group with the people that it moves, and no name", async () => {
    const { stdout } = await run("show", "plan.json", "--graph", "Resource/engineering");
    expect(stdout.replace(/\([^()]*…..\) /g, "")).toMatchInlineSnapshot(`
      "Resource/engineering  + create
        C1 › Group › Engineering
      └─ Entitlement/engineering-member is an entitlement of it  + create
           C1 › Engineering member
         ├─ EntitlementAutomation/engineering decides who has it  + create
         │    C1 › Entitlement/engineering-member
         │    rule: subject.department == "Engineering"
         │    people: +2, −0
         └─ AccessProfile/engineering-starter is shown to those who have it  + create
              C1 › Engineering starter
      "
    `);
    expect(stdout).not.toMatch(/Ana|Olu|@/);
  });

  it("draws the same from the manifests, without a tenant", async () => {
    const { stdout } = await run("show", "--graph", "AccessProfile/engineering-starter");
    expect(stdout).toMatchInlineSnapshot(`
      "AccessProfile/engineering-starter
        Engineering starter
      ├─ gives GitHub › github-reader
      ├─ gives GitHub › github-developer
      │  └─ AccessConflict/code-and-graphs has it in group A
      │       Code and graphs
      │     └─ has Grafana › grafana-viewer in group B
      ├─ gives Grafana › grafana-viewer
      ├─ sends requests to Manager approval
      ├─ sends revokes to Leave at once
      └─ is shown to those who have Entitlement/engineering-member
           Engineering member
      "
    `);
  });

  it("prints svg, mermaid and json, and refuses another format, a report and an unknown address", async () => {
    const of = async (...argv: readonly string[]) => run("show", "--graph", "Resource/engineering", ...argv);
    expect((await of("--format", "svg")).stdout).toMatch(/^<svg .*<\/svg>\n$/s);
    expect((await of("--format", "mermaid")).stdout).toMatch(/^flowchart LR\n/);
    expect(JSON.parse((await of("--format", "json")).stdout)).toHaveProperty(
      "nodes.0.title",
      "Resource/engineering",
    );
    for (const wrong of [
      await of("--format", "html"),
      await of("--report", "json=graph.json"),
      await run("show", "--graph", "Resource/enginering"),
      await run("show", "--format", "svg", "plan.json"),
      await run("show"),
    ])
      expect([wrong.code, wrong.stdout, wrong.stderr]).toEqual([
        1,
        "",
        expect.stringMatching(/^error\[command\//),
      ]);
  });
});
