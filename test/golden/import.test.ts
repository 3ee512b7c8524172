import { copyFileSync, cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { runInside } from "../fakes/inside.js";
import { expectFace, face, type Given } from "./harness.js";

const FACES = join(import.meta.dirname, "faces");
const BROWNFIELD = "examples/brownfield";

/** Every file below a folder, with its text. */
function tree(folder: string): string {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return files
    .sort()
    .map((file) => `${relative(folder, file)}:\n${readFileSync(file, "utf8")}`)
    .join("\n");
}

const manifests = (cwd: string) => tree(join(cwd, "manifests"));
const outside = (cwd: string) => join(cwd, "..", "outside");

describe("remit import, of a tenant that people configured in the browser,", () => {
  type Run = readonly [name: string, argv: readonly string[], given: Given];
  const runs: readonly Run[] = [
    ["dry-run", ["--dry-run", "--limit", "1"], { look: (cwd) => readdirSync(cwd).join("\n") }],
    ["some", ["TemplateScope/quarterly-*", "ResourceType/team-*", "--quiet"], { look: manifests }],
    ["again", [], { before: [["import"]] }],
    ["new-only", ["EntitlementAutomation", "--limit", "2"], { before: [["import", "EntitlementAutomation", "--limit", "1"]] }],
    ["out", ["--out", "found/here", "--limit", "1", "TemplateScope"], { look: (cwd) => tree(join(cwd, "found")) }],
    ["nothing-fits", ["TemplateScope/nothing-*"], {}],
    ["no-such-kind", ["TemplateScopes"], {}],
    ["app-ambiguous", ["--app", "C1"], {}],
    ["file", ["--out", "all.yaml"], {}],
    ["core", ["--interface", "core"], {}],
    ["from-terraform", ["--from-terraform", "state.json"], { prepare: withTerraform, look: manifests }],
    ["from-terraform-again", ["--from-terraform", "state.json"], { prepare: withTerraform, before: [["import", "--from-terraform", "state.json"]] }],
    ["from-terraform-some", ["--from-terraform", "state.json", "TemplateScope/gov-0-review-q4*", "--quiet"], { prepare: withTerraform }],
    ["from-terraform-where", ["--from-terraform", "state.json", "--where", "displayName=Team*", "--quiet"], { prepare: withTerraform, look: manifests }],
    ["from-terraform-json", ["--from-terraform", "state.json", "TemplateScope/*-team-a", "--format", "json"], { prepare: withTerraform }],
    ["from-terraform-unreadable", ["--from-terraform", "remit.yaml"], {}],
    ["from-terraform-missing", ["--from-terraform", "nowhere.json"], {}],
    ["gone", ["EntitlementAutomation", "--limit", "1"], { prepare: (cwd) => describing(cwd) }],
    ["layout-app", ["--layout", "app", "ResourceType/team-*", "TemplateScope/two-*"], { look: manifests }],
    ["layout-kind", ["--layout", "kind", "ResourceType/team-*"], { before: [["import", "--layout", "kind", "ResourceType/team-f*"]], look: manifests }],
    ["where", ["--where", "displayName=Team", "--where", "id!=LFH2*", "--quiet", "--format", "json", "ResourceType"], {}],
    ["where-no-field", ["--where", "displayNam=Team"], {}],
    ["where-unclear", ["--where", "Team"], {}],
    ["json", ["--format", "json", "--dry-run", "ResourceType/team-v*"], {}],
    ["refused", ["--limit", "1", "--quiet"], { prepare: refusing, look: manifests }],
    ["invalid", [], { prepare: (cwd) => broken(cwd) }],
    [
      "link",
      ["--limit", "1"],
      {
        prepare(cwd) {
          mkdirSync(outside(cwd));
          mkdirSync(join(cwd, "manifests"));
          symlinkSync(outside(cwd), join(cwd, "manifests", "resource-type"));
        },
        look: (cwd) => `outside: ${readdirSync(outside(cwd)).length} files`,
      },
    ],
  ];

  test.each(runs)("%s", async (name, argv, given) => {
    expectFace(join(FACES, `import-${name}.face`), await face(BROWNFIELD, ["import", ...argv], given));
  });

  test.each(["object", "app", "kind"])("by %s leaves manifests that validate, are laid out canonically, and change nothing", async (layout) => {
    const cwd = mkdtempSync(join(tmpdir(), "remit-import-"));
    onTestFinished(() => rmSync(cwd, { recursive: true }));
    cpSync(BROWNFIELD, cwd, { recursive: true });
    const remit = (...argv: readonly string[]) => runInside(argv, { cwd, env: {} });
    await remit("import", "--layout", layout);
    const valid = await remit("validate", "--strict");
    expect(valid.stdout + valid.stderr).toContain("all 187 manifests are valid");
    expect((await remit("fmt", "--check")).code).toBe(0);
    expect((await remit("plan", "--detailed-exitcode")).code).toBe(0);
    const again = await remit("import", "--layout", layout);
    expect(again.stdout + again.stderr).toContain("No new manifest");
  });
});

/** A service that refuses a list of campaigns, the list of entitlements of one app, and one automation. */
function refusing(cwd: string): void {
  const paths = ["*/access_reviews", "*/apps/2fsg*/entitlements", "*/5uyOO4PQVNfMVc647xJ7ZPoZJOi/automation"];
  const rules = paths.map((path) => `  - { fault: error, status: 403, path: '${path}' }\n`).join("");
  writeFileSync(join(cwd, "faults.yaml"), `rules:\n${rules}`);
  const settings = readFileSync(join(cwd, "remit.yaml"), "utf8");
  writeFileSync(join(cwd, "remit.yaml"), settings.replace("seed: seed.yaml }", "seed: seed.yaml, faults: faults.yaml }"));
}

/** A state that Terraform made. */
function withTerraform(cwd: string): void {
  copyFileSync(join(import.meta.dirname, "..", "commands", "import", "terraform", "fixture", "state.json"), join(cwd, "state.json"));
}

/** Manifests about objects that the tenant does not have. */
function describing(cwd: string): void {
  const spec = "spec:\n  appId: 2fsgTvxP0DVTsNXEUBI7hOe0l5A\n  appEntitlementId: 2fsgTvxP0DVTsNXEUBI7hOe0l5Z\n  cel: { expression: \"true\" }\n";
  mkdirSync(join(cwd, "manifests"));
  const head = "apiVersion: remit/v1\nkind: EntitlementAutomation\nmetadata: { name: not-there }\n";
  writeFileSync(join(cwd, "manifests", "one.yaml"), `${head}${spec}`);
}

function broken(cwd: string): void {
  mkdirSync(join(cwd, "manifests"));
  writeFileSync(join(cwd, "manifests", "one.yaml"), "apiVersion: remit/v1\nkind: TemplateScope\nmetadata: {}\n");
}
