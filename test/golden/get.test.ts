import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { expectFace, face, type Given } from "./harness.js";
import { APPLIED, LARKSPUR } from "./larkspur.js";

const FACES = join(import.meta.dirname, "faces");
const BROWNFIELD = "examples/brownfield";

/** A service that refuses some lists. */
function refusing(...paths: readonly string[]): (cwd: string) => void {
  return (cwd) => {
    const rules = paths.map((path) => `  - { fault: error, status: 403, path: '${path}' }\n`).join("");
    writeFileSync(join(cwd, "faults.yaml"), `rules:\n${rules}`);
    const settings = readFileSync(join(cwd, "remit.yaml"), "utf8");
    writeFileSync(join(cwd, "remit.yaml"), settings.replace("seed: seed.yaml }", "seed: seed.yaml, faults: faults.yaml }"));
  };
}

/** A project with a manifest that is not valid: a get does not need it. */
function broken(cwd: string): void {
  mkdirSync(join(cwd, "manifests"));
  writeFileSync(join(cwd, "manifests", "one.yaml"), "apiVersion: remit/v1\nkind: TemplateScope\nmetadata: {}\n");
}

describe("remit get, of a tenant that people configured in the browser,", () => {
  type Run = readonly [name: string, argv: readonly string[], given?: Given];
  const runs: readonly Run[] = [
    ["apps", ["apps"]],
    ["apps-ids", ["apps", "-o", "ids"]],
    ["entitlements", ["entitlements/Okta"]],
    ["entitlements-json", ["entitlements/Okta", "--format", "json"]],
    ["entitlements-output-json", ["entitlements/Okta", "-o", "json"]],
    ["entitlements-output-yaml", ["entitlements/Okta", "-o", "yaml"]],
    ["entitlements-ids", ["entitlements/Okta", "-o", "ids"]],
    ["templates", ["templates"]],
    ["user", ["users/jon*"]],
    ["user-yaml", ["users/jon*", "-o", "yaml"]],
    ["attributes", ["values"]],
    ["attribute-values", ["values/subject.job_title", "values/costCenter"]],
    ["attribute-values-json", ["values/department", "-o", "json"]],
    ["no-attribute", ["values/departmnt"]],
    ["policies", ["policies", "resources/Okta"]],
    ["values", ["risk-levels", "compliance-frameworks", "access-profiles"]],
    ["values-yaml", ["risk-levels", "access-profiles", "--format", "yaml"]],
    ["types", ["ResourceType/Okta", "resource-types/Okta", "--format", "table"]],
    ["template", ["TemplateScope/Two people"]],
    ["template-json", ["TemplateScope/Two people", "--format", "json"]],
    ["template-several", ["TemplateScope/Quarterly review", "--format", "table"]],
    ["managed-elsewhere", ["EntitlementAutomation/2fsgTvxP0DVTsNXEUBI7hOe0l5A/GXCHgcdFEFm11pK2u2pFAiVHOaW"]],
    ["nothing-fits", ["apps/nothing", "users/nobody@x.test"]],
    ["nothing-called", ["ResourceType/Githu"]],
    ["not-there", ["TemplateScope/JOecnR59DBfsAvI947uecROz1vi"]],
    ["ambiguous", ["entitlements/C1"]],
    ["no-such-kind", ["app"]],
    ["refused", ["risk-levels"], { prepare: refusing("*/attributes/risk_levels") }],
    ["refused-in-part", ["entitlements/Okta", "access-profiles", "-q"], { prepare: refusing("*/entitlements") }],
    ["core", ["TemplateScope", "--interface", "core"]],
    ["invalid-project", ["risk-levels", "TemplateScope/Two people", "-o", "ids"], { prepare: broken }],
  ];

  test.each(runs.map(([name, argv, given = {}]) => [name, argv, given] as const))("%s", async (name, argv, given) => {
    expectFace(join(FACES, `get-${name}.face`), await face(BROWNFIELD, ["get", ...argv], given));
  });
});

describe("remit get, of a project that was applied,", () => {
  type Run = readonly [name: string, argv: readonly string[]];
  const runs: readonly Run[] = [
    ["address", ["TemplateScope/privileged-access"]],
    ["everything", ["-o", "table"]],
    ["addresses", ["EntitlementAutomation", "--format", "table"]],
  ];
  test.each(runs)("%s", async (name, argv) => {
    expectFace(join(FACES, `get-${name}.face`), await face(LARKSPUR, ["get", ...argv], { before: [APPLIED] }));
  });

  test("gives manifests whose plan is empty", async () => {
    const shown = await face(LARKSPUR, ["get"], { before: [APPLIED] });
    const [, text = ""] = /──── stdout\n([\s\S]*?)\n──── stderr/.exec(shown) ?? [];
    const again = (cwd: string) => {
      rmSync(join(cwd, "manifests"), { recursive: true });
      mkdirSync(join(cwd, "manifests"));
      writeFileSync(join(cwd, "manifests", "found.yaml"), text);
    };
    const planned = await face(LARKSPUR, ["plan", "--detailed-exitcode"], { before: [APPLIED, again] });
    expect(planned).toContain("exit 0\n");
    expect(planned).toContain("0 to create, 0 to change, 0 to delete");
  });
});
