import { Optional } from "@marcbachmann/cel-js";
import { Duration, UnsignedInt } from "@marcbachmann/cel-js/evaluator";
import { isMoment } from "./calendar.js";
import { NotRead } from "./fault.js";
import { nanosOf } from "./times.js";

/** A value of CEL by its kind. Whole numbers of both types are one kind, because CEL compares them as numbers. */
type Value =
  | { readonly as: "number"; readonly of: bigint | number }
  | { readonly as: "text"; readonly of: string }
  | { readonly as: "bool"; readonly of: boolean }
  | { readonly as: "bytes"; readonly of: Uint8Array }
  | { readonly as: "moment" | "duration"; readonly of: bigint }
  | { readonly as: "list"; readonly of: readonly unknown[] }
  | { readonly as: "map"; readonly of: ReadonlyMap<unknown, unknown> }
  | { readonly as: "optional"; readonly of: Optional }
  | { readonly as: "other"; readonly of: unknown };

function kindOf(value: unknown): Value {
  switch (typeof value) {
    case "bigint":
    case "number":
      return { as: "number", of: value };
    case "string":
      return { as: "text", of: value };
    case "boolean":
      return { as: "bool", of: value };
  }
  if (value instanceof UnsignedInt) return { as: "number", of: BigInt(value.valueOf()) };
  if (isMoment(value)) return { as: "moment", of: BigInt(value.getTime()) };
  if (value instanceof Duration) return { as: "duration", of: nanosOf(value) };
  if (value instanceof Uint8Array) return { as: "bytes", of: value };
  if (value instanceof Optional) return { as: "optional", of: value };
  if (Array.isArray(value) || value instanceof Set) return { as: "list", of: [...value] };
  if (value instanceof Map) return { as: "map", of: value };
  const isMap = typeof value === "object" && value !== null && value.constructor === Object;
  return isMap ? { as: "map", of: new Map(Object.entries(value)) } : { as: "other", of: value };
}

/** `==` of CEL: numbers are equal by their value, whatever their types, also within lists and maps. */
export function areEqual(one: unknown, other: unknown): boolean {
  const [a, b] = [kindOf(one), kindOf(other)];
  if (a.as === "list" && b.as === "list")
    return a.of.length === b.of.length && a.of.every((item, at) => areEqual(item, b.of[at]));
  if (a.as === "map" && b.as === "map")
    return (
      a.of.size === b.of.size &&
      [...a.of].every(([key, value]) => b.of.has(key) && areEqual(value, b.of.get(key)))
    );
  if (a.as === "optional" && b.as === "optional") {
    const areFilled = a.of.hasValue() && b.of.hasValue();
    return areFilled ? areEqual(a.of.value(), b.of.value()) : a.of.hasValue() === b.of.hasValue();
  }
  if (a.as === "other" && isComparable(a.of)) return a.of.equals(b.of);
  if (a.as === "other" || b.as === "other") return a.of === b.of;
  return order(a, b) === 0;
}

/** A value that says itself what is equal to it. */
export interface ComparableValue {
  readonly equals: (other: unknown) => boolean;
}

function isComparable(value: unknown): value is ComparableValue {
  return typeof value === "object" && value !== null && "equals" in value;
}

/** Whether one value is less than another (-1), equal (0) or more (1); null where CEL has no order of them, as of NaN. */
export function compareValues(one: unknown, other: unknown): number | null {
  const found = order(kindOf(one), kindOf(other));
  if (found === undefined) throw new Error("no order");
  return found;
}

function order(a: Value, b: Value): number | null | undefined {
  if (a.as === "number" && b.as === "number") return orderOfNumbers(a.of, b.of);
  if (a.as === "text" && b.as === "text") return orderOfTexts(a.of, b.of);
  if (a.as === "bool" && b.as === "bool") return Number(a.of) - Number(b.of);
  if (a.as === "bytes" && b.as === "bytes") return Buffer.compare(a.of, b.of);
  const areTimes = (a.as === "moment" && b.as === "moment") || (a.as === "duration" && b.as === "duration");
  return areTimes ? sign(a.of, b.of) : undefined;
}

// A whole number and one with a fraction are compared as the latter, as the service's library does.
function orderOfNumbers(one: bigint | number, other: bigint | number): number | null {
  if (typeof one === "bigint" && typeof other === "bigint") return sign(one, other);
  const [a, b] = [Number(one), Number(other)];
  return Number.isNaN(a) || Number.isNaN(b) ? null : sign(a, b);
}

// JavaScript counts halves of signs beyond the first 65,536; their order is not that of the signs.
function orderOfTexts(one: string, other: string): number {
  return one === other ? 0 : Buffer.compare(Buffer.from(one), Buffer.from(other));
}

function sign<T extends bigint | number>(one: T, other: T): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

/** `in` of CEL: whether a list has a value, or a map has a key. */
export function isWithin(value: unknown, container: unknown): boolean {
  if (Array.isArray(container) && typeof value === "string") return container.includes(value);
  const within = kindOf(container);
  if (within.as === "list") return within.of.some((item) => areEqual(value, item));
  if (within.as !== "map") throw new Error("no list and no map");
  const { as, of } = kindOf(value);
  // Keys of a map are kept as texts.
  const key = as === "number" && typeof of === "number" ? (Number.isInteger(of) ? BigInt(of) : null) : of;
  if (as !== "number" && as !== "text" && as !== "bool") throw new NotRead("a key of another type");
  return key !== null && within.of.get(String(key)) !== undefined;
}

/** A key of a map as it is written; CEL has whole numbers, texts and booleans as keys only. */
export function toKey(value: unknown): unknown {
  const { as } = kindOf(value);
  if (typeof value === "number" || (as !== "number" && as !== "text" && as !== "bool"))
    throw new Error("no key of a map");
  return value;
}

/** The field or the element of what an optional value holds: none where it holds none, and a fault where it has no such field. */
export function chosen(from: unknown, key: unknown): unknown {
  if (!(from instanceof Optional)) throw new NotRead("a part of what is not optional");
  if (!from.hasValue()) return from;
  const held = kindOf(from.value());
  const found =
    held.as === "map"
      ? held.of.get(String(key))
      : held.as === "list" && typeof key === "bigint"
        ? held.of[Number(key)]
        : undefined;
  if (held.as === "other" && held.of !== null) throw new NotRead("a part of an optional value");
  if (found === undefined) throw new Error("no such key");
  return Optional.of(found);
}
