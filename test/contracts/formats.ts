import fc from "fast-check";
import { expect, it } from "vitest";
import { isObject, type Json, type JsonObject, parseJson } from "../../src/model/json.js";
import { cases } from "../fakes/cases.js";

/** A text that remit reads and that names its format. */
export interface Format {
  /** A text that is read. */
  readonly text: string;
  /** The code of the refusal of a text; null where it is read. */
  readonly refusal: (text: string) => Promise<string | null> | string | null;
  /** The codes of its refusals by name. */
  readonly codes: { readonly newer: string; readonly unreleased: string };
  /** What a document is that lacks a member and has a higher number; of an unreleased format where it is left out. */
  readonly higher?: keyof Format["codes"];
  /** Members, at whatever depth, without which it is read: a new one needs a line here. */
  readonly optional?: readonly string[];
  /** Members whose own members are none of this format's. */
  readonly contents?: readonly string[];
  /** Where the document is that names the format; the text itself where it is left out. */
  readonly at?: readonly string[];
}

/** The refusals of what a store keeps. */
export const STORED = { newer: "state/newer-format", unreleased: "state/unreleased-format" };

/** What every format keeps: there is one, and any other is refused by its name, and never as damage. */
export function formatContract(name: string, make: () => Promise<Format> | Format): void {
  it(`of ${name} is read`, async () => {
    const { text, refusal } = await make();
    expect(await refusal(text)).toBeNull();
  });

  it.each<[string, Json | undefined, keyof Format["codes"]]>([
    ["no format", undefined, "unreleased"],
    ["format 0", 0, "unreleased"],
    ["format 1.5", 1.5, "unreleased"],
    ["a text as its format", "1", "unreleased"],
    ["null as its format", null, "unreleased"],
    ["format 2", 2, "newer"],
    ["format 99", 99, "newer"],
  ])(`of ${name} with %s is refused by name`, async (_, version, outcome) => {
    const { text, refusal, codes, at } = await make();
    const changed = changedAt(text, [...(at ?? []), "formatVersion"], version);
    expect(await refusal(changed)).toBe(codes[outcome]);
  });

  it(`of ${name} without a member is refused by name, whatever its number`, async () => {
    const {
      text,
      refusal,
      codes,
      at = [],
      optional = [],
      contents = [],
      higher = "unreleased",
    } = await make();
    const places = membersBelow(valueAt(JSON.parse(text), at), at).filter(
      (path) =>
        path.at(-1) !== "formatVersion" &&
        !optional.includes(path.at(-1) ?? "") &&
        !path.slice(0, -1).some((name) => contents.includes(name)),
    );
    expect(places.length).toBeGreaterThan(0);
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...places), fc.constantFrom(1, 2, 99), async (path, number) => {
        const numbered = changedAt(text, [...at, "formatVersion"], number);
        const changed = changedAt(numbered, path, undefined);
        expect([path.join("."), await refusal(changed)]).toEqual([
          path.join("."),
          codes[number === 1 ? "unreleased" : higher],
        ]);
      }),
      { numRuns: cases(60) },
    );
  });
}

/** The text with one value changed, or left out where the value is undefined. */
export function changedAt(text: string, path: readonly string[], value: Json | undefined): string {
  const whole = parseJson(text);
  if (!isObject(whole)) throw new Error("the text is no object");
  return `${JSON.stringify(withValue(whole, path, value))}${text.endsWith("\n") ? "\n" : ""}`;
}

function withValue(value: Json, [name = "", ...rest]: readonly string[], to: Json | undefined): Json {
  if (Array.isArray(value))
    return value.map((one, at) => (String(at) === name ? withValue(one, rest, to) : one));
  if (!isObject(value)) throw new Error(`nothing is at ${name}`);
  const { [name]: before, ...others } = value;
  if (rest.length > 0) return inPlace(value, name, withValue(before ?? null, rest, to));
  return to === undefined ? others : inPlace(value, name, to);
}

function inPlace(value: JsonObject, name: string, to: Json): JsonObject {
  return { ...value, [name]: to };
}

function valueAt(value: Json, path: readonly string[]): Json {
  return path.reduce((one, name) => (isObject(one) ? (one[name] ?? null) : null), value);
}

/** The paths of all members of a document, those of lists included. */
function membersBelow(value: Json, at: readonly string[]): readonly (readonly string[])[] {
  if (Array.isArray(value)) return value.flatMap((one, place) => membersBelow(one, [...at, String(place)]));
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, one]) => [[...at, name], ...membersBelow(one, [...at, name])]);
}
