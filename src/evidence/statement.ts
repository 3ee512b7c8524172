import { type RunRecord, readRecord } from "../apply/runRecord.js";
import type { Approval } from "../forge/forge.js";
import { isObject, type Json, type JsonObject, parseJson } from "../model/json.js";
import type { Finding } from "../plan/plan.js";
import type { FoundObject } from "../session/evidence.js";
import { hashOfRecord, type RecordText } from "../state/record.js";

/** What in-toto calls a statement, and this one. */
const TYPE = "https://in-toto.io/Statement/v1";
const PREDICATE_TYPE = "https://github.com/remit-cli/remit/evidence/v1";

/** A run record, and the hash of its text. */
export interface HashedRecord {
  readonly hash: string;
  readonly record: RunRecord;
}

/** The pull request that was applied, and who approved it, as the forge says. */
export interface ReviewedPull {
  readonly forge: string;
  readonly repository: string;
  readonly number: number;
  /** The head that was merged. */
  readonly commit: string;
  /** Null where the forge does not tell them to this token. */
  readonly approvals: readonly Approval[] | null;
}

/** All that a run leaves to prove what it did. */
export interface RunEvidence {
  readonly formatVersion: 1;
  readonly own: HashedRecord;
  /** The records before it, the newest first, up to the last one of an apply: no other evidence has them. */
  readonly earlier: readonly HashedRecord[];
  /** When the first write left, by the clock of the service; null where the run only changed the state. */
  readonly firstCall: string | null;
  /** The plan as it is saved, with people as counts. */
  readonly plan: JsonObject;
  readonly findings: readonly Pick<Finding, "guard" | "message" | "hash" | "acknowledged">[];
  /** Who named the effect that was expected: the reviews of a merge, or a person who started the job; null where none was. */
  readonly expectedBy: "review" | "operator" | null;
  /** Null where no forge was asked, or no single pull request brought the commit. */
  readonly review: ReviewedPull | null;
  readonly readBack: { readonly at: string; readonly objects: readonly FoundObject[] } | null;
}

/** The same before it is written: records are the texts that the history has. */
export interface NewEvidence extends Omit<RunEvidence, "formatVersion" | "own" | "earlier"> {
  readonly own: RecordText;
  readonly earlier: readonly RecordText[];
}

/** The text of the in-toto statement of a run. */
export function writeStatement({ own, earlier, ...evidence }: NewEvidence): string {
  const record = readRecord(own.text);
  if (record === null) throw new Error("a run has just written its record");
  const spelled = ({ hash, text }: RecordText) => ({ hash, record: parseJson(text) ?? null });
  const subject = [{ name: subjectOf(record), digest: { sha256: digestOf(record) } }];
  const records = { own: spelled(own), earlier: earlier.map(spelled) };
  const predicate = { formatVersion: 1, ...records, ...evidence };
  return JSON.stringify({ _type: TYPE, subject, predicateType: PREDICATE_TYPE, predicate });
}

/** Reads a statement; null for another text, for one whose records are not whole, and for a subject that is not its own. */
export function readStatement(text: string): RunEvidence | null {
  const value = parseJson(text);
  if (!isObject(value) || value._type !== TYPE || value.predicateType !== PREDICATE_TYPE) return null;
  const { predicate, subject } = value;
  if (!isObject(predicate) || predicate.formatVersion !== 1) return null;
  const own = readHashed(predicate.own);
  const earlier = Array.isArray(predicate.earlier) ? predicate.earlier.map(readHashed) : [null];
  if (own === null || earlier.includes(null) || !isObject(predicate.plan)) return null;
  const [first] = Array.isArray(subject) ? subject : [];
  const { sha256 = null } = isObject(first) && isObject(first.digest) ? first.digest : {};
  if (sha256 !== digestOf(own.record)) return null;
  const { firstCall, findings, review, expectedBy } = predicate;
  if (expectedBy !== null && expectedBy !== "review" && expectedBy !== "operator") return null;
  if (!isTime(firstCall) || !Array.isArray(findings) || !isReview(review)) return null;
  return { ...(predicate as unknown as RunEvidence), own, earlier: earlier as readonly HashedRecord[] };
}

/** What the subject is called: a person reads it. */
function subjectOf({ project, server }: RunRecord): string {
  return `effect on ${server}${project === null ? "" : ` of ${project}`}`;
}

function digestOf({ effect: { applied } }: RunRecord): string {
  return (applied ?? "").replace(/^sha256:/, "");
}

/** The chain is made over the record's text, which its members in this order give again. */
function readHashed(value: Json | undefined): HashedRecord | null {
  if (!isObject(value) || !isObject(value.record)) return null;
  const text = JSON.stringify(value.record);
  const record = readRecord(text);
  return record === null || value.hash !== hashOfRecord(text) ? null : { hash: value.hash, record };
}

function isTime(value: Json | undefined): boolean {
  return value === null || (typeof value === "string" && !Number.isNaN(Date.parse(value)));
}

function isReview(value: Json | undefined): boolean {
  if (value === null) return true;
  return (
    isObject(value) &&
    (value.approvals === null ||
      (Array.isArray(value.approvals) &&
        value.approvals.every((one) => isObject(one) && typeof one.by === "string" && isTime(one.at))))
  );
}
