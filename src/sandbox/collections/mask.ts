import type { JsonObject } from "../../model/json.js";
import { Refusal } from "../answer/refusal.js";
import { paths } from "../wire/member.js";

/** The fields that a request's mask names, each by the first part of its path; refused where one cannot be updated. */
export function maskOf(request: JsonObject, writable: readonly string[]): readonly string[] {
  return paths(request, "updateMask").map((path) => {
    const [name = ""] = path.split(".");
    if (writable.includes(name)) return name;
    throw new Refusal("invalidArgument", `update_mask: ${path} cannot be updated`);
  });
}
