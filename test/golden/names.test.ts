import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { expectFace, face, type Given } from "./harness.js";

const FACES = join(import.meta.dirname, "faces");
const BROWNFIELD = "examples/brownfield";

const MANIFEST = `apiVersion: remit/v1
kind: TemplateScope
metadata: { name: privileged }
spec:
  templateId: { name: Privileged access }
  scope:
    appSelectionCriteria:
      riskLevelAttributeValueIds: [{ name: High }, { name: Critical }]
      complianceFrameworkAttributeValueIds: [{ name: High }]
    userCriteria: { managerUserIds: [{ email: mia@fernhill.example }] }
    grantsByCriteria:
      accessProfileFilter:
        filterType: ACCESS_PROFILE_FILTER_TYPE_EXCLUDE_SPECIFIC
        excludedAccessProfileIds: [{ name: Clinic starter }]
`;

/** The manifest is written with one text for another, and the service has some faults. */
function given(changes: Readonly<Record<string, string>> = {}, refused: readonly string[] = []): (cwd: string) => void {
  return (cwd) => {
    mkdirSync(join(cwd, "manifests"), { recursive: true });
    let text = MANIFEST;
    for (const [before, after] of Object.entries(changes)) {
      expect(text).toContain(before);
      text = text.replace(before, after);
    }
    writeFileSync(join(cwd, "manifests", "privileged.yaml"), text);
    if (refused.length === 0) return;
    const rules = refused.map((path) => `  - { fault: error, status: 403, path: '${path}' }\n`).join("");
    writeFileSync(join(cwd, "faults.yaml"), `rules:\n${rules}`);
    const settings = readFileSync(join(cwd, "remit.yaml"), "utf8");
    writeFileSync(join(cwd, "remit.yaml"), settings.replace("seed: seed.yaml }", "seed: seed.yaml, faults: faults.yaml }"));
  };
}

const LISTS = ["*/catalogs", "*/attributes/risk_levels"];
const FRAMEWORKS = "      complianceFrameworkAttributeValueIds: [{ name: High }]\n";
const APPLY = ["apply", "--yes", "--acknowledge", "scope-emptied", "--impact", "off"];

describe("a plan of a manifest with names", () => {
  type Run = readonly [name: string, argv: readonly string[], given: Given];
  const runs: readonly Run[] = [
    ["text", [], { prepare: given() }],
    ["markdown", ["--format", "markdown"], { prepare: given({ [FRAMEWORKS]: "" }) }],
    ["json", ["--format", "json"], { prepare: given() }],
    ["offline", ["--offline"], { prepare: given(), before: [APPLY] }],
    ["offline-first", ["--offline"], { prepare: given() }],
    [
      "mistaken",
      [],
      {
        prepare: given({
          "{ name: Privileged access }": "{ name: Quarterly review }",
          "{ name: Critical }": "{ name: critical }",
          "complianceFrameworkAttributeValueIds: [{ name: High }": "complianceFrameworkAttributeValueIds: [{ name: SOC }",
          "mia@fernhill.example": "MIA@fernhill.example",
          "Clinic starter": "Summer 2019",
        }),
      },
    ],
    ["refused", [], { prepare: given({}, LISTS) }],
    ["invalid", [], { prepare: given({ "{ email: mia@fernhill.example }": "{ name: Mia Holt }", "{ name: Critical }": "{}" }) }],
  ];

  test.each(runs)("%s", async (name, argv, before) => {
    expectFace(join(FACES, `names-${name}.face`), await face(BROWNFIELD, ["plan", "--impact", "off", ...argv], before));
  });
});
