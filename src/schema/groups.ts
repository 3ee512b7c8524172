import type { Json, JsonObject } from "../model/json.js";
import type { Path } from "../model/path.js";
import { say } from "../words/say.js";
import type { ValueDiagnostic } from "./shape.js";

/** One-of groups by their names, each with its members: the hint `x-groups`. */
export type Groups = Readonly<Record<string, readonly string[]>>;

/** Whether no group has two members set; null sets nothing. */
export function areChosenOnce(groups: Groups): (value: JsonObject) => boolean {
  const lists = Object.values(groups);
  return (value) => lists.every((members) => members.filter((name) => isSet(value[name])).length <= 1);
}

/** Every member of a group that is set beside another: the later one is the problem, and the first is named with it. */
export function groupProblems(groups: Groups, value: JsonObject, path: Path): readonly ValueDiagnostic[] {
  return Object.entries(groups).flatMap(([group, members]) => {
    const [first, ...more] = Object.keys(value).filter(
      (name) => members.includes(name) && isSet(value[name]),
    );
    if (first === undefined) return [];
    return more.map(
      (name): ValueDiagnostic =>
        say(
          "schema/one-of",
          { first, name, path: holder(path), group: oneOf(group) },
          {
            path: [...path, name],
            on: "name",
            related: [{ path: [...path, first], message: `${first} is set here` }],
          },
        ),
    );
  });
}

function holder(path: Path): string {
  const last = path.at(-1);
  return typeof last === "string" ? `${/^[aeio]/.test(last) ? "an" : "a"} ${last}` : "the object";
}

// Most groups of the service are called by what is chosen, and some by what there is to choose from.
function oneOf(group: string): string {
  const name = group === "typ" ? "type" : group;
  return name.endsWith("s") ? `one of its ${name}` : `one ${name}`;
}

/** Whether a value is there and not null. */
export function isSet(value: Json | undefined): boolean {
  return value !== undefined && value !== null;
}
