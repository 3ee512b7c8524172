import type { JsonObject } from "../model/json.js";
import type { Path } from "../model/path.js";
import type { Problem } from "./shape.js";

/** Every pair of members of one group that are both set: the later one is the fault, the first is named with it. */
export function groupProblems(groups: JsonObject, value: JsonObject, path: Path): readonly Problem[] {
  return Object.entries(groups).flatMap(([group, members]) => {
    const known = Array.isArray(members) ? members.map(String) : [];
    const [first, ...more] = Object.keys(value).filter(
      (name) => known.includes(name) && value[name] !== null,
    );
    if (first === undefined) return [];
    return more.map((name) => ({
      code: "schema/one-of",
      severity: "error" as const,
      path: [...path, name],
      on: "name" as const,
      message: `${first} and ${name} cannot both be set: ${holder(path)} has one ${group}`,
      hint: "Remove one of them.",
      related: [{ path: [...path, first], message: `${first} is set here` }],
    }));
  });
}

function holder(path: Path): string {
  const last = path.at(-1);
  if (last === "spec") return "an automation";
  return last === undefined ? "the object" : `a ${last}`;
}
