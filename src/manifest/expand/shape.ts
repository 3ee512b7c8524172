import type { Diagnostic } from "../../model/diagnostic.js";
import { isObject, type Json, type JsonObject } from "../../model/json.js";
import { onceFor } from "../../model/onceFor.js";
import { didYouMean } from "../../schema/didYouMean.js";
import { say } from "../../words/say.js";
import { locate, memberOf, usedAt, type Written } from "../locate.js";
import type { Source } from "../source.js";
import type { Size } from "./budget.js";
import { BROKEN, expand } from "./expand.js";
import { lookUp, type Part, type Scope, type Tell, withRow } from "./scope.js";
import { sizeIn, together } from "./size.js";
import { VALUE_NAME } from "./values.js";

/** The key of a manifest that makes it a shape. */
export const FOR_EACH = "forEach";

const ROW_ID = /^[a-z0-9-]{1,63}$/;
const MEMBERS = ["in", "as", "mayBeEmpty"] as const;

/** A manifest as its author wrote it, and where. */
interface AuthoredManifest {
  readonly value: JsonObject;
  readonly written: Written;
}

/** A manifest as it is after its named values and rows were put in. */
export interface PlainManifest extends AuthoredManifest {
  /** `written`, found anew: who keeps this function keeps no places of a row, only what the row is made of. */
  readonly findPlaces: () => Written;
}

/**
 * The plain manifests that a manifest stands for, one by one: itself, with its named values put in, or one for each row
 * of a shape. What has a mistake is left out, and the mistake is reported.
 */
export function* plainManifests(
  manifest: AuthoredManifest,
  scope: Scope,
  tell: Tell,
): Generator<PlainManifest> {
  const { value, written } = manifest;
  if (!Object.hasOwn(value, FOR_EACH)) {
    const isMarked = mayMark(written.source);
    if (isMarked && !fits(written, sizeOfManifest(manifest, scope), scope, tell)) return;
    const made = isMarked ? withValues(manifest, scope, tell) : manifest;
    if (made === null) return;
    const findPlaces = made.written === written ? () => written : foundAgain(manifest, scope);
    yield { ...made, findPlaces };
    return;
  }
  const at = memberOf(written, FOR_EACH);
  const metadata = isObject(value.metadata ?? null) ? (value.metadata as JsonObject) : {};
  if (Object.hasOwn(metadata, "row")) {
    const row = memberOf(memberOf(written, "metadata"), "row");
    tell(say("shape/row#ofShape", {}, locate(row, [])));
    return;
  }
  const forEach = readForEach(value[FOR_EACH] ?? null, at, scope, tell);
  if (forEach === null) return;
  const { [FOR_EACH]: _, ...shape } = value;
  const sizes = forEach.rows.map((row) =>
    sizeOfManifest({ value: shape, written }, withRow(scope, forEach.as, row)),
  );
  if (!fits(at, together(sizes), scope, tell)) return;
  const make = rowMaker({ value: shape, written }, scope, forEach.as);
  const findPlaces = remembered((row: Part) => make(row, silent)?.written ?? written);
  for (const row of forEach.rows) {
    const made = make(row, tell);
    if (made !== null) yield { ...made, findPlaces: () => findPlaces(row) };
  }
}

/**
 * Whether a file may have a marker: each has one of these characters, also where the text is escaped, or this word. The line
 * with the schema for editors has one as well.
 */
const mayMark = onceFor(
  ({ text }: Source) => /(?<!^# yaml-language-server: )\$|\\|\bwith\b/m.test(text),
  new WeakMap(),
);

/** How large a manifest will be. */
function sizeOfManifest({ value }: AuthoredManifest, scope: Scope): Size {
  return together(OPEN_PARTS.map((name) => sizeIn(value[name] ?? null, scope)));
}

/** Whether the budget has room for what a place makes; reports the first that it has no room for. */
function fits(at: Written, size: Size, { budget }: Scope, tell: Tell): boolean {
  const fit = budget.count("manifest", at, size);
  if (typeof fit !== "string") tell(fit);
  return fit === "fits";
}

/** Hears nothing: what is made a second time was reported the first time. */
const silent: Tell = () => undefined;

/** The places of a manifest without rows that has named values. */
function foundAgain(manifest: AuthoredManifest, scope: Scope): () => Written {
  const findPlaces = remembered((again: AuthoredManifest) => withValues(again, scope, silent)?.written);
  return () => findPlaces(manifest) ?? manifest.written;
}

/** Makes the manifest of a row of a shape. */
function rowMaker(shape: AuthoredManifest, scope: Scope, as: string) {
  return (row: Part, tell: Tell): AuthoredManifest | null => {
    const made = withValues(shape, withRow(scope, as, row), tell);
    return made === null ? null : ofRow(made, row);
  };
}

/** A function that remembers its last answer: who asks for one place of a manifest often asks for the next. */
function remembered<Asked, Answer>(answer: (asked: Asked) => Answer): (asked: Asked) => Answer {
  let last: { readonly asked: Asked; readonly answer: Answer } | null = null;
  return (asked) => {
    if (last === null || last.asked !== asked) last = { asked, answer: answer(asked) };
    return last.answer;
  };
}

/** The plain manifest of a row. */
function ofRow({ value, written }: AuthoredManifest, row: Part): AuthoredManifest {
  const metadata = memberOf(written, "metadata");
  const at = memberOf(row.written, "id");
  const members = new Map([...(metadata.members ?? []), ["row", at] as const]);
  const inside = new Map([...(written.members ?? []), ["metadata", { ...metadata, members }] as const]);
  const named = isObject(value.metadata ?? null) ? (value.metadata as JsonObject) : {};
  return {
    value: { ...value, metadata: { ...named, row: idOf(row) } },
    written: { ...written, members: inside },
  };
}

/** The id of a row that was checked. */
function idOf({ value }: Part): string {
  return isObject(value) ? String(value.id) : "";
}

/** The parts of a manifest that named values may stand in. */
const OPEN_PARTS = ["metadata", "spec"] as const;

function withValues({ value, written }: AuthoredManifest, scope: Scope, tell: Tell): AuthoredManifest | null {
  const made = new Map<string, Part>();
  for (const name of OPEN_PARTS) {
    const part = { value: value[name] ?? null, written: memberOf(written, name) };
    const whole = expand(part, scope, tell);
    if (whole === BROKEN) return null;
    if (whole !== part) made.set(name, whole);
  }
  if (made.size === 0) return { value, written };
  const values = [...made].map(([name, part]) => [name, part.value] as const);
  const places = [...made].map(([name, part]) => [name, part.written] as const);
  return {
    value: { ...value, ...Object.fromEntries(values) },
    written: { ...written, members: new Map([...(written.members ?? []), ...places]) },
  };
}

interface ForEach {
  readonly as: string;
  /** Each with an id of its own. */
  readonly rows: readonly Part[];
}

function readForEach(value: Json, at: Written, scope: Scope, tell: Tell): ForEach | null {
  if (!isObject(value)) {
    tell(say("shape/for-each#notMap", {}, locate(at, [])));
    return null;
  }
  const member = Object.keys(value).find((name) => !MEMBERS.some((known) => known === name));
  if (member !== undefined) {
    const place = { ...locate(at, [member], "name"), hint: didYouMean(member, MEMBERS) };
    tell(say("shape/for-each#member", { member }, place));
    return null;
  }
  const { as } = value;
  if (typeof as !== "string" || !VALUE_NAME.test(as)) {
    tell(say("shape/for-each#as", {}, locate(memberOf(at, "as"), [])));
    return null;
  }
  if (scope.names.includes(as)) {
    tell(say("shape/for-each#taken", { as }, locate(memberOf(at, "as"), [])));
    return null;
  }
  const list = rowsOf(value.in ?? null, memberOf(at, "in"), scope, tell);
  if (list === null) return null;
  if (list.length === 0 && value.mayBeEmpty !== true) {
    tell(say("shape/empty", {}, locate(memberOf(at, "in"), [])));
    return null;
  }
  return areRows(list, tell) ? { as, rows: list } : null;
}

/** The rows that `in` names or lists; null where it does neither, which is reported. */
function rowsOf(value: Json, at: Written, scope: Scope, tell: Tell): readonly Part[] | null {
  if (typeof value !== "string" && !Array.isArray(value)) {
    tell(say("shape/for-each#in", {}, locate(at, [])));
    return null;
  }
  const found =
    typeof value === "string" ? lookUp(value, scope, at, tell) : expand({ value, written: at }, scope, tell);
  if (found === null || found === BROKEN) return null;
  if (!Array.isArray(found.value)) {
    tell(say("shape/for-each#notList", { name: String(value) }, locate(at, [])));
    return null;
  }
  return found.value.map((row, index): Part => {
    const written = memberOf(found.written, index);
    return { value: row, written: typeof value === "string" ? usedAt(written, at) : written };
  });
}

/** Whether each has an id, and no two have the same; what is wrong is reported. */
function areRows(list: readonly Part[], tell: Tell): boolean {
  const first = new Map<string, Part>();
  const faults: Diagnostic[] = [];
  for (const part of list) {
    const { value, written } = part;
    const id = isObject(value) && Object.hasOwn(value, "id") ? value.id : undefined;
    const place = () => locate(id === undefined ? written : memberOf(written, "id"), []);
    const other = first.get(`${id}`);
    if (!isObject(value)) faults.push(say("shape/row#notMap", {}, place()));
    else if (id === undefined) faults.push(say("shape/row#noId", {}, place()));
    else if (typeof id !== "string" || !ROW_ID.test(id)) faults.push(say("shape/row#wrongId", {}, place()));
    else if (other !== undefined) {
      const { span } = locate(memberOf(other.written, "id"), []);
      const related = [{ message: "the first one is here", span }, ...(place().related ?? [])];
      faults.push(say("shape/row#twice", { id }, { ...place(), related }));
    } else first.set(id, part);
  }
  faults.forEach(tell);
  return faults.length === 0;
}
