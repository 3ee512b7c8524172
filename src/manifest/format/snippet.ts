import type { JsonObject } from "../../model/json.js";
import { arrange } from "./arrange.js";
import { print } from "./print.js";
import { yamlOf } from "./yamlOf.js";

/** Fields as the lines that a manifest has under `spec`, in the canonical layout. YAML reads them back as they are. */
export function snippetOf(fields: JsonObject): readonly string[] {
  if (Object.keys(fields).length === 0) return [];
  const text = yamlOf(fields);
  return print(arrange(text)).replace(/\n$/, "").split("\n");
}
