import type { KeyObject } from "node:crypto";
import type { RunRecord } from "../../apply/runRecord.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import type { Planned } from "../../plan/plan.js";
import { say } from "../../words/say.js";
import { type EnvelopeFault, openEnvelope, readEnvelope } from "./envelope.js";
import type { Requirements } from "./requirements.js";
import { isAfter, judgeRun } from "./run.js";
import { type HashedRecord, otherFormatOf, type RunEvidence, readStatement } from "./statement.js";

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
  readonly required: Requirements;
  /** The time now, in milliseconds since 1970. */
  readonly now: number;
}

/** One record of the chain, and the evidence of its run. */
export interface JudgedRecord {
  readonly hash: string;
  readonly record: RunRecord;
  /** Null where no file is about this very run. */
  readonly evidence: RunEvidence | null;
  readonly problems: readonly Diagnostic[];
  /** Whether its own evidence was compared with it, and holds. */
  readonly isProved: boolean;
  /** What nothing in the files shows of it, in words. */
  readonly notKnown: readonly string[];
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

/** One file whose signature counts. */
interface Statement extends EvidenceFile {
  readonly evidence: RunEvidence;
}

/**
 * Judges evidence by the files and the public keys alone: signatures, the chain of records without a gap, and for each run
 * record, plan, review and read back. What none of them says is not known.
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
    ...read
      .filter((one) => !own.includes(one))
      .map((one) => {
        const values = { name: one.name, other: placeOf(one), own: placeOf(own[0]) };
        return say("evidence/other-server", values);
      }),
  );

  const chain = new Map<number, { readonly one: HashedRecord; readonly name: string }>();
  const byHash = new Map<string, Statement>();
  for (const statement of own) {
    const { name, evidence } = statement;
    const known = byHash.get(evidence.own.hash);
    if (known !== undefined && known.text !== statement.text)
      problems.push(twice(evidence.own.record.number, known.name, name));
    byHash.set(evidence.own.hash, statement);
    for (const one of [evidence.own, ...evidence.earlier]) {
      const { number } = one.record;
      const other = chain.get(number);
      if (other !== undefined && other.one.hash !== one.hash) problems.push(twice(number, other.name, name));
      else chain.set(number, { one, name });
    }
  }
  const all = [...chain.values()].map(({ one }) => one).sort((a, b) => a.record.number - b.record.number);
  const since = judging.since ?? Number.NEGATIVE_INFINITY;
  const from = all.findIndex(({ record }) => !(Date.parse(record.at) < since));
  const judged = from === -1 ? [] : all.slice(from);
  problems.push(...gapsIn(judged, all[from - 1]));
  const judge = makeJudge(byHash, judging, inHistory(chain, judging.head));
  const whole = all.map((one, place) => judge(one, all[place - 1]));
  const records = from === -1 ? [] : whole.slice(from);
  const last = all.at(-1);
  const { head } = judging;
  problems.push(...(head === null ? [] : headFaults(head, all)));
  const isTailProved = head !== null && last?.record.number === head.number && last.hash === head.hash;
  return { records, problems, isTailProved };
}

function readFile(file: EvidenceFile, { keys, mayBeUnsigned }: Judging): Statement | Diagnostic {
  const envelope = readEnvelope(file.text);
  const { name } = file;
  if (envelope === null) return say("evidence/cut", { name });
  const opened = openEnvelope(envelope, keys, mayBeUnsigned);
  if ("fault" in opened) return notSigned(name, opened.fault, opened.keyid);
  const other = otherFormatOf(opened.payload);
  if (other === "newer") return say("evidence/newer-format", { name });
  if (other !== null) return say("evidence/unreleased-format", { name, says: other.unreleased });
  const evidence = readStatement(opened.payload);
  return evidence === null ? say("evidence/not-whole", { name }) : { ...file, evidence };
}

/** An envelope whose signature does not count. */
function notSigned(name: string, fault: EnvelopeFault, keyid: string | null): Diagnostic {
  switch (fault) {
    case "unsigned":
      return say("evidence/unsigned", { name });
    case "another key":
      return say("evidence/other-key", { name, keyid: (keyid ?? "").slice(0, 12) });
    case "changed":
      return say("evidence/changed", { name });
    case "not an envelope":
      return say("evidence/cut", { name });
    default:
      return fault satisfies never;
  }
}

/** Two records, or two statements, of one number. */
function twice(number: number, one: string, other: string): Diagnostic {
  return say("evidence/two-records#number", { one, other, number });
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
    found.push(say("evidence/missing#beginning", { records: numbered(1, first.record.number - 1) }));
  let last = before;
  for (const one of records) {
    const { number, before: named } = one.record;
    const isNext = last?.record.number === number - 1;
    if (last !== undefined && !isNext)
      found.push(say("evidence/missing#between", { from: numbered(last.record.number + 1, number - 1) }));
    if (last !== undefined && isNext && named !== last.hash)
      found.push(say("evidence/chain", { number, before: number - 1 }));
    last = one;
  }
  return found;
}

function numbered(from: number, to: number): string {
  return from === to ? `record ${from} is` : `records ${from} to ${to} are`;
}

function orderFaults({ record }: HashedRecord, last: HashedRecord | undefined): readonly Diagnostic[] {
  const { number, at } = record;
  if (last === undefined)
    return number === 1 && record.before !== null ? [say("evidence/chain", { number, before: 0 })] : [];
  const before = last.record.at;
  return isAfter(before, at) ? [say("evidence/clock#clock", { number, at, before })] : [];
}

/** The records that the newest one of the history leads to, each by the hash that the one after it names. */
function inHistory(
  chain: ReadonlyMap<number, { readonly one: HashedRecord }>,
  head: Judging["head"],
): ReadonlySet<string> {
  const found = new Set<string>();
  let next = head?.hash ?? null;
  for (let number = head?.number ?? 0; next !== null; number -= 1) {
    const one = chain.get(number)?.one;
    if (one?.hash !== next) break;
    found.add(next);
    next = one.record.before;
  }
  return found;
}

/** Judges the records of a history, the oldest first: each is compared with those before it. */
function makeJudge(
  byHash: ReadonlyMap<string, Statement>,
  { required, now }: Judging,
  inHistory: ReadonlySet<string>,
) {
  /** The first plan of each effect that was expected: a run that goes on where another ended has only the rest of it. */
  const firstOf = new Map<string, Planned | "unread">();
  const runs = new Map<string, number>();
  /** How far the state had come in the plan before. */
  let state: Planned["state"] = null;

  return (one: HashedRecord, before: HashedRecord | undefined): JudgedRecord => {
    const { record } = one;
    const { number, run, effect } = record;
    const evidence = byHash.get(one.hash)?.evidence ?? null;
    const problems = [...orderFaults(one, before), ...kindFaults(one, evidence !== null)];
    const same = runs.get(run);
    if (same !== undefined) problems.push(say("evidence/two-records#run", { earlier: same, number }));
    runs.set(run, same ?? number);
    const { expected } = effect;
    const first = expected === null ? null : (firstOf.get(expected) ?? null);
    const judged =
      evidence === null
        ? null
        : judgeRun(evidence, { first, isInHistory: inHistory.has(one.hash), required, now });
    if (expected !== null && first === null) firstOf.set(expected, judged?.plan ?? "unread");
    const made = judged?.plan?.state ?? null;
    if (made !== null && state?.lineage === made.lineage && made.serial <= state.serial)
      problems.push(say("evidence/other-plan#olderState", { number }));
    state = made ?? state;
    problems.push(...(judged?.problems ?? withoutEvidence(one)));
    const isProved = judged?.isProved === true && problems.length === 0;
    return { ...one, evidence, problems, isProved, notKnown: judged?.notKnown ?? NOT_KNOWN };
  };
}

/** Only the record of an apply has a file of its own; what else there is stands in the file of the next apply. */
const NOT_KNOWN: readonly string[] = ["what it did: it has no evidence of its own"];

/** Only an apply expects an effect, and knows its commit. */
function kindFaults({ record }: HashedRecord, hasFile: boolean): readonly Diagnostic[] {
  const { number, as, effect, commit, pullRequest } = record;
  const isApply = hasFile || effect.expected !== null || commit !== null || pullRequest !== null;
  return isApply && as !== "apply" ? [say("evidence/other-record", { number, as })] : [];
}

/** A run that was cut off, and a command, have no evidence of their own: the next apply has their records. */
function withoutEvidence({ record }: HashedRecord): readonly Diagnostic[] {
  return record.as === "apply" ? [say("evidence/none#noEvidence", { number: record.number })] : [];
}

function headFaults(
  head: { readonly number: number; readonly hash: string },
  all: readonly HashedRecord[],
): readonly Diagnostic[] {
  const { number } = head;
  const last = all.at(-1)?.record.number ?? 0;
  if (last < number) return [say("evidence/missing#tail", { from: numbered(last + 1, number) })];
  const found = all.find(({ record }) => record.number === number);
  return found?.hash === head.hash ? [] : [say("evidence/head", { number })];
}
