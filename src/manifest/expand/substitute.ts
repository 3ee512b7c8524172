import type { Diagnostic } from "../../model/diagnostic.js";
import { isObject, type Json, type JsonObject } from "../../model/json.js";
import { didYouMean } from "../../schema/didYouMean.js";
import { say } from "../../words/say.js";
import { type FreeName, freeNamesOf, treeOf } from "../cel.js";
import { isDeclared } from "../declared.js";
import { locate, memberOf, type Written } from "../locate.js";
import type { Tell } from "./scope.js";

/** The identifiers of an expression that no macro binds, in the order they stand; null where it does not parse. */
export type FreeNames = readonly FreeName[] | null;

/**
 * An expression with the names of `with` replaced by literals. Only free root identifiers are replaced, at their own
 * characters, so the structure of the expression stays. An expression that does not parse stays as it is: its mistake is
 * reported with its place later.
 */
export function substituted(
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
export function freeNamesIn(expression: string): FreeNames {
  try {
    return freeNamesOf(treeOf(expression));
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
