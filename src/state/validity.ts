import {
  type Expectation,
  isAddress,
  isCount,
  isFlag,
  isKey,
  isMap,
  isText,
  isTexts,
  type Members,
  oddMember,
  orAbsent,
  orNull,
} from "../model/expectation.js";
import { isObject, type JsonObject } from "../model/json.js";

const isTextMap: Expectation = (value) => isObject(value) && Object.values(value).every(isText);

const CREATED: Members = {
  address: isAddress,
  key: isKey,
  isUnfinished: orAbsent((value) => value === true),
};
const isCreated: Expectation = (value) =>
  Array.isArray(value) && value.every((one) => isObject(one) && oddMember(one, CREATED) === undefined);
const isMaps: Expectation = (value) => Array.isArray(value) && value.every(isObject);
const isApplying: Expectation = (value) =>
  isObject(value) &&
  isText(value.effect) &&
  isTexts(value.done) &&
  isFlag(value.isComplete) &&
  isCreated(value.created ?? []) &&
  isMaps(value.deleted ?? []);

const APPLIED_BY: Members = { host: isText, user: orNull(isText), job: orNull(isText), since: isText };
const isAppliedBy: Expectation = (value) => isObject(value) && oddMember(value, APPLIED_BY) === undefined;

const TEXTS_KEY: Members = { from: isText, key: isText };
const isTextsKey: Expectation = (value) => isObject(value) && oddMember(value, TEXTS_KEY) === undefined;

const HISTORY: Members = {
  number: isCount,
  hash: isText,
  run: isText,
  secret: isText,
  keys: orAbsent((value) => Array.isArray(value) && value.every(isText)),
  texts: orAbsent(isTextsKey),
};
const isHistory: Expectation = (value) => isObject(value) && oddMember(value, HISTORY) === undefined;

const DOCUMENT: Members = {
  lineage: isText,
  serial: isCount,
  server: isText,
  project: orAbsent(isText),
  appliedBy: orAbsent(isAppliedBy),
  history: orAbsent(isHistory),
  wasRead: isFlag,
  entries: isMap,
  uncertain: isMap,
  existing: isMap,
  applying: orNull(isApplying),
  landed: orAbsent(isTextMap),
};

const SEALED: Members = {
  lineage: isText,
  serial: isCount,
  project: orAbsent(isText),
  effect: orNull(isText),
  sealed: isText,
};
const MOVED: Members = { lineage: isText, serial: isCount, movedTo: isText, seal: orAbsent(isText) };

/** What a write leaves of an object. */
export const RECORD: Members = {
  applied: isMap,
  answered: orNull(isMap),
  rewritten: isTexts,
  createdAt: orAbsent(isText),
  protected: isFlag,
  unknown: orAbsent(isTexts),
  drift: orAbsent(isMap),
  createOnly: orAbsent(isMap),
  file: orAbsent(isText),
  original: orAbsent(isMap),
  unverified: orAbsent(isMap),
  meanings: orAbsent(isTextMap),
  labels: orAbsent(isTextMap),
  former: orAbsent(isFlag),
};

const ENTRY: Members = { address: isAddress, key: isKey, at: isText, ...RECORD };

const UNCERTAIN: Members = {
  address: isAddress,
  key: orNull(isKey),
  applied: isMap,
  of: orAbsent((value) => isObject(value) && isText(value.effect) && isText(value.step)),
  createOnly: orAbsent(isMap),
  at: isText,
  why: isText,
  sent: orAbsent(isFlag),
  since: orAbsent(isText),
};

const EXISTING: Members = { at: isText, why: isText };

/** What keeps a document from being a sealed snapshot; null when nothing does. */
export function faultInSealed(document: JsonObject): string | null {
  return faultInMembers(document, SEALED);
}

/** What keeps a document from being the mark of a state that was moved; null when nothing does. */
export function faultInMoved(document: JsonObject): string | null {
  return faultInMembers(document, MOVED);
}

function faultInMembers(document: JsonObject, members: Members): string | null {
  const odd = oddMember(document, members);
  return odd === undefined ? null : `its \`${odd}\` is missing or not what it should be`;
}

/** What keeps a document from being a snapshot, naming the place; null when nothing does. */
export function faultIn(document: JsonObject): string | null {
  return (
    faultInMembers(document, DOCUMENT) ??
    faultInTable(document, "entries", ENTRY) ??
    faultInTable(document, "uncertain", UNCERTAIN) ??
    faultInTable(document, "existing", EXISTING)
  );
}

function faultInTable(document: JsonObject, table: string, members: Members): string | null {
  const rows = document[table];
  for (const [name, row] of Object.entries(isObject(rows) ? rows : {})) {
    if (!isObject(row)) return `\`${name}\` of \`${table}\` is not an object`;
    const odd = oddMember(row, members);
    if (odd !== undefined) return `\`${odd}\` of \`${name}\` is missing or not what it should be`;
  }
  return null;
}
