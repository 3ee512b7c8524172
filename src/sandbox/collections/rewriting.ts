import { isObject, type JsonObject } from "../../model/json.js";
import type { World } from "../answer/operation.js";
import { text } from "../wire/member.js";

const EXPRESSIONS: readonly string[] = ["celExpression", "accountCelExpression", "cel", "basic"];

/** A scope or a condition as the world keeps it: as sent, or with each run of white space made one space. */
export function keptExpressions(message: JsonObject, world: World): JsonObject {
  if (world.quirks.rewriteExpressions !== true) return message;
  return Object.fromEntries(
    Object.entries(message).map(([name, value]) => {
      if (!EXPRESSIONS.includes(name) || !isObject(value)) return [name, value];
      return [name, { ...value, expression: text(value, "expression").replace(/\s+/g, " ").trim() }];
    }),
  );
}
