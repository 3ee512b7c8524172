import { isObject, type Json, type JsonObject } from "../../model/json.js";
import { didYouMean } from "../../schema/didYouMean.js";
import { type FreeName, freeNamesOf, parseExpression } from "../cel.js";
import { isDeclared } from "../declared.js";
import { memberOf, type Written } from "../locate.js";
import { mistakeAt, type Tell } from "./scope.js";

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
  let isWhole = true;
  const fault = (name: string, message: string, hint: string | undefined) => {
    isWhole = false;
    tell(mistakeAt(at, "value/with", message, hint, name));
  };
  const names = [...new Set(free.map(({ name }) => name))].filter((name) => !isDeclared(name));
  for (const [name, value] of Object.entries(values)) {
    const literal = literalOf(value);
    if (isDeclared(name)) fault(name, `${name} has a meaning in every expression`, "Choose another name.");
    else if (!names.includes(name)) {
      const hint =
        didYouMean(name, names) ?? "Only a name that stands alone is replaced, never a field or a function.";
      fault(name, `the expression has no name ${name}`, hint);
    } else if (literal === null) {
      isWhole = false;
      const message = `${name} is not a text, a boolean, a whole number or a list of these`;
      tell(mistakeAt(memberOf(at, name), "value/with", message, "Give it such a value."));
    } else literals.set(name, literal);
  }
  return isWhole ? replaced(text, free, literals) : null;
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
