import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { edit, faces } from "./larkspur.js";

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

/** The manifest with another rule. */
function ruled(rule: string): (cwd: string) => void {
  return edit("manifests/groups.yaml", 'subject.department == "Engineering" && subject.employmentType == "Employee"', rule);
}

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
  ["nothing-asked", [], { before }],
  ["no-users", [ADDRESS], { before: [DIRECTORS] }],
  ["unknown", ["EntitlementAutomation/enginering"], { before }],
]);
