import type { Diagnostic } from "../../model/diagnostic.js";
import { isObject, type Json, type JsonObject } from "../../model/json.js";
import { onceFor } from "../../model/onceFor.js";
import { didYouMean } from "../../schema/didYouMean.js";
import { say } from "../../words/say.js";
import { type FreeName, freeNamesOf, parseExpression } from "../cel.js";
import { isDeclared } from "../declared.js";
import { locate, memberOf, usedAt, type Written } from "../locate.js";
import { MARKERS, TEXT, VALUES, WITH } from "./markers.js";
import { lookUp, type Part, type Scope, type Tell } from "./scope.js";
import { composed } from "./text.js";

/** Stands for a part that cannot be made because of a mistake. */
export const BROKEN = Symbol("broken");

/**
 * A value with its named values, texts and literals of expressions put in, and where each part of it is written. The same
 * value where it has none. `BROKEN` where one is a mistake.
 */
export function expand(part: Part, scope: Scope, tell: Tell): Part | typeof BROKEN {
  if (!mayBeMarked(part.value)) return part;
  if (Array.isArray(part.value)) return expandList(part.value, part, scope, tell);
  return isObject(part.value) ? expandObject(part.value, part, scope, tell) : part;
}

function mayBeMarked(value: Json): boolean {
  return typeof value === "object" && value !== null && isMarked(value);
}

/** Whether a marker is in a value: a shape asks the same of its values for every row. */
const isMarked = onceFor(
  (value: JsonObject | readonly Json[]): boolean =>
    isObject(value)
      ? Object.entries(value).some(
          ([name, member]) => name.startsWith("$") || name === WITH || mayBeMarked(member),
        )
      : value.some(mayBeMarked),
  new WeakMap(),
);

function expandObject(object: JsonObject, part: Part, scope: Scope, tell: Tell): Part | typeof BROKEN {
  const { written } = part;
  const marker = MARKERS.find((name) => Object.hasOwn(object, name));
  if (marker !== undefined) return expandMarker(object, marker, written, scope, tell);
  const names = Object.keys(object);
  const isReplacing = typeof object.expression === "string" && isObject(object[WITH] ?? null);
  const parts = names.map((name) =>
    expand({ value: object[name] ?? null, written: memberOf(written, name) }, scope, tell),
  );
  const whole = partsOf(parts);
  if (whole === BROKEN) return BROKEN;
  const members = names.map((name, at) => [name, whole[at] as Part] as const);
  const changed = members.filter(([name, { value }]) => value !== object[name]);
  const made = changed.length === 0 ? part : joined(members, changed, written);
  return isReplacing ? withoutNames(made, object, tell) : made;
}

/** An expression with the names of its `with` replaced. */
function withoutNames({ value, written }: Part, authored: JsonObject, tell: Tell): Part | typeof BROKEN {
  const entries = Object.entries(value as JsonObject);
  const { expression: text, [WITH]: values } = value as JsonObject;
  if (!isObject(values ?? null) || typeof text !== "string") return { value, written };
  const free = namesOf(authored, text);
  const expression = substituted({ text, free }, values as JsonObject, memberOf(written, WITH), tell);
  if (expression === null) return BROKEN;
  const rest = entries.filter(([name]) => name !== WITH);
  const made: Written = {
    ...memberOf(written, "expression"),
    made: "expression",
    parts: partsIn(memberOf(written, WITH)),
  };
  const members = new Map([...(written.members ?? []), ["expression", made] as const]);
  return {
    value: Object.fromEntries(
      rest.map(([name, member]) => [name, name === "expression" ? expression : member]),
    ),
    written: { ...written, members },
  };
}

/** Where the named values stand that are in a value; what the manifest itself writes is not one of them. */
function partsIn({ parts, members }: Written): readonly Written[] {
  if (parts !== undefined) return parts;
  return [...(members?.values() ?? [])].flatMap((part) => (part.use === undefined ? partsIn(part) : [part]));
}

/** The free names of the expressions that authors wrote: a shape asks for them once for every row. */
const freeNames = new WeakMap<JsonObject, FreeNames>();

function namesOf(authored: JsonObject, text: string): FreeNames {
  const known = authored.expression === text ? freeNames.get(authored) : undefined;
  if (known !== undefined) return known;
  const found = freeNamesIn(text);
  if (authored.expression === text) freeNames.set(authored, found);
  return found;
}

function expandMarker(
  object: JsonObject,
  marker: (typeof MARKERS)[number],
  written: Written,
  scope: Scope,
  tell: Tell,
): Part | typeof BROKEN {
  const other = Object.keys(object).find((name) => name !== marker);
  if (other !== undefined) {
    tell(say("value/marker#beside", { other, marker }, locate(written, [other], "name")));
    return BROKEN;
  }
  const asked = object[marker] ?? null;
  if (marker === VALUES) {
    tell(say("value/marker#aList", {}, locate(written, [])));
    return BROKEN;
  }
  if (marker === TEXT) {
    return composed(asked, scope, memberOf(written, TEXT), tell) ?? BROKEN;
  }
  const found = named(asked, marker, written, scope, tell);
  return found === null ? BROKEN : used(found, written);
}

function named(asked: Json, marker: string, written: Written, scope: Scope, tell: Tell): Part | null {
  if (typeof asked === "string") return lookUp(asked, scope, memberOf(written, marker), tell);
  tell(say("value/marker#aName", { marker }, locate(memberOf(written, marker), [])));
  return null;
}

/** A named value at the place that uses it. */
function used({ value, written }: Part, use: Written): Part {
  return { value, written: usedAt(written, use) };
}

function expandList(list: readonly Json[], part: Part, scope: Scope, tell: Tell): Part | typeof BROKEN {
  const { written } = part;
  const lists: Written[] = [];
  const parts = list.flatMap((item, at): readonly (Part | typeof BROKEN)[] => {
    const here = memberOf(written, at);
    if (!isObject(item) || !Object.hasOwn(item, VALUES))
      return [expand({ value: item, written: here }, scope, tell)];
    const found = listNamed(item, here, scope, tell);
    if (found === null) return [BROKEN];
    lists.push(found.written);
    const items = found.value as readonly Json[];
    return items.map((value, place) => used({ value, written: memberOf(found.written, place) }, here));
  });
  const whole = partsOf(parts);
  if (whole === BROKEN) return BROKEN;
  const isSame = whole.length === list.length && whole.every(({ value }, at) => value === list[at]);
  if (isSame) return part;
  return {
    value: whole.map(({ value }) => value),
    written: {
      ...written,
      members: new Map(whole.map((part, at) => [at, part.written])),
      ...(lists.length > 0 && { parts: lists }),
    },
  };
}

/** The list that `$values` puts into a list; null where it is a mistake. */
function listNamed(item: JsonObject, written: Written, scope: Scope, tell: Tell): Part | null {
  if (Object.keys(item).length > 1) {
    expandMarker(item, VALUES, written, scope, tell);
    return null;
  }
  const found = named(item[VALUES] ?? null, VALUES, written, scope, tell);
  if (found === null) return null;
  if (!Array.isArray(found.value)) {
    tell(say("value/marker#notList", { name: `${item[VALUES]}` }, locate(memberOf(written, VALUES), [])));
    return null;
  }
  return found;
}

function partsOf(parts: readonly (Part | typeof BROKEN)[]): readonly Part[] | typeof BROKEN {
  return parts.every((part): part is Part => part !== BROKEN) ? parts : BROKEN;
}

/** An object of parts; those that changed have places of their own. */
function joined(
  parts: readonly (readonly [name: string, part: Part])[],
  changed: typeof parts,
  written: Written,
): Part {
  const places = changed.map(([name, part]) => [name, part.written] as const);
  return {
    value: Object.fromEntries(parts.map(([name, { value }]) => [name, value])),
    written: { ...written, members: new Map([...(written.members ?? []), ...places]) },
  };
}

/** The identifiers of an expression that no macro binds, in the order they stand; null where it does not parse. */
type FreeNames = readonly FreeName[] | null;

/**
 * An expression with the names of `with` replaced by literals. Only free root identifiers are replaced, at their own
 * characters, so the structure of the expression stays. An expression that does not parse stays as it is: its mistake is
 * reported with its place later.
 */
function substituted(
  { text, free }: { readonly text: string; readonly free: FreeNames },
  values: JsonObject,
  at: Written,
  tell: Tell,
): string | null {
  if (free === null) return text;
  const literals = new Map<string, string>();
  const faults: Diagnostic[] = [];
  const names = [...new Set(free.map(({ name }) => name))].filter((name) => !isDeclared(name));
  for (const [name, value] of Object.entries(values)) {
    const literal = literalOf(value);
    const place = () => locate(at, [name], "name");
    if (isDeclared(name)) faults.push(say("value/with#declared", { name }, place()));
    else if (!names.includes(name))
      faults.push(say("value/with#unused", { name }, { ...place(), hint: didYouMean(name, names) }));
    else if (literal === null)
      faults.push(say("value/with#notLiteral", { name }, locate(memberOf(at, name), [])));
    else literals.set(name, literal);
  }
  faults.forEach(tell);
  return faults.length === 0 ? replaced(text, free, literals) : null;
}

function replaced(
  expression: string,
  free: readonly FreeName[],
  literals: ReadonlyMap<string, string>,
): string {
  let text = "";
  let from = 0;
  for (const { name, start, end } of free) {
    const literal = literals.get(name);
    if (literal === undefined) continue;
    text += expression.slice(from, start) + literal;
    from = end;
  }
  return text + expression.slice(from);
}

/** The free names of an expression. */
function freeNamesIn(expression: string): FreeNames {
  try {
    return freeNamesOf(parseExpression(expression).ast);
  } catch {
    return null;
  }
}

/** A value as CEL writes it; null where it has no such form. */
function literalOf(value: Json): string | null {
  if (typeof value === "string") return textLiteral(value);
  if (typeof value === "boolean") return String(value);
  if (typeof value === "number") return Number.isSafeInteger(value) ? `(${value})` : null;
  if (!Array.isArray(value)) return null;
  const items = value.map((item) => (Array.isArray(item) || isObject(item) ? null : literalOf(item)));
  return items.every((item) => item !== null) ? `[${items.join(", ")}]` : null;
}

/** Every character that could end the text, or that a reader could not see, is escaped. */
function textLiteral(text: string): string | null {
  // Half of a pair of UTF-16 has no meaning alone.
  if (/\p{Surrogate}/u.test(text)) return null;
  const escaped = JSON.stringify(text).replace(
    /[\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  return escaped;
}
