import type { Diagnostic } from "../model/diagnostic.js";
import type { EnvelopeFault } from "./envelope.js";
import type { RunEvidence } from "./statement.js";

function problem(code: string, message: string, hint: string): Diagnostic {
  return { code, severity: "error", message, hint };
}

const COPY = "Take the file again from where the pipeline keeps it.";

/** A file that is something else, or only a part of an envelope. */
export const cut = (name: string) =>
  problem("evidence/cut", `${name} is not a whole envelope`, `It was cut, or is another file. ${COPY}`);

/** A payload whose records or subject do not belong together. */
export const notWhole = (name: string) =>
  problem("evidence/not-whole", `the record in ${name} is not the one that its hash names`, COPY);

/** A payload of another format. */
export const otherFormat = (name: string, other: "newer" | { readonly unreleased: string }) =>
  other === "newer"
    ? problem(
        "evidence/newer-format",
        `${name} has a newer format`,
        "Verify it with the remit that wrote it.",
      )
    : problem(
        "evidence/unreleased-format",
        `${name} has a format that was never released: ${other.unreleased}`,
        "If a newer remit wrote it, verify it with that one. Otherwise it proves nothing.",
      );

/** An envelope whose signature does not count. */
export function notSigned(name: string, fault: EnvelopeFault, keyid: string | null): Diagnostic {
  switch (fault) {
    case "unsigned":
      return problem(
        "evidence/unsigned",
        `${name} has no signature`,
        "Set REMIT_EVIDENCE_KEY where remit applies. Add --unsigned where something else vouches for the files.",
      );
    case "another key":
      return problem(
        "evidence/other-key",
        `${name} was signed with another key (${(keyid ?? "").slice(0, 12)})`,
        "Give the public key of that time: --key FILE may have several keys.",
      );
    case "changed":
      return problem(
        "evidence/changed",
        `${name} was changed after it was signed`,
        `Do not rely on it. ${COPY}`,
      );
    case "not an envelope":
      return cut(name);
    default:
      return fault satisfies never;
  }
}

/** Evidence about another tenant or project than the rest. */
export function otherServer(
  { name, evidence }: { readonly name: string; readonly evidence: RunEvidence },
  own: string,
): Diagnostic {
  const { server, project } = evidence.own.record;
  const other = project === null ? server : `${server} (${project})`;
  return problem(
    "evidence/other-server",
    `${name} is about ${other}, and the other files are about ${own}`,
    "Keep the evidence of each tenant and project in a folder of its own.",
  );
}

/** Two records, or two statements, of one number. */
export const twice = (number: number, one: string, other: string) =>
  problem(
    "evidence/two-records",
    `${one} and ${other} have two records with the number ${number}`,
    "One of them is not of this history. Compare both with `remit history`.",
  );

/** Numbers between two records. */
export const missing = (from: number, to: number) =>
  problem(
    "evidence/missing",
    `${records(from, to)} missing`,
    "Find the evidence of that run. `remit history` shows which run it is.",
  );

/** What stands before the first record is unknown. */
export const beginning = (first: number) =>
  problem(
    "evidence/missing",
    `${records(1, first - 1)} missing before the first one`,
    "Add that evidence, or name with --since a day after the last record that you have.",
  );

/** What a head shows to be missing. */
export const tail = (from: number, to: number) =>
  problem(
    "evidence/missing",
    `${records(from, to)} missing at the end`,
    "Add the evidence of the newest runs.",
  );

function records(from: number, to: number): string {
  return from === to ? `record ${from} is` : `records ${from} to ${to} are`;
}

/** A record that does not name the one before it. */
export const broken = (number: number) =>
  problem(
    "evidence/chain",
    `record ${number} does not name record ${number - 1} by its hash`,
    "One of the two is not of this history.",
  );

/** A head that is not in the files. */
export const otherHead = (number: number) =>
  problem(
    "evidence/head",
    `record ${number} has another hash than --head says`,
    "The files are not of the history that the head is from.",
  );

/** An apply that only the evidence after it knows. */
export const noEvidence = (number: number) =>
  problem(
    "evidence/none",
    `record ${number} is of an apply without evidence of its own`,
    "Add the file of that run. Every apply needs --evidence.",
  );

/** An apply that no one had to approve. */
export const notExpected = (number: number) =>
  problem(
    "evidence/not-approved",
    `record ${number} names no effect that was approved`,
    "Apply with --expect, as the workflows of remit do.",
  );

/** Something else was applied than was approved. */
export const otherEffect = (number: number, expected: string, applied: string | null) =>
  problem(
    "evidence/other-effect",
    `record ${number} has the effect ${applied ?? "unknown"}, and ${expected} was expected`,
    "What was applied is not what was approved.",
  );

/** Whether an effect was expected: the record says one thing, and the file another. */
export const otherExpected = (number: number) =>
  problem("evidence/not-approved", `record ${number} does not fit who expected its effect`, OTHER);

/** A plan that does not lead to the effect. */
export const otherPlan = (number: number) =>
  problem(
    "evidence/other-plan",
    `the plan beside record ${number} has another effect`,
    "The plan is not the one that was applied.",
  );

/** An approval that came when it was too late. */
export const late = (number: number, by: string, at: string, firstCall: string) =>
  problem(
    "evidence/late-approval",
    `record ${number}: ${by} approved at ${at}, after the first call at ${firstCall}`,
    "That approval did not allow the run.",
  );

/** A step that the plan does not have, or that stands twice. */
export const otherStep = (number: number, address: string) =>
  problem("evidence/steps", `record ${number} has a step of ${address} that its plan does not have`, OTHER);

/** A step that the plan has otherwise. */
export const differentStep = (number: number, address: string) =>
  problem("evidence/steps", `record ${number} has another step of ${address} than its plan`, OTHER);

/** A step of the plan that the record does not have, neither as written nor as left. */
export const missingStep = (number: number, address: string) =>
  problem(
    "evidence/steps",
    `record ${number} does not say what became of ${address}, which its plan has`,
    OTHER,
  );

/** A record of another commit than its plan. */
export const otherCommit = (number: number) =>
  problem("evidence/other-commit", `record ${number} names another commit than its plan`, OTHER);

/** A plan for another tenant. */
export const otherTenant = (number: number, server: string) =>
  problem("evidence/other-plan", `the plan beside record ${number} is for ${server}`, OTHER);

/** A plan of a state that an earlier plan had changed. */
export const olderState = (number: number) =>
  problem(
    "evidence/other-plan",
    `the plan beside record ${number} is of a state that an earlier run had changed`,
    "It is the plan of another run, or a copy of it.",
  );

/** Findings that the plan does not have. */
export const otherFindings = (number: number) =>
  problem("evidence/other-plan", `record ${number} has other findings beside it than its plan`, OTHER);

/** A review of another pull request. */
export const otherReview = (number: number, review: number, named: number | null) =>
  problem(
    "evidence/other-review",
    `record ${number} names ${named === null ? "no pull request" : `#${named}`}, and its review is of #${review}`,
    OTHER,
  );

/** Evidence whose own record is of something else than an apply, or an apply that is called something else. */
export const otherKind = (number: number, as: string) =>
  problem("evidence/other-record", `record ${number} is of an apply, and says ${as}`, OTHER);

/** One run in two records. */
export const sameRun = (number: number, earlier: number) =>
  problem(
    "evidence/two-records",
    `records ${earlier} and ${number} are of the same run`,
    "One of them is a copy.",
  );

/** Fewer approvals count than are required. */
export const fewApprovals = (number: number, count: number, needed: number) =>
  problem(
    "evidence/approvals",
    `record ${number} has ${count} of ${needed} approvals that --require asks for`,
    "An approval counts only where it meets each requirement that is named. What the forge does not say does not count.",
  );

/** No one can say whether an approval is by the applier. */
export const applierUnknown = (number: number) =>
  problem(
    "evidence/approvals",
    `record ${number} does not say who applied, and --require names not-by-applier`,
    "Apply in a pipeline: its forge says who started the job.",
  );

/** Nothing was read back. */
export const noReadBack = (number: number) =>
  problem("evidence/read-back", `record ${number} has no read back, and --require names it`, UNREAD);

/** One object was not read back. */
export const notReadBack = (number: number, address: string) =>
  problem(
    "evidence/read-back",
    `record ${number}: ${address} was not read back, and --require names it`,
    UNREAD,
  );

/** A read back of other objects than those of the plan. */
export const otherReadBack = (number: number) =>
  problem("evidence/read-back", `the read back of record ${number} is not of the objects of its plan`, OTHER);

/** What the record calls done was read otherwise. */
export const readDifferent = (number: number, address: string) =>
  problem(
    "evidence/read-back",
    `record ${number} says that ${address} is done, and it was read back different`,
    "Look at the object with `remit plan`.",
  );

/** What the record does not call done was read as applied. */
export const readAsApplied = (number: number, address: string, outcome: string) =>
  problem(
    "evidence/read-back",
    `record ${number} calls the step of ${address} ${outcome}, and it was read back as applied`,
    "Look at the object with `remit plan`.",
  );

/** Whether anything was sent: the record says one thing, and its first call another. */
export const noFirstCall = (number: number) =>
  problem("evidence/first-call", `the first call of record ${number} does not fit its steps`, OTHER);

/** Two times in the wrong order. */
export const disorder = (number: number, one: string, other: string) =>
  problem("evidence/clock", `record ${number}: ${one} is more than 60 s after ${other}`, CLOCK);

/** A time that has not come yet. */
export const future = (number: number) =>
  problem("evidence/clock", `record ${number} has a time that has not come yet`, CLOCK);

const OTHER = "The file was not written so by an apply of remit. Compare the run with `remit history`.";
const UNREAD = "Read the object with `remit get`. What the service does not show cannot be required.";
const CLOCK = "A clock was wrong, or a record was made later.";

/** A time that is before the one of the record before. */
export const clock = (number: number, before: string, at: string) =>
  problem(
    "evidence/clock",
    `record ${number} ended at ${at}, more than 60 s before the one before it (${before})`,
    CLOCK,
  );
