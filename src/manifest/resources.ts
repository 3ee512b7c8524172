import { manifestCheck } from "../kinds/check.js";
import { kindNamed } from "../kinds/index.js";
import { type Checked, type Diagnostic, hasErrors } from "../model/diagnostic.js";
import { type Json, same } from "../model/json.js";
import { type Path, valueAt } from "../model/path.js";
import { withUnit } from "../schema/duration.js";
import { type SpecShape, shapeAt, type ValueDiagnostic } from "../schema/shape.js";
import { nameOf } from "../schema/wording.js";
import { say } from "../words/say.js";
import type { NamedMember } from "./duplicates.js";
import { readEnvelope, unknown } from "./envelope.js";
import type { PlainManifest } from "./expand/shape.js";
import { environmentOf, expressionFaults } from "./expressionFaults.js";
import { faultAt } from "./expressions.js";
import { unreachedRules } from "./firstRule.js";
import { isTextMadeAt, locate, originOf, toDiagnostic, type Written, writtenAt } from "./locate.js";
import { type AppIndex, mistaken, pathTo, type Visited, walk } from "./references.js";
import type { Resource } from "./resource.js";
import { breaches } from "./rules.js";

/** A manifest as a resource, with its diagnostics; null where one of them is an error. */
export function readResource(
  { value: manifest, written, findPlaces }: PlainManifest,
  apps: AppIndex,
): Checked<NamedMember | null> {
  const kind = kindNamed(String(manifest.kind));
  const unjudged = unknown(manifest);
  if (kind === undefined || unjudged.length > 0)
    return { value: null, diagnostics: unjudged.map((problem) => toDiagnostic(written, problem)) };

  const diagnostics: Diagnostic[] = [];
  const text = (path: Path) => {
    const { source, range } = writtenAt(written, path);
    return source.text.slice(...range);
  };
  const problems = [...(manifestCheck(kind.name)?.(manifest) ?? [])];
  const { spec, ...envelope } = readEnvelope(manifest);
  const misplacedTexts: ValueDiagnostic[] = [];
  // What does not fit the schema has errors of its own; a mistake with a sentence of its own fits.
  if (!problems.some(({ code }) => code.startsWith("schema/")))
    problems.push(...(kind.mistakes?.(spec) ?? []), ...unreachedRules(kind, spec));
  const tell = (problem: ValueDiagnostic) => diagnostics.push(toDiagnostic(written, problem));
  walk({ value: spec, shape: kind.shape, name: "spec", within: null }, (visited) => {
    for (const problem of breaches(visited)) tell(problem);
    const reference = mistaken(visited, apps);
    if (reference !== undefined) tell(reference);
    const misplaced = written.members === undefined ? undefined : misplacedText(visited, written);
    if (misplaced !== undefined) misplacedTexts.push(misplaced);
    diagnostics.push(...misspelt(visited, written));
  });
  for (const misplaced of misplacedTexts) tell(misplaced);
  // A text that must not be made has no second error for what it says.
  const others = problems.filter((problem) => !misplacedTexts.some(({ path }) => same(path, problem.path)));
  diagnostics.unshift(
    ...others.map((problem) => toDiagnostic(written, asUnquoted(problem, manifest, kind.shape, text))),
  );
  if (hasErrors(diagnostics)) return { value: null, diagnostics };

  const { name, labels, annotations } = envelope;
  const address = { kind: kind.name, name };
  const resource = {
    address,
    labels,
    annotations,
    spec: { ...kind.shape.defaults, ...spec },
    file: written.source.file,
    place: placeIn(findPlaces),
  };
  return { value: { resource, kind }, diagnostics };
}

// A function of its own, because a closure keeps everything that its surroundings know.
function placeIn(findPlaces: () => Written): Resource["place"] {
  return (path, on) => (on === "origin" ? originOf(findPlaces(), path) : locate(findPlaces(), path, on));
}

/** `$text` where no words stand: an id, a choice, a time or an expression is never put together. */
function misplacedText(visited: Visited, written: Written): ValueDiagnostic | undefined {
  const { shape } = visited;
  const form = shape.type === "string" ? shape.form.is : "plain";
  if (form === "plain" || form === "text" || typeof visited.value !== "string") return undefined;
  const path = pathTo(visited);
  if (!isTextMadeAt(written, path)) return undefined;
  return say(
    "value/text-field",
    {
      path: nameOf(path, "spec"),
      which:
        form === "expression"
          ? "an expression"
          : form === "id"
            ? "an id"
            : form === "enum"
              ? "a choice"
              : `a ${form}`,
    },
    {
      path,
      on: "value",
      hint:
        form === "expression"
          ? "Give names to it by `with`."
          : "Write { $value: NAME } with the whole value.",
    },
  );
}

/** What is wrong with an expression, placed on the very characters that it is about. */
function misspelt(visited: Visited, written: Written): readonly Diagnostic[] {
  const { value, shape } = visited;
  if (shape.type !== "string" || shape.form.is !== "expression" || typeof value !== "string" || value === "")
    return [];
  const path = pathTo(visited);
  return expressionFaults(value, environmentOf(shape.form)).map((one) => faultAt(one, written, path, value));
}

/**
 * A problem of a type, made clearer where a text lacks its quotes: how YAML reads it, and how to write it.
 *
 * @param shape the shape of the manifest's spec; outside the spec, every plain value is a text
 * @param written the value as it stands in the file, so that `0123` is not reported as 123
 */
function asUnquoted(
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
  if (unit !== undefined) return { ...problem, ...say("schema/type#noUnit", { text }, { hint: unit }) };
  const what = typeof found === "number" ? "a number" : "a truth value";
  return { ...problem, ...say("schema/type#unquoted", { text, what }) };
}

function isDuration(shape: SpecShape, path: Path): boolean {
  const at = shapeAt(shape, path);
  return at?.type === "string" && at.form.is === "duration";
}
