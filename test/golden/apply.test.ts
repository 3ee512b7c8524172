import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { APPLIED, type Case, CUT_OFF, drift, edit, faces, LOSING, locked, rules, write } from "./larkspur.js";

const GROUPS = "manifests/groups.yaml";
const REVIEW = "manifests/review.yaml";
const SAVED = ["plan", "--out", "plan.json"];
const edited = edit(GROUPS, '"Contractor"', '"Contractor" && subject.isActive');

const read = (...files: readonly string[]) => ({
  look: (cwd: string) => files.map((file) => `${file}:\n${readFileSync(join(cwd, file), "utf8")}`).join("\n"),
});
// The service keeps expressions without idle spaces, and this one has some.
const rewritten = () => [
  ...rules("  - { fault: quirks, quirks: { rewriteExpressions: true } }\n"),
  edit(GROUPS, 'employmentType == "Contractor"', 'employmentType   ==   "Contractor"'),
];
const lostHash = `sha256:${"0".repeat(64)}`;

const good: readonly Case[] = [
  ["yes", ["--yes"]],
  ["asked", [], { answer: "yes" }],
  ["declined", [], { answer: "y" }],
  ["quiet", ["--yes", "-q"]],
  ["json", ["--yes", "--format", "json"]],
  ["markdown", ["--yes", "--format", "markdown"]],
  ["events", ["--yes", "--json", "-l", "team=security"]],
  ["reports", ["--yes", "-q", "--report", "markdown=a.md", "--report", "json=a.json"], read("a.md", "a.json")],
  ["saved", ["plan.json"], { before: [SAVED] }],
  ["nothing-to-do", ["--yes"], { before: [APPLIED] }],
  ["nothing-to-do-saved", ["plan.json"], { before: [APPLIED, SAVED] }],
  ["edited", ["--yes"], { before: [APPLIED, edited] }],
];

const refused: readonly Case[] = [
  ["no-terminal", []],
  ["guarded", ["--yes"], { before: [edit(GROUPS, 'subject.employmentType == "Contractor"', '"true"')] }],
  ["unexpected", ["plan.json", "--expect", lostHash], { before: [SAVED] }],
  ["unexpected-form", ["plan.json", "--expect", "1f2e"], { before: [SAVED] }],
  ["tampered", ["plan.json"], { before: [SAVED, edit("plan.json", "On-call rotation", "On-call rotations")] }],
  ["repeated", ["plan.json"], { before: [SAVED, APPLIED] }],
  ["other-server", ["plan.json", "--server", "https://other.example"], { before: [SAVED], env: { REMIT_TOKEN: "a-token-that-is-long" } }],
  ["no-plan", ["plan.json"]],
  ["damaged-plan", ["plan.json"], { before: [write("plan.json", '{"formatVersion":1,')] }],
  ["empty-plan", ["plan.json"], { before: [write("plan.json", "")] }],
  ["blank-plan", ["plan.json"], { before: [write("plan.json", " \n")] }],
  ["marked-plan", ["plan.json"], { before: [write("plan.json", '\uFEFF{"formatVersion":1}')] }],
  ["page", ["page.html"], { before: [["plan", "--report", "html=page.html"]] }],
  ["folder-plan", ["folder.json"], { before: [(cwd) => void mkdirSync(join(cwd, "folder.json"))] }],
  ["moved", ["plan.json"], { before: [APPLIED, edited, SAVED, drift('"displayName":"Contractors"', '"displayName":"Consultants"')] }],
  ["blocked-alone", ["--yes", "--target", "TemplateScope/privileged-access"], { before: [edit(REVIEW, "2ty9Pf34qY6Nb3wWD25RQ4F5ZR3", "2ty9Pf34qY6Nb3wWD25RQ4F5ZZZ")] }],
  ["blocked", ["--yes"], { before: [edit(REVIEW, "2ty9Pf34qY6Nb3wWD25RQ4F5ZR3", "2ty9Pf34qY6Nb3wWD25RQ4F5ZZZ")] }],
];

const noTemplate = edit(REVIEW, "2ty9Pf34qY6Nb3wWD25RQ4F5ZR3", "2ty9Pf34qY6Nb3wWD25RQ4F5ZZZ");
const REPORTS = ["--report", "text=a.txt", "--report", "markdown=a.md", "--report", "json=a.json"];
const reported = read("a.txt", "a.md", "a.json");

const failures: readonly Case[] = [
  ["all-or-nothing", ["--yes", "--all-or-nothing", "-q", ...REPORTS], { before: [noTemplate], ...reported }],
  ["blocked-asked", ["-q"], { before: [noTemplate], answer: "yes" }],
  ["blocked-saved", ["plan.json"], { before: [noTemplate, SAVED] }],
  ["declined-reports", REPORTS, { answer: "no", ...reported }],
  ["locked", ["--yes", "--lock-timeout", "0", "--format", "json"], { before: [APPLIED, locked] }],
  ["repeated-reports", ["plan.json", ...REPORTS], { before: [SAVED, APPLIED], ...reported }],
];

const partly: readonly Case[] = [
  ["partly", ["--yes"], { before: rules("  - { fault: error, status: 500, path: '*/automation/create' }\n") }],
  [
    "partly-remaining",
    ["--yes", "-q", "--out-remaining", "rest.json"],
    { before: rules("  - { fault: error, status: 500, path: '*/automation/create' }\n") },
  ],
  ["slowed", ["--yes", "-q", "--concurrency", "1"], { before: rules("  - { fault: throttle, retryAfter: 3, path: '*/automation/create', times: 2 }\n") }],
  ["lost-reply", ["--yes", "-q"], { before: rules("  - { fault: lost, path: '*/automation/create', times: 1 }\n") }],
  ["uncertain", ["--yes", "-q", "--acknowledge", "unknown-current", "core.yaml"], { before: LOSING }],
  ["rewritten", ["--yes", "-q"], { before: rewritten() }],
  ["rewritten-strict", ["--yes", "-q", "--strict"], { before: rewritten() }],
  ["rewritten-again", ["--yes", "-q"], { before: [...rewritten(), APPLIED] }],
  [
    "interrupted",
    ["--yes", "-q"],
    { before: rules("  - { fault: throttle, retryAfter: 3, path: '*/automation/create', times: 1 }\n"), asleep: (_, send) => send("SIGINT") },
  ],
  ["recovered", ["--yes", "-q"], CUT_OFF],
];

faces("apply", [...good, ...refused, ...failures, ...partly]);
