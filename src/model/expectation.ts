import { isObject, type Json, type JsonObject } from "./json.js";
import { unfitCharacter } from "./key.js";

/** How a value from outside fits: `lacking` where it or a part of it is absent, `odd` where one is another thing. */
type Fit = "fitting" | "lacking" | "odd";

/** Asks what a value from outside should be; an absent member is undefined. */
export type Expectation = (value: Json | undefined) => Fit;

/** The members that an object must have, and what each should be. */
export type Members = Readonly<Record<string, Expectation>>;

/** A value that meets a condition. */
export const such =
  (isSuch: (value: Json) => boolean): Expectation =>
  (value) => {
    if (value === undefined) return "lacking";
    return isSuch(value) ? "fitting" : "odd";
  };

export const isText = such((value) => typeof value === "string");
export const isFlag = such((value) => typeof value === "boolean");
export const isCount = such((value) => typeof value === "number" && Number.isInteger(value) && value >= 0);
export const isMap = such(isObject);

/** An instant, as RFC 3339 writes it. */
export const isTime = such(
  (value) => typeof value === "string" && TIME.test(value) && !Number.isNaN(Date.parse(value)),
);
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;

/** One of some words. */
export function isOneOf<W extends string>(...words: readonly W[]): Expectation {
  return such((value) => words.some((word) => word === value));
}

/** A key that a manifest could have: an id in it becomes part of a URL. */
export const isKey = such(
  (value) =>
    Array.isArray(value) && value.every((id) => typeof id === "string" && unfitCharacter(id) === null),
);

/** A list of such values. */
export const isListOf =
  (one: Expectation): Expectation =>
  (value) => {
    if (!Array.isArray(value)) return value === undefined ? "lacking" : "odd";
    return worst(value.map(one));
  };

export const isTexts = isListOf(isText);

/** An object whose members all are such values. */
export const isMapOf =
  (one: Expectation): Expectation =>
  (value) => {
    if (!isObject(value)) return value === undefined ? "lacking" : "odd";
    return worst(Object.values(value).map(one));
  };

/** An object with these members; it may have others. */
export const hasMembers =
  (members: Members): Expectation =>
  (value) => {
    if (!isObject(value)) return value === undefined ? "lacking" : "odd";
    return misfit(value, members)?.fit ?? "fitting";
  };

/** A kind and a name. */
export const isAddress = hasMembers({ kind: isText, name: isText });

/** The same, or null. */
export const orNull =
  (one: Expectation): Expectation =>
  (value) =>
    value === null ? "fitting" : one(value);

/** The same, or no such member. */
export const orAbsent =
  (one: Expectation): Expectation =>
  (value) =>
    value === undefined ? "fitting" : one(value);

/** A member that does not fit: one that is lacking where there is one. Null where all fit. */
export function misfit(
  value: JsonObject,
  members: Members,
): { readonly name: string; readonly fit: Exclude<Fit, "fitting"> } | null {
  let found: ReturnType<typeof misfit> = null;
  for (const [name, expected] of Object.entries(members)) {
    const fit = expected(value[name]);
    if (fit === "lacking") return { name, fit };
    if (fit === "odd") found ??= { name, fit };
  }
  return found;
}

function worst(fits: readonly Fit[]): Fit {
  return (["lacking", "odd"] as const).find((one) => fits.includes(one)) ?? "fitting";
}
