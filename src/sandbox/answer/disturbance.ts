import type { Random } from "../../model/clock.js";
import { isObject, type Json, type JsonObject } from "../../model/json.js";
import type { Message, Type } from "../wire/descriptor.js";
import { writeTimestamp } from "../wire/moment.js";
import type { World } from "./operation.js";

/** The field that no description names. */
export const UNKNOWN_FIELD = "fieldOfALaterVersion";

/** The field that no description names and that is another one at each read. */
export const VOLATILE_FIELD = "nextRunAt";

const HOUR = 3_600_000;

/** What is put behind an enumerated value to make one that no description names. */
export const UNKNOWN_ENUM = "_OF_A_LATER_VERSION";

/** A reply as a later version of the service, or one in another mood, would send it. */
export function disturb(
  type: Message,
  reply: JsonObject,
  { quirks, random, now }: Pick<World, "quirks" | "random" | "now">,
): JsonObject {
  const { unknownFields, unknownEnums, shuffleLists, volatileFields } = quirks;
  if (!unknownFields && !unknownEnums && !shuffleLists && !volatileFields) return reply;

  function ofMessage(type: Message, value: JsonObject): JsonObject {
    const entries = Object.entries(value).map(([name, member]): [string, Json] => {
      const field = type.fields.get(name);
      return [name, field === undefined ? member : ofValue(field, member)];
    });
    return {
      ...Object.fromEntries(entries),
      ...(unknownFields ? { [UNKNOWN_FIELD]: {} } : {}),
      ...(volatileFields && type.fields.has("updatedAt")
        ? { [VOLATILE_FIELD]: writeTimestamp(now + Math.floor(random() * HOUR)) }
        : {}),
    };
  }

  function ofValue(type: Type, value: Json): Json {
    if (typeof type === "string") return value;
    if (type.kind === "enum") return unknownEnums && type.told ? `${value}${UNKNOWN_ENUM}` : value;
    if (type.kind === "message") return isObject(value) ? ofMessage(type, value) : value;
    if (type.kind === "list" && Array.isArray(value)) {
      const items = value.map((item) => ofValue(type.of, item));
      // Rows point into `expanded` by place, so its order is part of what it says.
      return shuffleLists && type.of !== "any" ? shuffled(items, random) : items;
    }
    if (type.kind === "map" && isObject(value)) {
      return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, ofValue(type.of, item)]));
    }
    return value;
  }

  return ofMessage(type, reply);
}

function shuffled(items: readonly Json[], random: Random): readonly Json[] {
  return items
    .map((item) => ({ item, rank: random() }))
    .sort((one, other) => one.rank - other.rank)
    .map(({ item }) => item);
}
