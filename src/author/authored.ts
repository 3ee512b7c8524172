import { unnamedIn } from "../diff/unnamed.js";
import { isObject, type Json, type JsonObject } from "../model/json.js";
import { shortDuration } from "../schema/duration.js";
import type { Shape, SpecShape } from "../schema/shape.js";

/** The fields of an object as an author would write them, and those that a manifest cannot hold. */
interface Authored {
  readonly fields: JsonObject;
  /** Fields left out, each with why: the service keeps owning them. */
  readonly leftOut: readonly { readonly field: string; readonly why: string }[];
}

/**
 * What a manifest writes for an object that was read: short durations, no empty values, nothing that the service sets.
 * A field with content that remit has no name for, or that selects what no read shows, is left out as a whole.
 */
export function authored(fields: JsonObject, shape: SpecShape): Authored {
  const unnamed = unnamedIn(fields, shape);
  const isUnnamed = (name: string) =>
    unnamed.find((place) => place === name || place.startsWith(`${name}.`) || place.startsWith(`${name}[`));
  const choices = new Set(shape.groups.map(({ name }) => name));
  const kept: [string, Json][] = [];
  const leftOut: Authored["leftOut"][number][] = [];
  for (const [name, value] of Object.entries(fields)) {
    const field = shape.fields.get(name);
    const place = isUnnamed(name);
    if (choices.has(name) && isObject(value)) {
      for (const choice of Object.keys(value)) leftOut.push({ field: choice, why: unknown(choice, choice) });
    } else if (field === undefined) {
      // What a write of the object needs, and no manifest says.
    } else if (place !== undefined) {
      leftOut.push({ field: name, why: unknown(name, place) });
    } else {
      const hidden = unreadIn(value, field, name);
      if (hidden !== null)
        leftOut.push({ field: name, why: `the service does not show what ${hidden} selects` });
      else if (!isEmpty(value)) kept.push([name, spelled(value, field)]);
    }
  }
  return { fields: Object.fromEntries(kept), leftOut };
}

function unknown(field: string, place: string): string {
  return `remit has no name for ${place === field ? "it" : place}`;
}

/** Where a value selects something that no read shows: `scope.resourceSelection`; null for nowhere. */
function unreadIn(value: Json, shape: Shape, path: string): string | null {
  if (shape.type === "marker") return shape.selects === "elsewhere" ? path : null;
  if (shape.type !== "object" || !isObject(value)) return null;
  for (const [name, member] of Object.entries(value)) {
    const field = shape.fields.get(name);
    const place = field === undefined || member === null ? null : unreadIn(member, field, `${path}.${name}`);
    if (place !== null) return place;
  }
  return null;
}

/** A value as an author writes it: a duration in its short form. */
export function spelled(value: Json, shape: Shape): Json {
  if (shape.type === "string" && shape.form.is === "duration" && typeof value === "string") {
    return shortDuration(value);
  }
  if (shape.type === "list" && Array.isArray(value)) return value.map((item) => spelled(item, shape.item));
  if (shape.type === "map" && isObject(value)) {
    return mapped(value, (item) => spelled(item, shape.value));
  }
  if (shape.type === "object" && isObject(value)) {
    return mapped(value, (item, name) => {
      const field = shape.fields.get(name);
      return field === undefined ? item : spelled(item, field);
    });
  }
  return value;
}

function mapped(value: JsonObject, change: (item: Json, name: string) => Json): JsonObject {
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, change(item, name)]));
}

// An empty marker such as `none: {}` is a choice.
function isEmpty(value: Json): boolean {
  return value === null || value === "" || value === false || (Array.isArray(value) && value.length === 0);
}
