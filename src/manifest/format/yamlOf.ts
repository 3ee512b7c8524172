import { stringify } from "yaml";
import type { JsonObject } from "../../model/json.js";

/** An object as YAML that versions 1.1 and 1.2 read alike, without anchors and without folded lines. */
export function yamlOf(value: JsonObject): string {
  return stringify(value, { compat: "yaml-1.1", lineWidth: 0, aliasDuplicateObjects: false });
}
