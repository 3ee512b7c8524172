import { compile } from "../schema/compile.js";
import type { Check } from "../schema/shape.js";
import { kinds } from "./index.js";

const checks: ReadonlyMap<string, Check> = new Map(
  kinds.map(({ name, schema }) => [name, compile(schema, "the manifest")]),
);

/** The check of a whole manifest document of that kind; undefined for an unknown kind. */
export function manifestCheck(kind: string): Check | undefined {
  return checks.get(kind);
}
