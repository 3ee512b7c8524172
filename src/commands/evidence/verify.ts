import { readdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { codeOf } from "../../cli/exitCode.js";
import { columns } from "../../cli/print/columns.js";
import { endWith, printDiagnostics } from "../../cli/print/diagnostics.js";
import type { Context } from "../../cli/run/context.js";
import { readNamedFile } from "../../cli/world/namedFile.js";
import type { World } from "../../cli/world/world.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import { jsonText } from "../../report/text/safeJson.js";
import { tame } from "../../report/text/visible.js";
import { say } from "../../words/say.js";
import { countsOf, whenOf } from "../history/history.js";
import { publicKeys } from "./envelope.js";
import {
  type EvidenceFile,
  type EvidenceJudgement,
  type JudgedRecord,
  type Judging,
  verifyEvidence,
} from "./judge.js";
import { readRequirements } from "./requirements.js";
import type { VerifyFlags } from "./usage.js";

/** Checks the evidence in a folder, and prints what it proves. */
export default async function verify(this: Context, flags: VerifyFlags, folder: string): Promise<number> {
  const { world } = this;
  const judging = await judgingFrom(world, flags);
  if ("code" in judging) return endWith(world, "wrong usage", [judging]);
  const files = await filesIn(world, folder);
  const judgement = verifyEvidence(files, judging);
  const problems = [
    ...(files.length === 0 ? [say("evidence/none#noFiles", { folder })] : []),
    ...judgement.problems,
    ...judgement.records.flatMap((one) => one.problems),
  ];
  world.stdout.write(flags.format === "json" ? jsonOf(judgement, problems) : tableOf(judgement, judging));
  printDiagnostics(world, problems);
  return codeOf(problems.length === 0 ? "done" : "not proved");
}

async function judgingFrom(world: World, flags: VerifyFlags): Promise<Judging | Diagnostic> {
  const { since = null, head = null, unsigned, key } = flags;
  const required = readRequirements(flags.require ?? []);
  if ("unknown" in required) return say("command/usage#requirement", { text: required.unknown });
  if (key === undefined && !unsigned) return say("command/usage#noKey");
  const read = key === undefined ? null : await readNamedFile(world, key);
  const keys = read === null ? [] : publicKeys(read.text ?? "");
  if (keys === null)
    return say("command/usage#badKey", {
      file: key ?? "",
      why: read?.text === null ? read.why : "it has no public Ed25519 key in PEM",
    });
  return { keys, mayBeUnsigned: unsigned, since, head, required, now: world.clock.now() };
}

/** Every envelope in a folder and the folders in it, in the order of their names. */
async function filesIn(world: World, folder: string): Promise<readonly EvidenceFile[]> {
  const path = resolve(world.cwd, folder);
  const names = await readdir(path, { recursive: true }).catch(() => []);
  const found = names.filter((name) => name.endsWith(".dsse.json")).sort();
  const read = found.map(async (name) => {
    const { text } = await readNamedFile(world, join(path, name));
    return { name, text: text ?? "" };
  });
  return Promise.all(read);
}

function jsonOf({ records, isTailProved }: EvidenceJudgement, problems: readonly Diagnostic[]): string {
  const rows = records.map(({ hash, record, evidence, isProved, notKnown }) => {
    const { number, at, run, as, effect, commit } = record;
    const approvals = evidence?.review?.approvals ?? null;
    return {
      number,
      hash,
      at,
      run,
      as,
      commit,
      effect,
      approvals,
      isProved,
      notKnown,
    };
  });
  const said = problems.map(({ code, message }) => ({ code, message }));
  return jsonText({ formatVersion: 1, records: rows, isTailProved, problems: said });
}

/** What evidence proves, as a person reads it: a line for each record, and what holds for all of them. */
function tableOf({ records, problems, isTailProved }: EvidenceJudgement, { since, head }: Judging): string {
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
