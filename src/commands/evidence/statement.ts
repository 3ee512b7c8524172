import { plan as makePlan, STEPS_ALONE } from "../../apply/preview.js";
import { type RunRecord, readRecord } from "../../apply/runRecord.js";
import type { Session } from "../../apply/session.js";
import type { Approval } from "../../forge/forge.js";
import { formatAddress } from "../../model/address.js";
import {
  hasMembers,
  isCount,
  isListOf,
  isMap,
  isOneOf,
  isText,
  isTime,
  type Members,
  misfit,
  orNull,
  such,
} from "../../model/expectation.js";
import { isObject, type JsonObject, parseJson, same } from "../../model/json.js";
import { formatKey } from "../../model/key.js";
import type { Finding, Plan } from "../../plan/plan.js";
import type { Request } from "../../plan/request.js";
import { isWriting } from "../../plan/saved/effect.js";
import { fingerprint } from "../../plan/saved/spelling.js";
import { FORMAT, otherFormat } from "../../state/format.js";
import { hashOfRecord, type RecordText, RUN_RECORD } from "../../state/record.js";
import type { Store } from "../../state/store.js";
import { misfitOf } from "../../state/validity.js";
import { walkHistory } from "../../state/walkHistory.js";

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
  readonly formatVersion: typeof FORMAT;
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
  const predicate = { formatVersion: FORMAT, ...records, ...evidence };
  return JSON.stringify({ _type: TYPE, subject, predicateType: PREDICATE_TYPE, predicate });
}

/** Of which format a statement is, where it, or a record in it, is of another one; null for a text that is none. */
export function otherFormatOf(text: string): ReturnType<typeof otherFormat> {
  const value = parseJson(text);
  const predicate = isObject(value) ? (value.predicate ?? null) : null;
  if (!isObject(predicate)) return null;
  const kept = [predicate.own ?? null, ...(Array.isArray(predicate.earlier) ? predicate.earlier : [])];
  const records = kept.flatMap((one) => (isObject(one) && isObject(one.record) ? [one.record] : []));
  const found = records.map((record) => otherFormat(record, misfitOf(record, RUN_RECORD)));
  return (
    [otherFormat(predicate, misfitOf(predicate, PREDICATE)), ...found].find((one) => one !== null) ?? null
  );
}

const isRecord = hasMembers({ hash: isText, record: hasMembers(RUN_RECORD) });
const APPROVAL: Members = { by: isText, at: orNull(isTime), commit: orNull(isText) };
const REVIEW: Members = {
  forge: isText,
  repository: isText,
  number: isCount,
  commit: isText,
  approvals: orNull(isListOf(hasMembers(APPROVAL))),
};
const FOUND_OBJECT: Members = {
  address: isText,
  found: isOneOf<FoundObject["found"]>("as applied", "different", "not read"),
  sha256: orNull(such((value) => typeof value === "string" && /^[0-9a-f]{64}$/.test(value))),
};
const PREDICATE: Members = {
  own: isRecord,
  earlier: isListOf(isRecord),
  firstCall: orNull(isTime),
  plan: isMap,
  findings: isListOf(isMap),
  expectedBy: orNull(isOneOf("review", "operator")),
  review: orNull(hasMembers(REVIEW)),
  readBack: orNull(hasMembers({ at: isTime, objects: isListOf(hasMembers(FOUND_OBJECT)) })),
};

/** Reads a statement; null for another text, for one whose records are not whole, and for a subject that is not its own. */
export function readStatement(text: string): RunEvidence | null {
  const value = parseJson(text);
  if (!isObject(value) || value._type !== TYPE || value.predicateType !== PREDICATE_TYPE) return null;
  // Another spelling may have a member twice, of which other readers take the other one.
  if (JSON.stringify(value) !== text) return null;
  const { predicate, subject } = value;
  if (!isObject(predicate) || predicate.formatVersion !== FORMAT || misfit(predicate, PREDICATE) !== null)
    return null;
  const evidence = predicate as unknown as RunEvidence;
  const own = readHashed(evidence.own);
  const earlier = evidence.earlier.map(readHashed);
  if (own === null || !earlier.every((one) => one !== null) || !isChain(earlier)) return null;
  const about = [{ name: subjectOf(own.record), digest: { sha256: digestOf(own.record) } }];
  return same(subject, about) ? { ...evidence, own, earlier } : null;
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
function readHashed({ hash, record: found }: HashedRecord): HashedRecord | null {
  const text = JSON.stringify(found);
  const record = readRecord(text);
  return record === null || hash !== hashOfRecord(text) ? null : { hash, record };
}

/** The record of a run, and those before it that no other run gives evidence of. */
interface RunRecords {
  readonly own: RecordText;
  /** The newest first, up to the last one of an apply. */
  readonly earlier: readonly RecordText[];
}

/** The records of a run as the store has them; null where the store has none of it. */
export async function recordsOf(store: Store, run: string): Promise<RunRecords | null> {
  const { snapshot } = await store.read();
  let own: RecordText | null = null;
  const earlier: RecordText[] = [];
  await walkHistory(store, snapshot?.history, ({ hash, record: text }) => {
    const kept = { hash, text };
    const record = readRecord(text);
    if (own !== null) earlier.push(kept);
    const isLast = own !== null && record?.as === "apply";
    if (record?.run === run && record.as === "apply") own = kept;
    return !isLast;
  });
  return own === null ? null : { own, earlier };
}

/** What an object of a run is in the tenant now. */
interface FoundObject {
  readonly address: string;
  /** `as applied`: a plan of the same manifests changes nothing of it. */
  readonly found: "as applied" | "different" | "not read";
  /** The SHA-256 of what was read; null where nothing was. */
  readonly sha256: string | null;
}

/** Reads the objects of a plan back: a new plan of the same manifests shows what each of them is now. Null where none could be made. */
export async function readBack(
  applied: Plan,
  request: Request,
  session: Session,
): Promise<readonly FoundObject[] | null> {
  const { value: now, look } = await makePlan({ ...request, ...STEPS_ALONE }, session);
  if (now === null || look === null) return null;
  const { objects } = look.known.current;
  const steps = new Map(now.steps.map((step) => [formatAddress(step.address), step]));
  return applied.steps.filter(isWriting).map((done): FoundObject => {
    const address = formatAddress(done.address);
    const step = steps.get(address);
    const key = step?.key ?? null;
    const object = key === null ? undefined : objects.get(formatKey(done.address.kind, key));
    if (step === undefined || object?.as !== "present") return { address, found: "not read", sha256: null };
    const found = step.action === "keep" ? "as applied" : "different";
    return { address, found, sha256: fingerprint(object.fields).replace("sha256:", "") };
  });
}
