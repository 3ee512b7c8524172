import { isObject, type Json, type JsonObject } from "../../src/model/json.js";

type Random = () => number;

const PIECES = [
  "",
  "\0",
  "\u001b[2J",
  "null",
  "[]",
  "{}",
  '"',
  "__proto__",
  "../../token",
  "-1",
  "1e999",
  "\ufeff",
];
const LEAVES: readonly Json[] = [
  null,
  true,
  false,
  0,
  -1,
  1e21,
  "",
  "true",
  "../../token",
  "__proto__",
  [],
  {},
  [null],
];

/** A text with one to four of its parts removed, repeated, moved, or replaced by a piece that often causes trouble. */
export function mutatedText(text: string, random: Random): string {
  const below = (bound: number) => Math.floor(random() * bound);
  let result = text;
  for (let left = 1 + below(4); left > 0; left -= 1) {
    const [at, length] = [below(result.length + 1), below(40)];
    const part = result.slice(at, at + length);
    const other = result.slice(below(result.length)).slice(0, 40);
    const pieces = ["", part + part, other, PIECES[below(PIECES.length)] ?? ""];
    result = result.slice(0, at) + (pieces[below(pieces.length)] ?? "") + result.slice(at + length);
  }
  return result;
}

/** A value in which one or two places have another value: one of elsewhere in it, a common one, or none. */
export function mutatedValue(value: Json, random: Random): Json {
  const below = (bound: number) => Math.floor(random() * bound);
  let result = value;
  for (let left = 1 + below(2); left > 0; left -= 1) {
    const places = [...placesIn(result, [])].filter((place) => place.length > 0);
    const [target, source] = [places[below(places.length)], places[below(places.length)]];
    if (target === undefined || source === undefined) return result;
    const leaf = LEAVES[below(LEAVES.length)];
    const replacements = [valueAt(result, source), leaf, undefined];
    result = replaced(result, target, replacements[below(replacements.length)]) ?? null;
  }
  return result;
}

type Place = readonly (string | number)[];

function* placesIn(value: Json, place: Place): Generator<Place> {
  yield place;
  if (Array.isArray(value)) for (const [at, item] of value.entries()) yield* placesIn(item, [...place, at]);
  else if (isObject(value)) {
    for (const [name, member] of Object.entries(value)) yield* placesIn(member, [...place, name]);
  }
}

function valueAt(value: Json, place: Place): Json | undefined {
  return place.reduce<Json | undefined>((here, part) => (here as Record<string, Json>)[part], value);
}

function replaced(value: Json, [first, ...rest]: Place, next: Json | undefined): Json | undefined {
  if (first === undefined) return next;
  if (Array.isArray(value)) {
    return value.flatMap((item, at) => (at === first ? (replaced(item, rest, next) ?? []) : [item]));
  }
  const entries = Object.entries(value as JsonObject).flatMap(([name, member]) => {
    const kept = name === first ? replaced(member, rest, next) : member;
    return kept === undefined ? [] : [[name, kept] as const];
  });
  return Object.fromEntries(entries);
}
