import { describe, expect, it } from "vitest";
import { filesOf } from "../../../src/commands/import/layout.js";
import type { Layout } from "../../../src/commands/import/layouts.js";

const ONE = { id: "app1", name: "C1" };
const OTHER = { id: "app2", name: "c1" };

function manuscript(kind: string, name: string, app: typeof ONE | null = null, text = `${name}\n`) {
  return { kind, name, key: [name], app, text };
}

function paths(layout: Layout, manifests: ReturnType<typeof manuscript>[], taken: readonly string[] = []) {
  const files = filesOf(manifests, layout, (path) => taken.includes(path));
  return files.map(({ path, manifests: inside }) => `${path}: ${inside.map(({ name }) => name).join(" ")}`);
}

describe("the files of new manifests", () => {
  const some = [
    manuscript("ResourceType", "team", ONE),
    manuscript("EntitlementAutomation", "leads", OTHER),
    manuscript("ResourceType", "role", ONE),
    manuscript("TemplateScope", "q4"),
  ];

  it("are one for each object", () => {
    expect(paths("object", some)).toEqual([
      "resource-type/team.yaml: team",
      "entitlement-automation/leads.yaml: leads",
      "resource-type/role.yaml: role",
      "template-scope/q4.yaml: q4",
    ]);
  });

  it("are one for each kind", () => {
    expect(paths("kind", some)).toEqual([
      "resource-type.yaml: team role",
      "entitlement-automation.yaml: leads",
      "template-scope.yaml: q4",
    ]);
  });

  it("are one for each app, and one for each kind without an app", () => {
    expect(paths("app", some)).toEqual([
      "c1-app1.yaml: team role",
      "c1-app2.yaml: leads",
      "template-scope.yaml: q4",
    ]);
  });

  it("have another name for an app that is called like a kind or a device", () => {
    const apps = ["Template scope", "CON", "../..", ""].map((name, at) => ({ id: `app${at}`, name }));
    expect(
      paths(
        "app",
        apps.map((app, at) => manuscript("ResourceType", `t${at}`, app)),
      ),
    ).toEqual([
      "template-scope-app0.yaml: t0",
      "con-app1.yaml: t1",
      "app-app2.yaml: t2",
      "app-app3.yaml: t3",
    ]);
  });

  it("never have the path of a file that is there", () => {
    expect(paths("kind", some.slice(0, 1), ["resource-type.yaml", "resource-type-2.yaml"])).toEqual([
      "resource-type-3.yaml: team",
    ]);
  });

  it("are several where one would be too large to be read", () => {
    const large = "x".repeat(1_000_000);
    const many = [1, 2, 3].map((at) => manuscript("ResourceType", `t${at}`, null, large));
    expect(paths("kind", many)).toEqual([
      "resource-type.yaml: t1",
      "resource-type-2.yaml: t2",
      "resource-type-3.yaml: t3",
    ]);
  });
});
