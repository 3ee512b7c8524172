import { type RunRecord, readRecord } from "../apply/runRecord.js";
import type { Approval } from "../forge/forge.js";
import { isObject, type Json, type JsonObject, parseJson, same } from "../model/json.js";
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
  // Another spelling may have a member twice, of which other readers take the other one.
  if (JSON.stringify(value) !== text) return null;
  const { predicate, subject } = value;
  if (!isObject(predicate) || predicate.formatVersion !== 1) return null;
  const own = readHashed(predicate.own);
  const earlier = Array.isArray(predicate.earlier) ? predicate.earlier.map(readHashed) : [null];
  if (own === null || earlier.includes(null) || !isObject(predicate.plan)) return null;
  if (!isChain(earlier as readonly HashedRecord[])) return null;
  const about = [{ name: subjectOf(own.record), digest: { sha256: digestOf(own.record) } }];
  if (!same(subject, about)) return null;
  const { firstCall, findings, review, readBack, expectedBy } = predicate;
  if (expectedBy !== null && expectedBy !== "review" && expectedBy !== "operator") return null;
  if (!isTimeOrNull(firstCall) || !Array.isArray(findings) || !isReview(review) || !isReadBack(readBack))
    return null;
  return { ...(predicate as unknown as RunEvidence), own, earlier: earlier as readonly HashedRecord[] };
}

/** Whether each record names the one after it in the list, which came before it. */
function isChain(records: readonly HashedRecord[]): boolean {
  return records.every(({ record }, at) => {
    const next = records[at + 1];
    return next === undefined || record.before === next.hash;
  });
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
  if (!isObject(value) || !isObject(value.record) || !isWholeRecord(value.record)) return null;
  const text = JSON.stringify(value.record);
  const record = readRecord(text);
  return record === null || value.hash !== hashOfRecord(text) ? null : { hash: value.hash, record };
}

function isTime(value: Json | undefined): value is string {
  return typeof value === "string" && TIME.test(value) && !Number.isNaN(Date.parse(value));
}

/** RFC 3339. */
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;

function isTimeOrNull(value: Json | undefined): boolean {
  return value === null || isTime(value);
}

function isTextOrNull(value: Json | undefined): boolean {
  return value === null || typeof value === "string";
}

function isReview(value: Json | undefined): boolean {
  if (value === null) return true;
  if (!isObject(value)) return false;
  const { forge, repository, number, commit, approvals } = value;
  const isNamed = [forge, repository, commit].every((one) => typeof one === "string");
  return isNamed && typeof number === "number" && (approvals === null || isListOf(approvals, isApproval));
}

function isApproval({ by, at, commit }: JsonObject): boolean {
  return typeof by === "string" && isTimeOrNull(at) && isTextOrNull(commit);
}

function isReadBack(value: Json | undefined): boolean {
  if (value === null) return true;
  return isObject(value) && isTime(value.at) && isListOf(value.objects, isFoundObject);
}

function isFoundObject({ address, found, sha256 }: JsonObject): boolean {
  const isHash = sha256 === null || (typeof sha256 === "string" && /^[0-9a-f]{64}$/.test(sha256));
  return typeof address === "string" && typeof found === "string" && FOUND.has(found) && isHash;
}

const FOUND: ReadonlySet<string> = new Set<FoundObject["found"]>(["as applied", "different", "not read"]);

function isListOf(value: Json | undefined, isOne: (one: JsonObject) => boolean): boolean {
  return Array.isArray(value) && value.every((one) => isObject(one) && isOne(one));
}

/** A record of which all is there, and of the kind that it must be. */
function isWholeRecord(value: JsonObject): boolean {
  const { number, run, as, at, clock, server, project, pullRequest, commit, effect, by, steps, unwritten } =
    value;
  return (
    Number.isInteger(number) &&
    Number(number) > 0 &&
    (pullRequest === null || Number.isInteger(pullRequest)) &&
    isTime(at) &&
    [run, server].every((one) => typeof one === "string") &&
    [project, commit].every(isTextOrNull) &&
    ["apply", "recovery", "command"].includes(String(as)) &&
    ["service", "this machine"].includes(String(clock)) &&
    isObject(effect) &&
    [effect.expected, effect.applied].every(isTextOrNull) &&
    isObject(by) &&
    [by.host, by.command].every((one) => typeof one === "string") &&
    [by.user, by.job].every(isTextOrNull) &&
    isListOf(steps, isWholeStep) &&
    isListOf(unwritten, isUnwritten)
  );
}

function isUnwritten({ address, action, outcome }: JsonObject): boolean {
  return [address, action, outcome].every((one) => typeof one === "string");
}

function isWholeStep({ address, key, action, outcome, requests, fields }: JsonObject): boolean {
  return (
    [address, action, outcome].every((one) => typeof one === "string") &&
    isTextOrNull(key) &&
    Array.isArray(requests) &&
    requests.every((one) => typeof one === "string") &&
    isListOf(
      fields,
      ({ name, before, after }) => typeof name === "string" && [before, after].every(isTextOrNull),
    )
  );
}
