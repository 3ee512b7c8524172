import { type Address, formatAddress } from "../model/address.js";
import { misfit } from "../model/expectation.js";
import { isObject, type Json, type JsonObject, parseJson } from "../model/json.js";
import { formatKey, type Key } from "../model/key.js";
import { forgetBefore, newTextsKey, openTexts, sealTexts } from "../state/encryption/texts.js";
import { FORMAT } from "../state/format.js";
import {
  type HistoryHead,
  hashOfRecord,
  hashOfValue,
  joined,
  type KeptRecord,
  newSecret,
  type RecordParts,
  RUN_RECORD,
  type TextsKey,
} from "../state/record.js";
import type { Owner } from "../state/store.js";
import type { Outcome } from "./event.js";

/** What a run did, as the history of its state keeps it. */
export interface RunRecord extends RecordedRun {
  readonly formatVersion: typeof FORMAT;
  /** Its place in the history: the first record has 1. */
  readonly number: number;
  /** The hash of the record before it; null for the first. */
  readonly before: string | null;
}

/** The same before it has a place. */
export interface RecordedRun {
  readonly run: string;
  /** `recovery`: the run was cut off, and the run that settled its writes wrote the record. `command`: a command changed the state. */
  readonly as: "apply" | "recovery" | "command";
  /** When it ended, or was settled: RFC 3339, UTC. */
  readonly at: string;
  /** Whose clock says so. */
  readonly clock: "service" | "this machine";
  readonly server: string;
  /** The project, with its context; null where it has no name. */
  readonly project: string | null;
  /** The number of the pull request whose merge was applied; null where it is not known. */
  readonly pullRequest: number | null;
  readonly commit: string | null;
  /** The effect that was expected, and the one that was applied; null where a record does not know it. */
  readonly effect: { readonly expected: string | null; readonly applied: string | null };
  /** Who wrote the record: for a recovery, the run that settled the writes. */
  readonly by: Pick<Owner, "host" | "user" | "job" | "command">;
  readonly steps: readonly RecordedStep[];
  /** The other steps of its plan: nothing of them was sent or recorded. None where the record knows no plan. */
  readonly unwritten: readonly UnwrittenStep[];
}

/** A step of which nothing was sent or recorded, and why. */
export interface UnwrittenStep {
  readonly address: string;
  readonly action: string;
  readonly outcome: Outcome;
}

/** What became of one object. A hash is made with a secret of the state. */
export interface RecordedStep {
  readonly address: string;
  /** The place of the object; null where it is not known. */
  readonly key: string | null;
  readonly action: string;
  readonly outcome: string;
  /** What the service calls the requests that wrote it, where it says so: its log finds them by that. */
  readonly requests: readonly string[];
  readonly fields: readonly RecordedField[];
}

/** A field, and the hashes of its values: null for unset, "unknown" for a value that was not seen. */
interface RecordedField {
  readonly name: string;
  readonly before: string | null;
  readonly after: string | null;
  /** The values themselves, as long as their texts are kept; a value that was unset or not seen is absent. */
  readonly values?: FieldValues;
}

/** What a field was before a run and after it. */
interface FieldValues {
  readonly before?: Json;
  readonly after?: Json;
}

/** A step with its values. */
export interface DoneStep {
  readonly address: Address;
  readonly key: Key | null;
  readonly action: string;
  readonly outcome: string;
  readonly requests: readonly string[];
  /** Null where the object was not there; "unknown" where it was not seen. */
  readonly before: JsonObject | null | "unknown";
  readonly after: JsonObject | null | "unknown";
  /** The fields that it was about. */
  readonly fields: readonly string[];
}

const UNKNOWN = "unknown";

/** How the texts of values are kept. */
interface KeepingTexts {
  /** The day of the run, in UTC. */
  readonly day: string;
  /** What was kept before that day is forgotten; null where the day is not certain enough to forget anything. */
  readonly forgetBefore: string | null;
}

/** The record of a run as the next one of a history, and where that ends then. Texts of values are kept where `keeping` says so. */
export function nextRecord(
  last: HistoryHead | undefined,
  { steps, ...run }: Omit<RecordedRun, "steps"> & { readonly steps: readonly DoneStep[] },
  keeping: KeepingTexts | null,
): { readonly head: HistoryHead; readonly kept: KeptRecord } {
  const secret = last?.secret ?? newSecret();
  const recordedSteps = steps.map((step) => recorded(step, secret));
  const key = keeping === null ? undefined : textsKeyFor(last, keeping);
  const values = recordedSteps.map(({ fields }, at) => fields.map(({ name }) => valuesOf(steps[at], name)));
  const texts =
    keeping === null || key === undefined || values.length === 0
      ? null
      : sealTexts(JSON.stringify(values), keeping.day, run.run, key);
  return placed(last, { ...run, steps: recordedSteps }, { secret, texts: key }, texts);
}

function textsKeyFor(last: HistoryHead | undefined, { day, forgetBefore: first }: KeepingTexts) {
  const key = last?.texts ?? newTextsKey(first ?? day);
  return first === null ? key : forgetBefore(key, first);
}

function valuesOf(step: DoneStep | undefined, name: string): FieldValues {
  const valueIn = (object: DoneStep["before"] | undefined) =>
    object === UNKNOWN || object === undefined ? null : (object?.[name] ?? null);
  const [before, after] = [valueIn(step?.before), valueIn(step?.after)];
  return { ...(before !== null && { before }), ...(after !== null && { after }) };
}

/** A record that was made for another place in a history, at its end. */
export function placedAgain(last: HistoryHead | undefined, record: RunRecord, texts: string | null) {
  const { formatVersion: _, number: __, before: ___, ...run } = record;
  const { secret = newSecret(), texts: key } = last ?? {};
  return placed(last, run, { secret, texts: key }, texts);
}

function placed(
  last: HistoryHead | undefined,
  run: RecordedRun,
  { secret, texts: textsKey }: { readonly secret: string; readonly texts: TextsKey | undefined },
  texts: string | null,
): { readonly head: HistoryHead; readonly kept: KeptRecord } {
  const number = (last?.number ?? 0) + 1;
  const spelled: RunRecord = { formatVersion: FORMAT, number, before: last?.hash ?? null, ...run };
  const record = JSON.stringify(spelled);
  const hash = hashOfRecord(record);
  const { keys: [key = newSecret(), ...older] = [] } = last ?? {};
  const opening = { secret, keys: [key, ...older], ...(textsKey !== undefined && { texts: textsKey }) };
  const head: HistoryHead = { number, hash, run: run.run, ...opening };
  return { head, kept: { hash, key, text: joined({ record, texts }) } };
}

function recorded(step: DoneStep, secret: string): RecordedStep {
  const { address, key, action, outcome, requests, before, after } = step;
  const hashIn = (object: DoneStep["before"], name: string) =>
    object === UNKNOWN ? UNKNOWN : hashOfField(object?.[name], secret);
  return {
    address: formatAddress(address),
    key: key === null ? null : formatKey(address.kind, key),
    action,
    outcome,
    requests,
    fields: [...step.fields]
      .sort()
      .map((name) => ({ name, before: hashIn(before, name), after: hashIn(after, name) })),
  };
}

function hashOfField(value: Json | undefined, secret: string): string | null {
  return value === undefined || value === null ? null : hashOfValue(value, secret);
}

/** Whether a field had a value before a run, as far as its record shows. */
export function hadBefore(
  { before }: Pick<RecordedField, "before">,
  value: Json | undefined,
  secret: string,
): "yes" | "no" | "unknown" {
  if (before === UNKNOWN) return UNKNOWN;
  return before === hashOfField(value, secret) ? "yes" : "no";
}

/** A record with the values of its fields, as far as their texts are kept and are those that it has the hashes of. */
export function withValues(
  record: RunRecord,
  texts: RecordParts["texts"],
  { secret, texts: key }: Pick<HistoryHead, "secret" | "texts">,
): RunRecord {
  const opened = texts === null || key === undefined ? null : openTexts(texts, record.run, key);
  const all = opened === null ? undefined : parseJson(opened);
  if (!Array.isArray(all)) return record;
  const steps = record.steps.map((step, at) => {
    const values = (all[at] ?? []) as readonly FieldValues[];
    const fields = step.fields.map((field, place) => {
      const found = values[place] ?? {};
      return isOf(field, found, secret) ? { ...field, values: found } : field;
    });
    return { ...step, fields };
  });
  return { ...record, steps };
}

function isOf(field: RecordedField, values: FieldValues, secret: string): boolean {
  const isSame = (hash: string | null, value: Json | undefined) =>
    hash === UNKNOWN ? value === undefined : hash === hashOfField(value, secret);
  return isSame(field.before, values.before) && isSame(field.after, values.after);
}

/** Reads the text of a record; null for another text. */
export function readRecord(text: string): RunRecord | null {
  const value = parseJson(text);
  if (!isObject(value) || value.formatVersion !== FORMAT || misfit(value, RUN_RECORD) !== null) return null;
  return value as unknown as RunRecord;
}
