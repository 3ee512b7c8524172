import type { KeyObject } from "node:crypto";
import type { RunRecord } from "../apply/runRecord.js";
import type { Diagnostic } from "../model/diagnostic.js";
import type { JsonObject } from "../model/json.js";
import { readSavedPlan } from "../plan/saved/read.js";
import { openEnvelope, readEnvelope } from "./envelope.js";
import * as faults from "./faults.js";
import { type HashedRecord, type RunEvidence, readStatement } from "./statement.js";

/** A file of a folder with evidence. */
export interface EvidenceFile {
  /** As messages name it. */
  readonly name: string;
  readonly text: string;
}

/** How evidence is judged. */
export interface Judging {
  readonly keys: readonly KeyObject[];
  /** Whether envelopes without a signature count: something else vouches for the files. */
  readonly mayBeUnsigned: boolean;
  /** Judge only what ended from then on, in milliseconds since 1970; null for everything. */
  readonly since: number | null;
  /** The newest record of the history, from another source than the files; null where there is none. */
  readonly head: { readonly number: number; readonly hash: string } | null;
}

/** One record of the chain, and the evidence of its run. */
export interface JudgedRecord {
  readonly hash: string;
  readonly record: RunRecord;
  /** Null where no file is about this very run. */
  readonly evidence: RunEvidence | null;
  readonly problems: readonly Diagnostic[];
}

/** What the files of a folder prove. */
export interface EvidenceJudgement {
  /** In the order of the history. */
  readonly records: readonly JudgedRecord[];
  /** Of files, and of records that are missing. */
  readonly problems: readonly Diagnostic[];
  /** Whether the last record is known to be the newest. */
  readonly isTailProved: boolean;
}

/** Clocks may differ by so many milliseconds. */
const TOLERANCE = 60_000;

/** One file whose signature counts. */
interface Statement extends EvidenceFile {
  readonly evidence: RunEvidence;
}

/**
 * Judges evidence by the files and the public keys alone: signatures, and the chain of records without a gap. The effect
 * that was expected must be the one that was applied, and approvals must have come before the first call.
 */
export function verifyEvidence(files: readonly EvidenceFile[], judging: Judging): EvidenceJudgement {
  const problems: Diagnostic[] = [];
  const read = files.flatMap((file) => {
    const found = readFile(file, judging);
    if ("evidence" in found) return [found];
    problems.push(found);
    return [];
  });
  const own = ofOneServer(read);
  problems.push(
    ...read.filter((one) => !own.includes(one)).map((one) => faults.otherServer(one, placeOf(own[0]))),
  );

  const chain = new Map<number, { readonly one: HashedRecord; readonly name: string }>();
  const byHash = new Map<string, Statement>();
  for (const statement of own) {
    const { name, evidence } = statement;
    const known = byHash.get(evidence.own.hash);
    if (known !== undefined && known.text !== statement.text)
      problems.push(faults.twice(evidence.own.record.number, known.name, name));
    byHash.set(evidence.own.hash, statement);
    for (const one of [evidence.own, ...evidence.earlier]) {
      const { number } = one.record;
      const other = chain.get(number);
      if (other !== undefined && other.one.hash !== one.hash)
        problems.push(faults.twice(number, other.name, name));
      else chain.set(number, { one, name });
    }
  }
  const all = [...chain.values()].map(({ one }) => one).sort((a, b) => a.record.number - b.record.number);
  // Where an effect was expected first: a run that goes on where another ended has only the rest of the plan.
  const firstOf = new Map<string | null, number>();
  for (const { record } of all)
    if (!firstOf.has(record.effect.expected)) firstOf.set(record.effect.expected, record.number);
  const since = judging.since ?? Number.NEGATIVE_INFINITY;
  const from = all.findIndex(({ record }) => Date.parse(record.at) >= since);
  const judged = from === -1 ? [] : all.slice(from);
  problems.push(...gapsIn(judged, all[from - 1]));
  const records = judged.map((one, place): JudgedRecord => {
    const statement = byHash.get(one.hash) ?? null;
    const before = all[from + place - 1];
    const found = [
      ...orderFaults(one, before),
      ...(statement === null ? withoutEvidence(one) : runFaults(statement, firstOf)),
    ];
    return { ...one, evidence: statement?.evidence ?? null, problems: found };
  });
  const last = all.at(-1);
  const { head } = judging;
  problems.push(...(head === null ? [] : headFaults(head, all)));
  const isTailProved = head !== null && last?.record.number === head.number && last.hash === head.hash;
  return { records, problems, isTailProved };
}

function readFile(file: EvidenceFile, { keys, mayBeUnsigned }: Judging): Statement | Diagnostic {
  const envelope = readEnvelope(file.text);
  if (envelope === null) return faults.cut(file.name);
  const opened = openEnvelope(envelope, keys, mayBeUnsigned);
  if ("fault" in opened) return faults.notSigned(file.name, opened.fault, opened.keyid);
  const evidence = readStatement(opened.payload);
  return evidence === null ? faults.notWhole(file.name) : { ...file, evidence };
}

/** The statements of the server that most are of. */
function ofOneServer(read: readonly Statement[]): readonly Statement[] {
  const groups = new Map<string, Statement[]>();
  for (const one of read) groups.set(placeOf(one), [...(groups.get(placeOf(one)) ?? []), one]);
  return [...groups.values()].sort((a, b) => b.length - a.length)[0] ?? [];
}

function placeOf(statement: Statement | undefined): string {
  const { server = "", project = null } = statement?.evidence.own.record ?? {};
  return project === null ? server : `${server} (${project})`;
}

/** Numbers that no record has, and records that do not name the one before them. */
function gapsIn(records: readonly HashedRecord[], before: HashedRecord | undefined): readonly Diagnostic[] {
  const [first] = records;
  const found: Diagnostic[] = [];
  if (first !== undefined && before === undefined && first.record.number > 1)
    found.push(faults.beginning(first.record.number));
  let last = before;
  for (const one of records) {
    const { number, before: named } = one.record;
    const isNext = last?.record.number === number - 1;
    if (last !== undefined && !isNext) found.push(faults.missing(last.record.number + 1, number - 1));
    if (last !== undefined && isNext && named !== last.hash) found.push(faults.broken(number));
    last = one;
  }
  return found;
}

function orderFaults({ record }: HashedRecord, before: HashedRecord | undefined): readonly Diagnostic[] {
  if (before === undefined) return [];
  const back = Date.parse(before.record.at) - Date.parse(record.at);
  return back > TOLERANCE ? [faults.clock(record.number, before.record.at, record.at)] : [];
}

/** A run that was cut off, and a command, have no evidence of their own: the next apply has their records. */
function withoutEvidence({ record }: HashedRecord): readonly Diagnostic[] {
  return record.as === "apply" ? [faults.noEvidence(record.number)] : [];
}

function runFaults(
  { evidence }: Statement,
  firstOf: ReadonlyMap<string | null, number>,
): readonly Diagnostic[] {
  const { number, effect } = evidence.own.record;
  const { firstCall, review, plan } = evidence;
  const { expected, applied } = effect;
  const found: Diagnostic[] = [];
  if (expected === null) found.push(faults.notExpected(number));
  else if (expected !== applied) found.push(faults.otherEffect(number, expected, applied));
  const isRest = (firstOf.get(expected) ?? number) < number;
  if (!isPlanOf(plan, applied, isRest)) found.push(faults.otherPlan(number));
  for (const { by, at } of review?.approvals ?? []) {
    if (at === null) found.push(faults.untimed(number, by));
    else if (firstCall !== null && Date.parse(at) > Date.parse(firstCall) + TOLERANCE)
      found.push(faults.late(number, by, at, firstCall));
  }
  return found;
}

/** A plan of a format that this version does not read is believed: its effect stands in what was signed. */
function isPlanOf(plan: JsonObject, applied: string | null, isRest: boolean): boolean {
  if (plan.effect !== applied && !isRest) return false;
  const { value, diagnostics } = readSavedPlan(JSON.stringify(plan));
  return value !== null || diagnostics.some(({ code }) => OTHER_FORMATS.has(code));
}

const OTHER_FORMATS: ReadonlySet<string> = new Set(["plan/older-format", "plan/newer-format"]);

function headFaults(
  head: { readonly number: number; readonly hash: string },
  all: readonly HashedRecord[],
): readonly Diagnostic[] {
  const last = all.at(-1)?.record.number ?? 0;
  if (last < head.number) return [faults.tail(last + 1, head.number)];
  const found = all.find(({ record }) => record.number === head.number);
  return found?.hash === head.hash ? [] : [faults.otherHead(head.number)];
}
