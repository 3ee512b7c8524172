import { columns } from "../../cli/print/columns.js";
import { tame } from "../../report/text/visible.js";
import { countsOf, whenOf } from "../history/words.js";
import type { EvidenceJudgement, JudgedRecord, Judging } from "./judge.js";

/** What evidence proves, as a person reads it: a line for each record, and what holds for all of them. */
export function tableOf(
  { records, problems, isTailProved }: EvidenceJudgement,
  { since, head }: Judging,
): string {
  const [first] = records;
  const last = records.at(-1);
  if (first === undefined || last === undefined) return "No record was found.\n";
  const rows = records.map((one) => [
    String(one.record.number),
    whenOf(one.record),
    countsOf(one.record),
    approvedBy(one),
    readBackOf(one),
    one.problems.length > 0 ? "NOT PROVED" : one.isProved ? "proved" : "not known",
  ]);
  const table = columns([["NUMBER", "WHEN", "WHAT", "APPROVED BY", "READ BACK", "RESULT"], ...rows]);
  const isWhole = !problems.some(({ code }) => GAPS.has(code));
  const about = [
    `Server: ${tame(first.record.server)}`,
    `Records: ${first.record.number} to ${last.record.number}${since === null ? "" : `, from ${new Date(since).toISOString()}`}`,
    `Chain: ${isWhole ? "whole" : "not whole"}`,
    `Tail: ${isTailProved ? "proved by --head" : head === null ? "not proved; --head NUMBER:HASH proves that no newer record is missing" : "not proved"}`,
  ];
  const open = records.flatMap(({ record, notKnown }) =>
    notKnown.map((what) => `  ${record.number}: ${what}\n`),
  );
  const notKnown = open.length === 0 ? "" : `\nNot known:\n${open.join("")}`;
  return `${table}\n${about.join("\n")}\n${notKnown}\n${SIGNED_ALONE}\n`;
}

/** What no second member of the files can be compared with. */
const SIGNED_ALONE =
  "Not proved, only signed: the words of the forge, who ran it and where, names of requests and hashes of values.\nAlso what a plan says besides its effect, and times within their order.";

/** What a chain of records may not have. */
const GAPS: ReadonlySet<string> = new Set(["evidence/missing", "evidence/chain", "evidence/two-records"]);

function approvedBy({ record, evidence }: JudgedRecord): string {
  if (record.as !== "apply") return "";
  if (evidence?.review == null) return "not known";
  const { number, commit, approvals } = evidence.review;
  if (approvals === null) return `#${number}: not known`;
  const who = approvals.map((one) => {
    const isOlder = one.commit !== null && one.commit !== commit;
    const isApplier = one.by.toLowerCase() === record.by.user?.toLowerCase();
    const notes = [...(isOlder ? ["an older commit"] : []), ...(isApplier ? ["who applied it"] : [])];
    return notes.length === 0 ? tame(one.by) : `${tame(one.by)} (${notes.join(", ")})`;
  });
  return `#${number}: ${who.length === 0 ? "none" : who.join(", ")}`;
}

function readBackOf({ evidence }: JudgedRecord): string {
  if (evidence === null) return "";
  if (evidence.readBack === null) return "none";
  const { objects } = evidence.readBack;
  const count = (found: string) => objects.filter((one) => one.found === found).length;
  const parts = (["as applied", "different", "not read"] as const).flatMap((found) =>
    count(found) === 0 ? [] : [`${count(found)} ${found}`],
  );
  return parts.join(", ");
}
