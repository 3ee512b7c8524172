import type { Json } from "../model/json.js";
import { type Path, valueAt } from "../model/path.js";
import type { SpecShape, ValueDiagnostic } from "../schema/shape.js";
import { shapeAt } from "../schema/shapeAt.js";
import { withUnit } from "../schema/withUnit.js";

/**
 * A problem of a type, made clearer where a text lacks its quotes: how YAML reads it, and how to write it.
 *
 * @param shape the shape of the manifest's spec; outside the spec, every plain value is a text
 * @param written the value as it stands in the file, so that `0123` is not reported as 123
 */
export function asUnquoted(
  problem: ValueDiagnostic,
  manifest: Json,
  shape: SpecShape,
  written: (path: Path) => string,
): ValueDiagnostic {
  if (problem.code !== "schema/type") return problem;
  const found = valueAt(manifest, problem.path);
  if (typeof found !== "number" && typeof found !== "boolean") return problem;
  const [first, ...rest] = problem.path;
  if (first === "spec" && shapeAt(shape, rest)?.type !== "string") return problem;
  const text = written(problem.path);
  const unit = isDuration(shape, rest) ? withUnit(text) : undefined;
  if (unit !== undefined)
    return { ...problem, message: `${text} has no unit, and this field takes a duration`, hint: unit };
  const what = typeof found === "number" ? "a number" : "a truth value";
  return {
    ...problem,
    message: `without quotes, ${text} is ${what}, and this field takes a text`,
    hint: `Put it in quotes: "${text}".`,
  };
}

function isDuration(shape: SpecShape, path: Path): boolean {
  const at = shapeAt(shape, path);
  return at?.type === "string" && at.form.is === "duration";
}
