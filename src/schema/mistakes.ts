import { type Json, type JsonObject, same } from "../model/json.js";
import type { Path } from "../model/path.js";
import { sayNamed } from "../words/say.js";
import { isSet } from "./groups.js";
import type { ValueDiagnostic } from "./shape.js";

/** A mistake in the members of an object, and the sentence that says it: an item of the hint `x-mistakes`. */
export interface Mistake {
  /** It is one where all of these are set, none of those is, and each of the last has one of its values. */
  readonly all?: readonly string[];
  readonly none?: readonly string[];
  readonly when?: Readonly<Record<string, readonly Json[]>>;
  readonly says: string;
  /** The values of the sentence. */
  readonly with?: Readonly<Record<string, string>>;
  /** The member that is wrong, where it is not the object itself. */
  readonly at?: string;
}

/** Whether an object has none of these mistakes. */
export function areAvoided(mistakes: readonly Mistake[]): (value: JsonObject) => boolean {
  return (value) => !mistakes.some((mistake) => isMade(mistake, value));
}

/** The mistakes of an object, each at its place. What an unknown member should have been is not said to be missing. */
export function mistakeProblems(
  mistakes: readonly Mistake[],
  value: JsonObject,
  path: Path,
  known: readonly string[],
): readonly ValueDiagnostic[] {
  const hasUnknown = Object.keys(value).some((name) => !known.includes(name));
  return mistakes
    .filter((mistake) => isMade(mistake, value) && !(hasUnknown && mistake.none !== undefined))
    .map(({ says, with: values = {}, at }) => ({
      ...sayNamed(says, values),
      severity: "error",
      path: at === undefined ? path : [...path, at],
      on: "value",
    }));
}

function isMade({ all = [], none = [], when = {} }: Mistake, value: JsonObject): boolean {
  return (
    all.every((name) => hasContent(value[name])) &&
    !none.some((name) => hasContent(value[name])) &&
    Object.entries(when).every(([name, some]) => some.some((one) => same(one, value[name] ?? false)))
  );
}

/** An empty list or text sets nothing, and an empty object is a choice. */
function hasContent(value: Json | undefined): boolean {
  return isSet(value) && value !== "" && !(Array.isArray(value) && value.length === 0);
}
