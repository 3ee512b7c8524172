import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { APPLIED, edit, faces, write } from "./larkspur.js";

const ADDRESS = "EntitlementAutomation/engineering";

/** Four engineers and a lawyer, of whom some have the entitlement. */
function people(cwd: string): void {
  const of = (name: string, department: string, jobTitle: string) =>
    `  - { name: ${name}, email: ${name.toLowerCase()}@larkspur.example, department: ${department}, jobTitle: ${jobTitle} }\n`;
  const users = [
    of("Ana", "Engineering", "Analyst"),
    of("Bo", "Engineering", "Director"),
    of("Cy", "Engineering", "Analyst"),
    of("Di", "Law", "Director"),
  ].join("");
  const members = "members:\n  - { entitlement: C1/c1-engineering-member, departments: [Engineering] }\n";
  appendFileSync(join(cwd, "seed.yaml"), `users:\n${users}${members}`);
}

/** A rule that gives the engineers the second group, too. */
const SUPPORT_TOO = write(
  "manifests/support.yaml",
  [
    "apiVersion: remit/v1",
    "kind: EntitlementAutomation",
    "metadata: { name: support }",
    "spec:",
    "  appId: { name: C1 }",
    "  appEntitlementId: { alias: c1-support-member }",
    "  displayName: Support",
    '  cel: { expression: subject.department == "Engineering" || subject.department == "Law" }',
    "",
  ].join("\n"),
);

/** The manifest with another rule. */
function ruled(rule: string): (cwd: string) => void {
  return edit("manifests/groups.yaml", 'subject.department == "Engineering" && subject.employmentType == "Employee"', rule);
}

/** No one should be in engineering and in support. */
const APART = [
  ruled('subject.department == "Engineering"'),
  write(
    "manifests/apart.yaml",
    [
      "apiVersion: remit/v1",
      "kind: AccessConflict",
      "metadata: { name: apart }",
      "spec:",
      "  displayName: Engineering and support",
      "  groupA: [{ appId: { name: C1 }, id: { name: Engineering Member } }]",
      "  groupB: [{ appId: { name: C1 }, id: { name: Support Member } }]",
      "",
    ].join("\n"),
  ),
  APPLIED,
];
/** A fourth engineer: more names than a sentence has in brackets. */
const cloned = edit("seed.yaml", "  - { name: Di,", "  - { name: Ed, email: ed@larkspur.example, department: Engineering, jobTitle: Analyst }\n  - { name: Di,");
const supported = (cwd: string) =>
  appendFileSync(join(cwd, "seed.yaml"), "  - { entitlement: C1/c1-support-member, users: [ana@larkspur.example] }\n");

const DIRECTORS = ruled('subject.jobTitle == "Director"');
const LAWYERS = 'subject.department == "Law"';
const before = [people, DIRECTORS];

faces("impact", [
  ["rule", [ADDRESS], { before }],
  ["named", [ADDRESS, "--people"], { before }],
  ["json", [ADDRESS, "--format", "json"], { before }],
  ["person", [ADDRESS, "--user", "ana@larkspur.example"], { before }],
  ["person-json", [ADDRESS, "--user", "di@larkspur.example", "--format", "json"], { before }],
  ["no-user", [ADDRESS, "--user", "eve@larkspur.example"], { before }],
  ["unchanged", [ADDRESS], { before: [people, ruled('subject.department == "Engineering"')] }],
  ["unchanged-json", [ADDRESS, "--format", "json"], { before: [people, ruled('subject.department == "Engineering"')] }],
  ["unchanged-person", [ADDRESS, "--user", "ana@larkspur.example"], { before: [people, ruled('subject.department == "Engineering"')] }],
  ["matches", ["--user", "ana@larkspur.example"], { before }],
  ["matches-json", ["--user", "di@larkspur.example", "--format", "json"], { before }],
  ["no-move", ["--user", "bo@larkspur.example"], { before: [people, ruled('subject.jobTitle != "Lawyer"')] }],
  ["what-if", ["--rule", LAWYERS], { before }],
  ["what-if-no-one", ["--rule", 'subject.department == "Enginering"'], { before }],
  ["what-if-on", ["--rule", LAWYERS, "--on", "C1/c1-engineering-member", "--people"], { before }],
  ["what-if-on-new", ["--rule", LAWYERS, "--on", "C1/c1-contractors-member"], { before }],
  ["what-if-on-json", ["--rule", LAWYERS, "--on", "C1/c1-support-member", "--format", "json"], { before }],
  ["what-if-person", ["--rule", LAWYERS, "--user", "di@larkspur.example"], { before }],
  ["what-if-on-person", ["--rule", LAWYERS, "--on", "C1/c1-engineering-member", "--user", "di@larkspur.example"], { before }],
  ["what-if-fault", ["--rule", "subjct.department == 'Law' && subject.email.endWith('x')"], { before }],
  ["what-if-on-what", ["--rule", LAWYERS, "--on", "C1/engineering"], { before }],
  ["what-if-on-alone", ["--on", "C1/c1-engineering-member"], { before }],
  ["conflict-named", ["--conflict", "apart", "--people"], { before: [people, supported, ...APART] }],
  ["conflict-json", ["--conflict", "AccessConflict/apart", "--format", "json"], { before: [people, supported, ...APART] }],
  ["conflict-and-rule", ["--conflict", "apart", "--rule", LAWYERS], { before }],
  ["nothing-asked", [], { before }],
  ["no-users", [ADDRESS], { before: [DIRECTORS] }],
  ["unknown", ["EntitlementAutomation/enginering"], { before }],
]);

faces("plan", [
  ["conflict-named", ["--people", "--target", "EntitlementAutomation/support"], { before: [people, cloned, ...APART, SUPPORT_TOO] }],
  ["conflict-markdown", ["--format", "markdown"], { before: [people, ...APART, SUPPORT_TOO] }],
  ["conflict-not-counted", ["--impact", "off"], { before: [people, ...APART, SUPPORT_TOO, edit("remit.yaml", "concurrency: 1", "concurrency: 1\nguards: { conflict: strict }")] }],
]);
