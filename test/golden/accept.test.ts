import { mkdirSync, readdirSync, readFileSync, renameSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { APPLIED, type Case, drift, edit, faces, remove } from "./larkspur.js";

const GROUPS = "manifests/groups.yaml";
const REVIEW = "manifests/review.yaml";
const manifests = (cwd: string) =>
  readdirSync(join(cwd, "manifests"))
    .sort()
    .map((name) => `${name}:\n${readFileSync(join(cwd, "manifests", name), "utf8")}`)
    .join("\n");
const file = (name: string) => (cwd: string) => readFileSync(join(cwd, name), "utf8");

const drifted = drift('subject.employmentType == \\"Contractor\\"', "true");
const edited = edit(GROUPS, '"Contractor"', '"Contractor" && subject.isActive');
const CONTRACTORS = "EntitlementAutomation/contractors";
const REFRESH = ["plan", "--refresh-only", "--out", "drift.json"];
const NEW_TENANT = remove(".remit/sandbox.json");

/** A tenant whose review was opened to everyone, and whose automations and type are gone. */
const emptied: Case[2] = { before: [APPLIED, NEW_TENANT] };

faces("accept", [
  ["asks", [CONTRACTORS], { before: [APPLIED, drifted] }],
  ["answered-no", [CONTRACTORS], { before: [APPLIED, drifted], answer: "no", look: file(GROUPS) }],
  ["answered-yes", [CONTRACTORS], { before: [APPLIED, drifted], answer: "yes", look: file(GROUPS) }],
  ["field", [`${CONTRACTORS}#cel.expression`, "--yes", "-q"], { before: [APPLIED, drifted], look: file(GROUPS) }],
  ["no-such-field", [`${CONTRACTORS}#cell`, "--yes"], { before: [APPLIED, drifted] }],
  ["no-such-address", ["EntitlementAutomation/contractor", "--yes"], { before: [APPLIED, drifted] }],
  ["nothing", ["--all-drift", "--yes"], { before: [APPLIED] }],
  ["nothing-named", [], {}],
  ["edited-too", ["--all-drift", "--yes"], { before: [APPLIED, drifted, edited] }],
  ["edited-too-named", [CONTRACTORS, "--yes"], { before: [APPLIED, drifted, edited] }],
  ["deleted", ["--all-drift", "--yes"], { ...emptied, look: manifests }],
  ["deleted-field", [`${CONTRACTORS}#cel`, "--yes"], emptied],
  ["from", ["--all-drift", "--from", "drift.json", "--yes"], { before: [APPLIED, drifted, REFRESH], look: file(GROUPS) }],
  ["from-changed-file", ["--all-drift", "--from", "drift.json", "--yes"], { before: [APPLIED, drifted, REFRESH, edited] }],
  ["from-no-plan", ["--all-drift", "--from", "remit.yaml", "--yes"], {}],
  [
    "anchor",
    [CONTRACTORS, "--yes"],
    {
      before: [
        edit(GROUPS, "displayName: Contractors", "displayName: &name Contractors\n  description: *name"),
        APPLIED,
        drift('"displayName":"Contractors"', '"displayName":"Externals"'),
      ],
    },
  ],
  [
    "alias",
    [`${CONTRACTORS}#description`, "--yes"],
    {
      before: [
        edit(GROUPS, "displayName: Contractors", "displayName: &name Contractors\n  description: *name"),
        APPLIED,
        drift('"description":"Contractors"', '"description":"Externals"'),
      ],
    },
  ],
  [
    "merge",
    [CONTRACTORS, "--yes"],
    {
      before: [
        edit(GROUPS, "  labels: { team: it }\nspec:\n  appId: { name: C1 }\n  appEntitlementId: { alias: c1-contractors-member }\n  displayName: Contractors", "  labels: &of { team: it }\nspec:\n  <<: { displayName: Contractors }\n  appId: { name: C1 }\n  appEntitlementId: { alias: c1-contractors-member }"),
        APPLIED,
        drift('"displayName":"Contractors"', '"displayName":"Externals"'),
      ],
    },
  ],
  [
    "link",
    [CONTRACTORS, "--yes"],
    {
      before: [
        (cwd) => {
          mkdirSync(join(cwd, "real"));
          renameSync(join(cwd, GROUPS), join(cwd, "real", "groups.yaml"));
          symlinkSync("../real/groups.yaml", join(cwd, GROUPS));
        },
        APPLIED,
        drifted,
      ],
      look: file("real/groups.yaml"),
    },
  ],
  [
    "row",
    ["TemplateScope/privileged-access", "--yes"],
    {
      before: [
        APPLIED,
        drift('"appId":"2appGitHubaaaaaaaaaaaaaaaaa","appEntitlementId":"yQ3jP2hio3cxlxpTTqb05GRQWrj"', '"appId":"2appC1aaaaaaaaaaaaaaaaaaaaa","appEntitlementId":"K5j9KeQYo8xBcSJV3oqJQnAoqXV"'),
      ],
      look: file(REVIEW),
    },
  ],
  ["list", ["TemplateScope/privileged-access#entitlements", "--yes"], { ...emptied, look: file(REVIEW) }],
]);
