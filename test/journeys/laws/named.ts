import { isObject, type Json, type JsonObject } from "../../../src/model/json.js";
import { PLACES, type Place } from "./places.js";
import type { Spec } from "./values.js";

/** The only member of what stands for a place in a value of a scenario. */
const PLACE = "$place";

/** Names the object of a place in a value: a manifest says it by its name, the tenant by its id. */
export function naming({ name }: Place): JsonObject {
  return { [PLACE]: name };
}

/** A value with each name of a place said as the caller says it. */
export function said(value: Json, say: (place: Place) => Json): Json {
  if (Array.isArray(value)) return value.map((item: Json) => said(item, say));
  if (!isObject(value)) return value;
  const place = PLACES.find(({ name }) => name === value[PLACE]);
  if (place !== undefined) return say(place);
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, said(member, say)]));
}

/** The own id of a place, as others name it. */
export function idAt({ identity }: Place): string {
  return String(identity.id);
}

/** The places that a manifest names in its values. */
export function namedBy(spec: Spec): readonly Place[] {
  const places: Place[] = [];
  for (const { says } of Object.values(spec)) {
    said(says, (place) => {
      places.push(place);
      return null;
    });
  }
  return places;
}
