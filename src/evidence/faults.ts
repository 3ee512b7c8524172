import type { Diagnostic } from "../model/diagnostic.js";
import { say } from "../words/say.js";
import type { EnvelopeFault } from "./envelope.js";
import type { RunEvidence } from "./statement.js";

/** A file that is something else, or only a part of an envelope. */
export const cut = (name: string) => say("evidence/cut", { name });

/** A payload whose records or subject do not belong together. */
export const notWhole = (name: string) => say("evidence/not-whole", { name });

/** A payload of another format. */
export const otherFormat = (name: string, other: "newer" | { readonly unreleased: string }) =>
  other === "newer"
    ? say("evidence/newer-format", { name })
    : say("evidence/unreleased-format", { name, says: other.unreleased });

/** An envelope whose signature does not count. */
export function notSigned(name: string, fault: EnvelopeFault, keyid: string | null): Diagnostic {
  switch (fault) {
    case "unsigned":
      return say("evidence/unsigned", { name });
    case "another key":
      return say("evidence/other-key", { name, keyid: (keyid ?? "").slice(0, 12) });
    case "changed":
      return say("evidence/changed", { name });
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
  return say("evidence/other-server", { name, other, own });
}

/** Two records, or two statements, of one number. */
export const twice = (number: number, one: string, other: string) =>
  say("evidence/two-records#number", { one, other, number });

/** Numbers between two records. */
export const missing = (from: number, to: number) =>
  say("evidence/missing#between", { from: records(from, to) });

/** What stands before the first record is unknown. */
export const beginning = (first: number) =>
  say("evidence/missing#beginning", { records: records(1, first - 1) });

/** What a head shows to be missing. */
export const tail = (from: number, to: number) => say("evidence/missing#tail", { from: records(from, to) });

function records(from: number, to: number): string {
  return from === to ? `record ${from} is` : `records ${from} to ${to} are`;
}

/** A record that does not name the one before it. */
export const broken = (number: number) => say("evidence/chain", { number, before: number - 1 });

/** A head that is not in the files. */
export const otherHead = (number: number) => say("evidence/head", { number });

/** An apply that only the evidence after it knows. */
export const noEvidence = (number: number) => say("evidence/none#noEvidence", { number });

/** An apply that no one had to approve. */
export const notExpected = (number: number) => say("evidence/not-approved#notExpected", { number });

/** Something else was applied than was approved. */
export const otherEffect = (number: number, expected: string, applied: string | null) =>
  say("evidence/other-effect", { number, applied: applied ?? "unknown", expected });

/** Whether an effect was expected: the record says one thing, and the file another. */
export const otherExpected = (number: number) => say("evidence/not-approved#otherExpected", { number });

/** A plan that does not lead to the effect. */
export const otherPlan = (number: number) => say("evidence/other-plan#otherPlan", { number });

/** An approval that came when it was too late. */
export const late = (number: number, by: string, at: string, firstCall: string) =>
  say("evidence/late-approval", { number, by, at, firstCall });

/** A step that the plan does not have, or that stands twice. */
export const otherStep = (number: number, address: string) =>
  say("evidence/steps#otherStep", { number, address });

/** A step that the plan has otherwise. */
export const differentStep = (number: number, address: string) =>
  say("evidence/steps#differentStep", { number, address });

/** A step of the plan that the record does not have, neither as written nor as left. */
export const missingStep = (number: number, address: string) =>
  say("evidence/steps#missingStep", { number, address });

/** A record of another commit than its plan. */
export const otherCommit = (number: number) => say("evidence/other-commit", { number });

/** A plan for another tenant. */
export const otherTenant = (number: number, server: string) =>
  say("evidence/other-plan#otherTenant", { number, server });

/** A plan of a state that an earlier plan had changed. */
export const olderState = (number: number) => say("evidence/other-plan#olderState", { number });

/** Findings that the plan does not have. */
export const otherFindings = (number: number) => say("evidence/other-plan#otherFindings", { number });

/** A review of another pull request. */
export const otherReview = (number: number, review: number, named: number | null) =>
  say("evidence/other-review", { number, named: named === null ? "no pull request" : `#${named}`, review });

/** Evidence whose own record is of something else than an apply, or an apply that is called something else. */
export const otherKind = (number: number, as: string) => say("evidence/other-record", { number, as });

/** One run in two records. */
export const sameRun = (number: number, earlier: number) =>
  say("evidence/two-records#run", { earlier, number });

/** Fewer approvals count than are required. */
export const fewApprovals = (number: number, count: number, needed: number) =>
  say("evidence/approvals#fewApprovals", { number, count, needed });

/** No one can say whether an approval is by the applier. */
export const applierUnknown = (number: number) => say("evidence/approvals#applierUnknown", { number });

/** Nothing was read back. */
export const noReadBack = (number: number) => say("evidence/read-back#noReadBack", { number });

/** One object was not read back. */
export const notReadBack = (number: number, address: string) =>
  say("evidence/read-back#notReadBack", { number, address });

/** A read back of other objects than those of the plan. */
export const otherReadBack = (number: number) => say("evidence/read-back#otherReadBack", { number });

/** What the record calls done was read otherwise. */
export const readDifferent = (number: number, address: string) =>
  say("evidence/read-back#readDifferent", { number, address });

/** What the record does not call done was read as applied. */
export const readAsApplied = (number: number, address: string, outcome: string) =>
  say("evidence/read-back#readAsApplied", { number, address, outcome });

/** Whether anything was sent: the record says one thing, and its first call another. */
export const noFirstCall = (number: number) => say("evidence/first-call", { number });

/** Two times in the wrong order. */
export const disorder = (number: number, one: string, other: string) =>
  say("evidence/clock#disorder", { number, one, other });

/** A time that has not come yet. */
export const future = (number: number) => say("evidence/clock#future", { number });

/** A time that is before the one of the record before. */
export const clock = (number: number, before: string, at: string) =>
  say("evidence/clock#clock", { number, at, before });
