import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { expectFace, face, type Given } from "./harness.js";

const FACES = join(import.meta.dirname, "contexts", "diff");

const CONTEXTS = `server: sandbox
contexts:
  eu: { sandbox: { seed: eu.yaml } }
  us: { sandbox: { seed: us.yaml } }
`;

/** Against the other one: a rule and a policy that differ, a rule that is the same by other ids, two apps of one name. */
const EU = `tenant: fernhill-eu
apps:
  - name: C1
    id: 2appC1InEurope0000000000000
    types: [{ name: Group, kind: GROUP, resources: [Engineering, Sales], entitlements: [Member] }]
  - name: GitHub
    id: 2appGitHubOrAws000000000000
    fields: { isManuallyManaged: true }
    types: [{ name: Repository, traits: [2fernhillTrait0000000000001] }]
  - { name: Twin, types: [{ name: Console }] }
  - { name: Twin, id: 2appTwinOther00000000000000 }
users:
  - { name: Ana Ruiz, email: ana@fernhill.example, id: 2userAna0rBo000000000000000 }
policies:
  - { name: Owner, id: 2policyOwnerEu0000000000000 }
  - { name: Two people, id: 2policyTwoPeople00000000000, description: Asks two people. }
  - { name: Emergency }
riskLevels: [Low, High]
templates:
  - name: Quarterly
    id: 2templateQuarterlyEu0000000
    fields: { policyId: 2policyOwnerEu0000000000000 }
    scope: { specificResources: {}, allUsers: {} }
campaigns: [{ name: Autumn, template: Quarterly, tasks: 3 }]
automations:
  - { entitlement: C1/c1-engineering-member, name: Engineering, cel: 'subject.department == "Engineering"' }
  - entitlement: C1/c1-sales-member
    entitlements: [C1/c1-engineering-member]
    excludedUsers: [2userAna0rBo000000000000000]
`;

/** The ids of Europe that stand for something else here would match, if an id was ever compared or remembered. */
const US = EU.replace("fernhill-eu", "fernhill-us")
  .replace("2appC1InEurope0000000000000", "2appGitHubOrAws000000000000")
  .replace("- name: GitHub\n    id: 2appGitHubOrAws000000000000", "- name: GitHub\n    id: 2appC1InEurope0000000000000")
  .replaceAll("2policyOwnerEu0000000000000", "2policyTwoPeople00000000001")
  .replace("2policyTwoPeople00000000000, description: Asks two people.", "2policyOwnerEu0000000000000, description: Asks two people of one team.")
  .replace("  - { name: Emergency }\n", "")
  .replace("riskLevels: [Low, High]", "riskLevels: [Low, High, Critical]")
  .replaceAll("2userAna0rBo000000000000000", "2userAnaInAmerica0000000000")
  .replace("2templateQuarterlyEu0000000", "2templateQuarterlyUs0000000")
  .replace('subject.department == "Engineering"', 'subject.department == "Engineering" && subject.status == "ENABLED"')
  .replace("types: [{ name: Repository,", "types: [{ name: Team }, { name: Repository,");

function two(us: string, faults = ""): Given {
  return {
    prepare(cwd) {
      writeFileSync(join(cwd, "remit.yaml"), faults === "" ? CONTEXTS : CONTEXTS.replace("us.yaml", "us.yaml, faults: faults.yaml"));
      writeFileSync(join(cwd, "eu.yaml"), EU);
      writeFileSync(join(cwd, "us.yaml"), us);
      writeFileSync(join(cwd, "faults.yaml"), `rules:\n${faults}`);
    },
  };
}

const refusing = (path: string) => `  - { fault: error, status: 403, path: '${path}' }\n`;

describe("remit contexts diff", () => {
  type Run = readonly [name: string, argv: readonly string[], given: Given];
  const runs: readonly Run[] = [
    ["text", ["eu", "us"], two(US)],
    ["json", ["eu", "us", "--format", "json", "--kind", "Policy", "--kind", "EntitlementAutomation", "-q", "--detailed-exitcode"], two(US)],
    ["same", ["eu", "us", "-q", "--detailed-exitcode", "--kind", "EntitlementAutomation"], two(EU)],
    ["unread", ["us", "eu", "-q", "--kind", "RiskLevel", "--kind", "Policy"], two(US, refusing("*/search/policies"))],
    ["unread-names", ["eu", "us", "-q", "--kind", "ReviewTemplate", "--detailed-exitcode"], two(EU, refusing("*/search/policies"))],
    ["nothing-read", ["eu", "us", "-q", "--kind", "RiskLevel"], two(US, refusing("*"))],
    ["twice", ["eu", "eu"], two(US)],
    ["unknown", ["eu", "su"], two(US)],
    ["unknown-kind", ["eu", "us", "--kind", "Polcy"], two(US)],
    ["other-place", ["eu", "us"], { ...two(US), env: { REMIT_SERVER: "https://fernhill.example" } }],
  ];

  test.each(runs)("%s", async (name, argv, given) => {
    expectFace(join(FACES, `${name}.face`), await face(null, ["contexts", "diff", ...argv], given));
  });

  test("sends no credential that is not the context's own", async () => {
    const shown = await face(null, ["contexts", "diff", "eu", "us"], {
      prepare(cwd) {
        const server = (name: string) => `https://${name}.invalid`;
        writeFileSync(join(cwd, "remit.yaml"), `contexts:\n  eu: { server: "${server("eu")}" }\n  us: { server: "${server("us")}" }\n`);
      },
      env: { REMIT_CONTEXT_EU_TOKEN: "of-eu", REMIT_TOKEN: "of-no-context" },
    });
    expectFace(join(FACES, "credentials.face"), shown);
    expect(readFileSync(join(FACES, "credentials.face"), "utf8")).not.toContain("of-");
  });
});
