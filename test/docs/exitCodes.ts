import type { Given } from "../golden/harness.js";
import { APPLIED, type Case, drift, edit, LOSING, locked, remove, rules, write } from "../golden/larkspur.js";

/** A situation, a command in it, and what a pipeline gets: the exit code, and words that the command prints. */
export interface Example {
  readonly situation: string;
  readonly argv: Case[1];
  readonly code: number;
  readonly prints: string;
  readonly given?: Given;
}

const GROUPS = "manifests/groups.yaml";
const REVIEW = "manifests/review.yaml";
const SAVED = ["plan", "--out", "plan.json"];
const everyone = edit(GROUPS, 'subject.employmentType == "Contractor"', '"true"');
const noTemplate = edit(REVIEW, "2ty9Pf34qY6Nb3wWD25RQ4F5ZR3", "2ty9Pf34qY6Nb3wWD25RQ4F5ZZZ");
const edited = edit(GROUPS, '"Contractor"', '"Contractor" && subject.isActive');
const renamed = edit("manifests/types.yaml", "displayName: On-call rotation", "displayName: On-call team");
const byHand = drift('"displayName":"Contractors"', '"displayName":"Consultants"');
const slow = rules("  - { fault: throttle, retryAfter: 3, path: '*/automation/create', times: 1 }\n");
const state = (text: string) => write(".remit/state.json", text);
const sealed = JSON.stringify({
  formatVersion: 1,
  writtenBy: "0.1.0",
  lineage: "b5d6adcb-8602-483b-802e-86e8f2afb15e",
  serial: 1,
  effect: null,
  sealed: "remit-state 1 eb923643 sealed",
});
const typed = (signal: "SIGHUP" | "SIGINT" | "SIGTERM"): Given => ({
  before: slow,
  asleep: (_, send) => send(signal),
});

/** One command for each way to each exit code, in the order of the codes. */
export const EXAMPLES: readonly Example[] = [
  {
    situation: "the tenant is as the manifests say",
    argv: ["plan", "--detailed-exitcode"],
    code: 0,
    prints: "Nothing to do: 4 unchanged.",
    given: { before: [APPLIED] },
  },
  {
    situation: "changes are pending",
    argv: ["plan"],
    code: 0,
    prints: "Plan: 2 to create, 2 to change, 0 to delete.",
  },
  {
    situation: "the tenant drifted, and the manifest gets its value",
    argv: ["accept", "--all-drift", "--yes"],
    code: 0,
    prints: "Written to 1 file: EntitlementAutomation/contractors: displayName",
    given: { before: [APPLIED, byHand] },
  },
  {
    situation: "everything was applied",
    argv: ["apply", "--yes"],
    code: 0,
    prints: "Applied: 2 created, 2 updated.",
  },
  {
    situation: "a saved plan was applied before",
    argv: ["apply", "plan.json"],
    code: 0,
    prints: "Already applied: sha256:",
    given: { before: [SAVED, APPLIED] },
  },
  {
    situation: "a manifest was removed, and its object waits for a decision",
    argv: ["plan", "--detailed-exitcode"],
    code: 0,
    prints: "removed from the project, still active",
    given: { before: [APPLIED, remove(GROUPS)] },
  },
  {
    situation: "only the state differs",
    argv: ["plan", "--detailed-exitcode"],
    code: 0,
    prints: "to adopt",
    given: { before: [APPLIED, remove(".remit/state.json")] },
  },
  {
    situation: "a finding in an offline plan that is not saved",
    argv: ["plan", "--offline", "core.yaml"],
    code: 0,
    prints: "Guards, not decided",
    given: { before: LOSING },
  },
  {
    situation: "the tenant cannot be read",
    argv: ["plan"],
    code: 1,
    prints: "error[service/not-allowed]",
    given: { before: rules("  - { fault: error, status: 403, path: '/api/v1/apps' }\n") },
  },
  {
    situation: "every write failed",
    argv: ["apply", "--yes", "--target", "EntitlementAutomation/contractors"],
    code: 1,
    prints: "Not applied: 1 failed.",
    given: { before: rules("  - { fault: error, status: 500, path: '*/automation/create' }\n") },
  },
  {
    situation: "a file cannot be written",
    argv: ["plan", "--out", "remit.yaml/plan.json"],
    code: 1,
    prints: "error[file/unwritable]",
  },
  { situation: "the command line is wrong", argv: ["plan", "--offlin"], code: 1, prints: "--offline" },
  {
    situation: "a manifest has another layout",
    argv: ["fmt", "--check"],
    code: 1,
    prints: "manifests/groups.yaml",
    given: { before: [edit(GROUPS, "kind: EntitlementAutomation", "kind:   EntitlementAutomation")] },
  },
  {
    situation: "changes are pending",
    argv: ["plan", "--detailed-exitcode"],
    code: 2,
    prints: "Plan: 2 to create, 2 to change, 0 to delete.",
  },
  {
    situation: "the tenant drifted",
    argv: ["plan", "--refresh-only", "--detailed-exitcode"],
    code: 2,
    prints: "Drift: the tenant was changed since the last apply",
    given: { before: [APPLIED, byHand] },
  },
  {
    situation: "a rule was made in the browser",
    argv: ["plan", "--refresh-only", "--unmanaged", "--detailed-exitcode"],
    code: 2,
    prints: "Not managed: 3 apps, 2 entitlement automations",
    given: {
      before: [
        APPLIED,
        remove(GROUPS),
        ["state", "forget", "EntitlementAutomation/contractors"],
        ["state", "forget", "EntitlementAutomation/engineering"],
      ],
    },
  },
  {
    situation: "one value can be accepted, another is written at an anchor",
    argv: ["accept", "--all-drift", "--yes"],
    code: 3,
    prints: "error[accept/anchor]",
    given: {
      before: [
        edit(GROUPS, "displayName: Contractors", "displayName: &name Contractors\n  description: *name"),
        APPLIED,
        drift('"displayName":"Contractors"', '"displayName":"Consultants"'),
        drift('subject.employmentType == \\"Contractor\\"', "true"),
      ],
    },
  },
  {
    situation: "a write failed, others did not",
    argv: ["apply", "--yes"],
    code: 3,
    prints: "Applied in part: 3 done, 1 failed.",
    given: { before: rules("  - { fault: error, status: 500, path: '*/automation/create' }\n") },
  },
  {
    situation: "a step is blocked",
    argv: ["apply", "--yes"],
    code: 3,
    prints: "Applied in part: 3 done, 1 blocked.",
    given: { before: [noTemplate] },
  },
  {
    situation: "the result of a create is unknown",
    argv: ["apply", "--yes", "--acknowledge", "unknown-current", "core.yaml"],
    code: 3,
    prints: "1 uncertain",
    given: { before: LOSING },
  },
  {
    situation: "a step is blocked",
    argv: ["plan"],
    code: 4,
    prints: "1 blocked.",
    given: { before: [noTemplate] },
  },
  {
    situation: "a guard has a finding",
    argv: ["plan"],
    code: 4,
    prints: "Guards: nothing is applied until these are acknowledged",
    given: { before: [everyone] },
  },
  {
    situation: "a guard has a finding, and another step is blocked: 4 wins over 3",
    argv: ["apply", "--yes"],
    code: 4,
    prints: "error[guard/everyone]",
    given: { before: [everyone, noTemplate] },
  },
  {
    situation: "a step is blocked, and nothing may be left out",
    argv: ["apply", "--yes", "--all-or-nothing"],
    code: 4,
    prints: "error[apply/all-or-nothing]",
    given: { before: [noTemplate] },
  },
  {
    situation: "an object changed since the plan was saved, others did not: 4 wins over 3",
    argv: ["apply", "plan.json"],
    code: 4,
    prints: "Applied in part: 1 done, 1 refused.",
    given: { before: [APPLIED, edited, renamed, SAVED, byHand] },
  },
  {
    situation: "a saved plan was edited",
    argv: ["apply", "plan.json"],
    code: 4,
    prints: "error[plan/tampered]",
    given: { before: [SAVED, edit("plan.json", "On-call rotation", "On-call rotations")] },
  },
  {
    situation: "a saved plan cannot be read",
    argv: ["apply", "plan.json"],
    code: 4,
    prints: "error[plan/unreadable]",
    given: { before: [write("plan.json", "")] },
  },
  {
    situation: "the plan has another effect than was reviewed",
    argv: ["apply", "--yes", "--expect", `sha256:${"0".repeat(64)}`],
    code: 4,
    prints: "error[plan/unexpected]",
  },
  {
    situation: "another run holds the lock",
    argv: ["apply", "--yes", "--lock-timeout", "0"],
    code: 4,
    prints: "error[state/locked]",
    given: { before: [APPLIED, locked] },
  },
  {
    situation: "a file changed since the plan was saved",
    argv: ["accept", "--all-drift", "--from", "plan.json", "--yes"],
    code: 4,
    prints: "error[accept/changed-file]",
    given: { before: [APPLIED, byHand, SAVED, edited] },
  },
  {
    situation: "the question was answered with no",
    argv: ["apply"],
    code: 4,
    prints: "Nothing was applied.",
    given: { answer: "no" },
  },
  {
    situation: "standard input is not a terminal",
    argv: ["apply"],
    code: 4,
    prints: "error[apply/not-approved]",
  },
  {
    situation: "the state was changed by others, or is not encrypted yet",
    argv: ["plan"],
    code: 4,
    prints: "error[state/not-encrypted]",
    given: { before: [APPLIED], env: { REMIT_STATE_KEY: Buffer.alloc(32, 7).toString("base64") } },
  },
  {
    situation: "the state is damaged",
    argv: ["plan"],
    code: 4,
    prints: "error[state/damaged]",
    given: { before: [APPLIED, state("{")] },
  },
  {
    situation: "a manifest is invalid",
    argv: ["validate"],
    code: 5,
    prints: "error[schema/unknown-field]",
    given: { before: [edit(GROUPS, "displayName: Contractors", "displayNam: Contractors")] },
  },
  {
    situation: "`remit.yaml` is invalid",
    argv: ["plan"],
    code: 5,
    prints: "error[schema/unknown-field]",
    given: { before: [edit("remit.yaml", "concurrency: 1", "concurency: 1")] },
  },
  {
    situation: "no manifest exists",
    argv: ["plan"],
    code: 5,
    prints: "error[manifest/none]",
    given: { before: [remove(GROUPS), remove(REVIEW), remove("manifests/types.yaml")] },
  },
  {
    situation: "the credentials are missing",
    argv: ["plan", "--server", "https://example.conductor.one"],
    code: 5,
    prints: "error[credentials/",
  },
  {
    situation: "the key of the state is missing",
    argv: ["plan"],
    code: 5,
    prints: "error[state/encrypted]",
    given: { before: [APPLIED, state(sealed)] },
  },
  {
    situation: "SIGHUP",
    argv: ["apply", "--yes"],
    code: 129,
    prints: "Interrupted:",
    given: typed("SIGHUP"),
  },
  {
    situation: "Ctrl-C",
    argv: ["apply", "--yes"],
    code: 130,
    prints: "Interrupted:",
    given: typed("SIGINT"),
  },
  {
    situation: "SIGTERM",
    argv: ["apply", "--yes"],
    code: 143,
    prints: "Interrupted:",
    given: typed("SIGTERM"),
  },
];
