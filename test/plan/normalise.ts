import type { JsonObject } from "../../src/model/json.js";
export const normalise = (v: JsonObject, _s: unknown): JsonObject =>
  Object.fromEntries(
    Object.entries(v).filter(([, x]) => x !== null && !(Array.isArray(x) && x.length === 0)),
  );
