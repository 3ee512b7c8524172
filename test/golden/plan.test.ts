import { cpSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { face } from "./harness.js";
import { APPLIED, CUT_OFF, type Case, drift, edit, faces, faults, LARKSPUR, locked, remove, rules, SUPPORT, write } from "./larkspur.js";

const GROUPS = "manifests/groups.yaml";
const REVIEW = "manifests/review.yaml";

const edited = edit(GROUPS, '"Contractor"', '"Contractor" && subject.isActive');
const drifted = drift('subject.employmentType == \\"Contractor\\"', "true");

const ROTATION = `apiVersion: remit/v1
kind: ResourceType
metadata: { name: rotation }
spec:
  appId: 2appPagerDutyaaaaaaaaaaaaaa
  resourceType: CUSTOM
  displayName: Rotation
`;

const ways: readonly Case[] = [
  ["first", []],
  ["first-markdown", ["--format", "markdown", "--link-base", "https://git.example/larkspur/blob/1f2e"]],
  ["first-json", ["--format", "json"]],
  ["first-coloured", ["--color"]],
  ["first-forced-colour", ["-l", "team=security"], { env: { FORCE_COLOR: "1" } }],
  ["no-colour-wins", ["-l", "team=security"], { env: { FORCE_COLOR: "1", NO_COLOR: "1" } }],
  ["nothing-to-do", ["--detailed-exitcode"], { before: [APPLIED] }],
  ["nothing-to-do-markdown", ["--format", "markdown"], { before: [APPLIED] }],
  ["pending", ["-l", "team=security", "--detailed-exitcode"]],
  ["quiet", ["-q", "-l", "team=security"]],
  ["target", ["--target", "ResourceType/on-call-rotation"]],
  ["target-unknown", ["--target", "ResourceType/on-cal-rotation"]],
  ["selector-unfit", ["-l", "team="]],
  ["offline", ["--offline"], { before: [APPLIED, edited] }],
  ["offline-first", ["--offline"]],
  [
    "offline-renamed",
    ["--offline", "rotation.yaml"],
    { before: [write("rotation.yaml", ROTATION), ["apply", "--yes", "rotation.yaml"], edit("rotation.yaml", "name: rotation", "name: rotations")] },
  ],
  ["core", ["--interface", "core"]],
];

const FIRST_WRITE = edit("remit.yaml", "concurrency: 1", "concurrency: 1\nguards: { firstWrite: allow }");
const ON_CORE = ["--interface", "core", "support.yaml"];
const unseen: readonly Case[] = [
  ["written-unseen", ON_CORE, { before: [FIRST_WRITE, write("support.yaml", SUPPORT)] }],
  ["written-unseen-markdown", [...ON_CORE, "--format", "markdown"], { before: [FIRST_WRITE, write("support.yaml", SUPPORT)] }],
  [
    "recorded-on",
    ON_CORE,
    { before: [FIRST_WRITE, write("support.yaml", SUPPORT), ["apply", "--yes", ...ON_CORE], edit("support.yaml", '"Support" }', '"Help desk" }')] },
  ],
];

const RULES = `apiVersion: remit/v1
kind: AppConfigurationRules
metadata: { name: github }
spec:
  appId: { name: GitHub }
  rules:
    - { displayName: Admins, condition: entitlement.display_name.contains("Admin"), settings: { maxGrantDuration: 8h } }
    - { displayName: Rest, settings: { maxGrantDuration: 30d } }
`;
const cutRules = [
  write("rules.yaml", RULES),
  ["apply", "--yes", "rules.yaml"],
  edit("rules.yaml", "8h", "4h"),
  ...rules("  - { fault: quirks, quirks: { cutRules: true } }\n"),
] as const;

const causes: readonly Case[] = [
  ["rules-not-whole", ["rules.yaml"], { before: cutRules }],
  ["edited", [], { before: [APPLIED, edited] }],
  ["drifted", [], { before: [APPLIED, drifted] }],
  ["drifted-refresh-only", ["--refresh-only"], { before: [APPLIED, drifted] }],
  ["edited-and-drifted", [], { before: [APPLIED, edited, drifted] }],
];

const givenBack = edit(GROUPS, "  description: Everyone in engineering, for as long as they stay.\n", "");
const renamed = edit(GROUPS, "name: contractors", "name: externals");
const replaced = edit(GROUPS, "c1-contractors-member", "c1-support-member");
const protect = edit(GROUPS, "  labels: { team: it }", '  labels: { team: it }\n  annotations: { remit/protect: "true" }');
const unlabelled = edit(GROUPS, "  labels: { team: it }\n", "");
const ofTeam = [
  edit("remit.yaml", "concurrency: 1", "concurrency: 1\nguards: { own: [team.yaml] }"),
  write("team.yaml", "apiVersion: remit/v1\nkind: Guard\nmetadata: { name: names }\nspec: { on: { labels: { team: it } }, trips: '\"displayName\" in step.changed', message: Names stay. }\n"),
];
const cut = "sandbox: { seed: seed.yaml, interface: core }";

const reasons: readonly Case[] = [
  [
    "managed-elsewhere",
    ["--target", "EntitlementAutomation/engineering"],
    { before: [edit("seed.yaml", "    name: Engineering\n", "    name: Engineering\n    managedBy: 2catEngineeringaaaaaaaaaaaa\n")] },
  ],
  [
    "managed-elsewhere-equal",
    ["--target", "EntitlementAutomation/engineering", "--format", "markdown"],
    { before: [["apply", "--yes", "--target", "EntitlementAutomation/engineering"], drift('"description":"Everyone', '"managedByRequestCatalogId":"2catEngineeringaaaaaaaaaaaa","description":"Everyone')] },
  ],
  ["cannot-create", ["--interface", "core", "rotation.yaml"], { before: [write("rotation.yaml", ROTATION)] }],
  ["adopt", [], { before: [APPLIED, remove(".remit/state.json")] }],
  ["given-back", [], { before: [APPLIED, givenBack] }],
  ["renamed", [], { before: [APPLIED, renamed] }],
  ["replaced", [], { before: [APPLIED, replaced] }],
  ["replaced-markdown", ["--format", "markdown"], { before: [APPLIED, replaced] }],
  [
    "replaced-json",
    ["--format", "json", "--target", "EntitlementAutomation/contractors"],
    { before: [APPLIED, replaced] },
  ],
  ["labels", [], { before: [APPLIED, unlabelled] }],
  ["labels-markdown", ["--format", "markdown"], { before: [APPLIED, unlabelled] }],
  ["labels-json", ["--format", "json"], { before: [APPLIED, unlabelled] }],
  ["labels-guarded", [], { before: [APPLIED, ...ofTeam, unlabelled, edit(GROUPS, "displayName: ", "displayName: The ")] }],
  ["protection-changed", [], { before: [APPLIED, protect] }],
  ["forget", [], { before: [APPLIED, remove(GROUPS)] }],
  ["prune", ["--prune"], { before: [APPLIED, remove(GROUPS)] }],
  ["prune-type", ["--prune"], { before: [APPLIED, remove("manifests/types.yaml")] }],
  [
    "prune-type-by-name",
    ["--prune", "--cascade", "ResourceType/on-call-rotation"],
    { before: [APPLIED, remove("manifests/types.yaml")] },
  ],
  ["gone", [], { before: [APPLIED, remove(".remit/sandbox.json")] }],
  ["gone-markdown", ["--format", "markdown", "-l", "team=it"], { before: [APPLIED, remove(".remit/sandbox.json")] }],
  ["no-such-name", [], { before: [edit(GROUPS, "c1-contractors-member", "c1-contractor-member")] }],
  ["no-such-template", [], { before: [edit(REVIEW, "2ty9Pf34qY6Nb3wWD25RQ4F5ZR3", "2ty9Pf34qY6Nb3wWD25RQ4F5ZZZ")] }],
  ["read-failed", ["--target", "TemplateScope/privileged-access"], { before: [faults("500=1")] }],
  [
    "current-unknown",
    ["--target", "TemplateScope/privileged-access"],
    { before: [edit("remit.yaml", "sandbox: { seed: seed.yaml }", cut), edit(REVIEW, "  entitlements:\n", "  # entitlements:\n"), edit(REVIEW, "    - {", "    # - {")] },
  ],
];

const recovered: readonly Case[] = [
  ["recovered", [], CUT_OFF],
  ["under-way", [], { ...CUT_OFF, before: [...(CUT_OFF.before ?? []), locked] }],
];

const everyone = edit(GROUPS, 'subject.employmentType == "Contractor"', '"true"');
const guards: readonly Case[] = [
  ["guard-everyone", [], { before: [everyone] }],
  ["guard-acknowledged", ["--acknowledge", "everyone=EntitlementAutomation/contractors"], { before: [everyone] }],
  [
    "guard-acknowledged-in-project",
    [],
    { before: [everyone, acknowledge("2026-03-31")] },
  ],
  ["guard-acknowledgement-expired", [], { before: [everyone, acknowledge("2025-12-31")] }],
  ["guard-acknowledgement-too-long", [], { before: [everyone, acknowledge("2026-12-31")] }],
  ["guard-acknowledgement-of-no-address", [], { before: [everyone, acknowledge("2026-03-31"), edit("remit.yaml", "    address: EntitlementAutomation/contractors\n", "")] }],
  ["guard-protected", ["--prune"], { before: [protect, APPLIED, remove(GROUPS)] }],
  ["guard-scope-emptied", [], { before: [APPLIED, edit(REVIEW, "userCriteria: { userStatus: [ENABLED] }", "allUsers: {}"), edit(REVIEW, "    grantsByCriteria: { daysSinceLastUsed: 90d }\n", "")] }],
  ["guard-max-deletes", ["--prune"], { before: [APPLIED, edit("remit.yaml", "concurrency: 1", "concurrency: 1\nguards: { maxDeletes: 1 }"), remove(GROUPS)] }],
  ["guard-max-changes", [], { before: [edit("remit.yaml", "concurrency: 1", "concurrency: 1\nguards: { maxChanges: 2 }")] }],
  [
    "guard-unknown-current",
    ["--offline", "support.yaml"],
    { before: [write("support.yaml", SUPPORT), ["apply", "--yes", "support.yaml"], edit("support.yaml", '"Support" }', '"Help desk" }')] },
  ],
  ["guard-unknown", ["--acknowledge", "evryone"], { before: [everyone] }],
];

function acknowledge(until: string): (cwd: string) => void {
  return edit(
    "remit.yaml",
    "concurrency: 1",
    `acknowledge:\n  - guard: everyone\n    address: EntitlementAutomation/contractors\n    until: ${until}\n    reason: the company meets next week`,
  );
}

const HOSTILE = `apiVersion: remit/v1
kind: ResourceType
metadata: { name: hostile }
spec:
  appId: 2appPagerDutyaaaaaaaaaaaaaa
  resourceType: CUSTOM
  displayName: "\\e[31m<script>|\`a\`\\n::error::gone ##[error] @everyone"
`;

const hostile: readonly Case[] = [
  ["hostile", ["hostile.yaml"], { before: [write("hostile.yaml", HOSTILE)] }],
  ["hostile-markdown", ["hostile.yaml", "--format", "markdown"], { before: [write("hostile.yaml", HOSTILE)] }],
  ["hostile-json", ["hostile.yaml", "--format", "json"], { before: [write("hostile.yaml", HOSTILE)] }],
];

const REPORTS = ["--report", "text=a.txt", "--report", "markdown=a.md", "--report", "json=a.json"];
const reported = { look: (cwd: string) => ["a.txt", "a.md", "a.json"].map((file) => `${file}:\n${readFileSync(join(cwd, file), "utf8")}`).join("\n") };

const OUTPUTS = [
  ["plan", "--out", "manifests/plan.json", "--report", "json=manifests/a.json"],
  ["apply", "--yes", "--report", "json=manifests/b.json"],
  (cwd: string) => cpSync(join(cwd, ".remit/state.json"), join(cwd, "manifests/state.json")),
];

const faulty: readonly Case[] = [
  ["invalid-manifest", [], { before: [edit(GROUPS, "displayName: Contractors", "displayNam: Contractors")] }],
  ["strict", ["--strict"], { before: [edit(REVIEW, "ENABLED", "ENABLE")] }],
  ["invalid-project", [], { before: [edit("remit.yaml", "concurrency: 1", "concurency: 1")] }],
  ["sandbox-without-seed", [], { before: [edit("remit.yaml", "seed.yaml", "sed.yaml")] }],
  ["own-outputs", ["-v", "--offline"], { before: OUTPUTS }],
  ["own-outputs-hidden", [], { before: OUTPUTS }],
  ["invalid-reports", ["-q", ...REPORTS], { before: [edit(GROUPS, "displayName: Contractors", "displayNam: Contractors")], ...reported }],
  ["failed-reports", ["-q", "--format", "json", ...REPORTS], { before: rules("  - { fault: error, status: 403, path: '/api/v1/apps' }\n"), ...reported }],
  ["out-nowhere", ["--out", "remit.yaml/plan.json"], {}],
];

const OWN = `tenant: larkspur
apps:
  - name: C1
    id: 2fsgTvxP0DVTsNXEUBI7hOe0l5A
  - name: GitHub
    id: 2appGitHubaaaaaaaaaaaaaaaaa
    entitlements:
      - { name: GitHub Access, slug: access, id: 287oY0rG4UirjDNFEYguMBvxyim }
riskLevels:
  - { name: High, id: 2valHighaaaaaaaaaaaaaaaaaaa }
`;
const FIXED = `apiVersion: remit/v1
kind: App
metadata: { name: own-app }
spec: { id: 2fsgTvxP0DVTsNXEUBI7hOe0l5A, displayName: Ours }
---
apiVersion: remit/v1
kind: Entitlement
metadata: { name: access }
spec: { appId: { name: GitHub }, id: 287oY0rG4UirjDNFEYguMBvxyim, displayName: Everyone }
---
apiVersion: remit/v1
kind: RiskLevel
metadata: { name: high }
spec: { id: 2valHighaaaaaaaaaaaaaaaaaaa, value: Highest }
`;
const NOTHING = `apiVersion: remit/v1
kind: Entitlement
metadata: { name: unknown }
spec: { appId: { name: GitHub }, id: { slug: nothing }, durationGrant: 1d }
`;
const BADGES = `apiVersion: remit/v1
kind: App
metadata: { name: badges }
spec: { displayName: Badges }
`;
const APPLIED_BADGES = [write("badges.yaml", BADGES), ["apply", "--yes", "badges.yaml"]] as const;
const REMOVED = edit("remit.yaml", "concurrency: 1", "concurrency: 1\nremoved: [{ address: App/badges, then: delete }]");
/** What the service refuses of apps, of settings of entitlements and of values. */
const fixed: readonly Case[] = [
  ["fixed-by-service", ["fixed.yaml"], { before: [write("seed.yaml", OWN), write("fixed.yaml", FIXED)] }],
  ["settings-of-nothing", ["fixed.yaml"], { before: [write("seed.yaml", OWN), write("fixed.yaml", NOTHING)] }],
  ["delete-without-entry", ["--prune", "--target", "App/badges"], { before: [...APPLIED_BADGES, remove("badges.yaml")] }],
  [
    "delete-of-another-system",
    ["--target", "App/badges"],
    { before: [...APPLIED_BADGES, remove("badges.yaml"), drift('"displayName":"Badges"', '"displayName":"Badges","isDirectory":true'), REMOVED] },
  ],
];

test("a saved plan's mode holds what was asked of the plan, and no other flag", async () => {
  const asked = ["--refresh-only", "--prune", "--target", "Entitlement*", "--cascade", "ResourceType/a"];
  const others = ["--strict", "-q", "--no-color", "--detailed-exitcode", "--concurrency", "3", "--acknowledge", "everyone"];
  const modes: unknown[] = [];
  const look = (cwd: string) => {
    modes.push(JSON.parse(readFileSync(join(cwd, "plan.json"), "utf8")).plan.mode);
    return "";
  };
  await face(LARKSPUR, ["plan", "--out", "plan.json", ...asked, ...others], { before: [APPLIED], look });
  await face(LARKSPUR, ["plan", "--out", "plan.json", "--offline", "-l", "team=it"], { look });
  const none = { offline: false, refreshOnly: false, prune: false, cascade: [], targets: [], selector: null };
  expect(modes).toEqual([
    { ...none, refreshOnly: true, prune: true, targets: ["Entitlement*"], cascade: ["ResourceType/a"] },
    { ...none, offline: true, selector: "team=it" },
  ]);
});

faces("plan", [...ways, ...recovered, ...causes, ...unseen, ...reasons, ...guards, ...hostile, ...faulty, ...fixed]);
