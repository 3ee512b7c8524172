import { isObject, type Json, type JsonObject } from "../model/json.js";

type Test = (value: Json | undefined) => boolean;

const isText: Test = (value) => typeof value === "string";
const isTexts: Test = (value) => Array.isArray(value) && value.every(isText);
const isAddress: Test = (value) => isObject(value) && isText(value.kind) && isText(value.name);
const orNull =
  (test: Test): Test =>
  (value) =>
    value === null || test(value);
const orAbsent =
  (test: Test): Test =>
  (value) =>
    value === undefined || test(value);

const isApplying: Test = (value) =>
  isObject(value) && isText(value.effect) && isTexts(value.done) && typeof value.isComplete === "boolean";

const DOCUMENT: Readonly<Record<string, Test>> = {
  lineage: isText,
  serial: (value) => typeof value === "number" && Number.isInteger(value) && value >= 0,
  server: isText,
  wasRead: (value) => typeof value === "boolean",
  entries: isObject,
  uncertain: isObject,
  existing: isObject,
  applying: orNull(isApplying),
};

const ENTRY: Readonly<Record<string, Test>> = {
  address: isAddress,
  key: isTexts,
  applied: isObject,
  answered: orNull(isObject),
  rewritten: isTexts,
  at: isText,
  protected: (value) => typeof value === "boolean",
  unknown: orAbsent(isTexts),
  drift: orAbsent(isObject),
  createOnly: orAbsent(isObject),
  file: orAbsent(isText),
  original: orAbsent(isObject),
  former: orAbsent((value) => typeof value === "boolean"),
};

const UNCERTAIN: Readonly<Record<string, Test>> = {
  address: isAddress,
  key: orNull(isTexts),
  applied: isObject,
  at: isText,
  why: isText,
  sent: orAbsent((value) => typeof value === "boolean"),
};

const EXISTING: Readonly<Record<string, Test>> = { at: isText, why: isText };

/** What keeps a document from being a snapshot, naming the place; null when nothing does. */
export function faultIn(document: JsonObject): string | null {
  const odd = oddMember(document, DOCUMENT);
  if (odd !== undefined) return `its \`${odd}\` is missing or not what it should be`;
  return (
    faultInTable(document, "entries", ENTRY) ??
    faultInTable(document, "uncertain", UNCERTAIN) ??
    faultInTable(document, "existing", EXISTING)
  );
}

function faultInTable(
  document: JsonObject,
  table: string,
  tests: Readonly<Record<string, Test>>,
): string | null {
  const rows = document[table];
  for (const [name, row] of Object.entries(isObject(rows) ? rows : {})) {
    if (!isObject(row)) return `\`${name}\` of \`${table}\` is not an object`;
    const odd = oddMember(row, tests);
    if (odd !== undefined) return `\`${odd}\` of \`${name}\` is missing or not what it should be`;
  }
  return null;
}

function oddMember(value: JsonObject, tests: Readonly<Record<string, Test>>): string | undefined {
  return Object.keys(tests).find((name) => tests[name]?.(value[name]) !== true);
}
