import { isObject, type Json, type JsonObject } from "../../model/json.js";
import { onceFor } from "../../model/onceFor.js";
import type { Message, Type } from "./descriptor.js";
import { isLater } from "./later.js";

/** Makes of a message that holds only what is set the one the wire shows. */
type Emit = (value: JsonObject) => JsonObject;

/**
 * The emitter of a message. Every field is shown, an unset one as `""`, `false`, `0`, the zero name, `[]`, `{}` or
 * null. Unset members of a one-of are left out. Fields that the message does not name are dropped, unless
 * a later version of the service names them.
 */
export const emitter = onceFor((type: Message): Emit => {
  const fields = [...type.fields];
  const unset = Object.fromEntries(
    fields.filter(([name]) => !type.oneofs.has(name)).map(([name, field]) => [name, zero(field)]),
  );
  const shows = new Map(fields.map(([name, field]) => [name, shower(field)]));
  return (value) => {
    const shown: Record<string, Json> = { ...unset };
    for (const [name, show] of shows) {
      const set = value[name];
      if (set !== undefined) shown[name] = show === undefined ? set : show(set);
    }
    for (const name in value) {
      const later = value[name];
      if (later !== undefined && isLater(name)) shown[name] = later;
    }
    return shown;
  };
});

/** What an unset field shows. */
export function zero(type: Type): Json {
  if (typeof type !== "string") {
    if (type.kind === "enum") return type.names[0] ?? 0;
    if (type.kind === "list") return [];
    return type.kind === "map" ? {} : null;
  }
  if (type === "string") return "";
  if (type === "bool") return false;
  if (type === "int32") return 0;
  return type === "int64" ? "0" : null;
}

/** How a set value is shown, where it is not as it stands. */
function shower(type: Type): ((value: Json) => Json) | undefined {
  if (typeof type === "string" || type.kind === "enum") return undefined;
  if (type.kind === "message") {
    const emit = emitter(type);
    return (value) => (isObject(value) ? emit(value) : value);
  }
  const show = shower(type.of);
  if (show === undefined) return undefined;
  if (type.kind === "list") return (value) => (Array.isArray(value) ? value.map(show) : value);
  return (value) =>
    isObject(value)
      ? Object.fromEntries(Object.entries(value).map(([name, item]) => [name, show(item)]))
      : value;
}
