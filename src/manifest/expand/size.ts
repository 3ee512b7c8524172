import { isObject, type Json, type JsonObject } from "../../model/json.js";
import { onceFor } from "../../model/onceFor.js";
import { ADDS_NOTHING, type Amount, type Size } from "./budget.js";
import { isMarker, TEXT, VALUE, VALUES, WITH } from "./markers.js";
import type { Scope } from "./scope.js";
import { piecesOf } from "./text.js";

/** Characters that a number, or the comma and the quotes of a text, takes in an expression. */
const LITERAL = 8;

/** How large a value will be in one scope; it makes nothing of it. */
export function sizeIn(value: Json, scope: Scope): Size {
  const whole = { nodes: 0, characters: 0 };
  const taken = { nodes: 0, characters: 0, items: 0, made: 0 };
  const write = (text: string) => {
    whole.characters += text.length;
  };
  const take = (found: Json | undefined) => {
    const amount = found === undefined ? ADDS_NOTHING : amountOf(found);
    whole.nodes += amount.nodes;
    whole.characters += amount.characters;
    taken.nodes += amount.nodes;
    taken.characters += amount.characters;
    taken.items += amount.items;
  };
  const compose = (length: number) => {
    whole.characters += length;
    taken.made += length;
  };
  const literalSize = () => taken.characters + taken.nodes * LITERAL;
  const visit = (one: Json): void => {
    whole.nodes += 1;
    if (typeof one === "string") write(one);
    else if (Array.isArray(one)) for (const item of one) visit(item);
    else if (isObject(one)) visitMap(one);
  };
  const visitMap = (map: JsonObject): void => {
    const marker = Object.keys(map).find(isMarker);
    if (marker !== undefined) {
      const asked = map[marker];
      if (typeof asked !== "string") return;
      if (marker === VALUE || marker === VALUES) take(meant(asked, scope));
      if (marker === TEXT) for (const piece of piecesOf(asked) ?? []) compose(lengthOf(piece, scope));
      return;
    }
    for (const [name, member] of Object.entries(map)) {
      write(name);
      visit(member);
    }
    const { expression, [WITH]: literals = null } = map;
    if (typeof expression !== "string" || !isObject(literals)) return;
    for (const [name, literal] of Object.entries(literals)) {
      const before = literalSize();
      visit(literal);
      compose((expression.split(name).length - 1) * (literalSize() - before));
    }
  };
  visit(value);
  const isAlone = taken.nodes === 0 && taken.made === 0;
  return { largest: whole, taken: isAlone ? ADDS_NOTHING : taken };
}

/** Sizes of several manifests, as one: the rows of a shape. */
export function together(sizes: Iterable<Size>): Size {
  const largest = { nodes: 0, characters: 0 };
  const taken = { nodes: 0, characters: 0, items: 0, made: 0 };
  for (const size of sizes) {
    largest.nodes = Math.max(largest.nodes, size.largest.nodes);
    largest.characters = Math.max(largest.characters, size.largest.characters);
    taken.nodes += size.taken.nodes;
    taken.characters += size.taken.characters;
    taken.items += size.taken.items;
    taken.made += size.taken.made;
  }
  return { largest, taken: taken.nodes === 0 && taken.made === 0 ? ADDS_NOTHING : taken };
}

/** What a name and its members mean; undefined where that is a mistake, which is reported where the value is made. */
function meant(reference: string, scope: Scope): Json | undefined {
  const [name = "", ...members] = reference.split(".");
  let value = scope.find(name, null)?.value;
  for (const member of members)
    value = isObject(value) && Object.hasOwn(value, member) ? value[member] : undefined;
  return value;
}

function lengthOf(piece: NonNullable<ReturnType<typeof piecesOf>>[number], scope: Scope): number {
  if (piece.is === "text") return piece.text.length;
  const value = meant(piece.name, scope);
  return typeof value === "string" || typeof value === "number" ? String(value).length : 0;
}

function amountOf(value: Json): Amount {
  if (typeof value === "string") return { ...ADDS_NOTHING, nodes: 1, characters: value.length };
  if (typeof value !== "object" || value === null) return { ...ADDS_NOTHING, nodes: 1 };
  return amountInside(value);
}

/** A value that stands at many places is counted once. */
const amountInside = onceFor((value: JsonObject | readonly Json[]): Amount => {
  const isList = Array.isArray(value);
  const parts: readonly Json[] = isList ? value : Object.values(value);
  let [nodes, characters, items] = [
    1,
    isList ? 0 : Object.keys(value).join("").length,
    isList ? parts.length : 0,
  ];
  for (const part of parts) {
    const amount = amountOf(part);
    nodes += amount.nodes;
    characters += amount.characters;
    items += amount.items;
  }
  return { nodes, characters, items, made: 0 };
}, new WeakMap());
