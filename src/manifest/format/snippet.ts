import type { JsonObject } from "../../model/json.js";
import { plantTree } from "./plant.js";
import { print } from "./print.js";

/** Fields as the lines that a manifest has under `spec`, in the canonical layout. YAML reads them back as they are. */
export function snippetOf(fields: JsonObject): readonly string[] {
  if (Object.keys(fields).length === 0) return [];
  const root = plantTree(fields);
  return print([{ above: [], text: "", beside: [], root }])
    .replace(/\n$/, "")
    .split("\n");
}
