import type { ErrorObject } from "ajv/dist/2020.js";
import { isObject, type Json, type JsonObject } from "../model/json.js";
import { formatPath, type Path } from "../model/path.js";
import { say } from "../words/say.js";
import { didYouMean } from "./didYouMean.js";
import { withUnit } from "./duration.js";
import { type Groups, groupProblems } from "./groups.js";
import { type Mistake, mistakeProblems } from "./mistakes.js";
import type { ValueDiagnostic } from "./shape.js";
import { described, listed, nameOf, nounFor, short, shown, shownInFlow } from "./wording.js";

/** A rule that a value breaks: what the rule demands, and the schema it stands in. */
interface Breach {
  readonly keyword: string;
  readonly demand: Json;
  readonly value: Json;
  readonly path: Path;
  /** What the place is called in a sentence. */
  readonly where: string;
  readonly schema: JsonObject;
  readonly details: Readonly<Record<string, unknown>>;
}

/** One document reports at most this many problems. */
const MOST_TOLD = 1_000;

/** The validator's problems in remit's own words, each once; `root` is what the value is called. */
export function diagnosticsOf(
  errors: readonly ErrorObject[],
  value: Json,
  root: string,
): readonly ValueDiagnostic[] {
  const told = errors.filter((error) => !isSilent(error)).slice(0, MOST_TOLD);
  const problems = told.flatMap((error) => {
    const { keyword, instancePath, params: details } = error;
    const [demand, held, schema] = [error.schema, error.data, error.parentSchema] as readonly Json[];
    const path = pathOf(instancePath, value);
    const rule = { keyword, demand: demand ?? null, schema: asObject(schema), details };
    return (WORDS[keyword] ?? anyOther)({ ...rule, value: held ?? null, path, where: nameOf(path, root) });
  });
  const distinct = new Map(problems.map((problem) => [placeAndWords(problem), problem]));
  return [...distinct.values()];
}

/**
 * Rules inside an alternative say only that it does not match; for a condition, the rule behind it says what is wrong.
 */
function isSilent({ keyword, schemaPath }: ErrorObject): boolean {
  return keyword === "if" || /\/(anyOf|oneOf|not|if)\//.test(schemaPath);
}

function placeAndWords({ path, on, message }: ValueDiagnostic): string {
  return `${formatPath(path)} ${on} ${message}`;
}

const WORDS: Readonly<Record<string, (breach: Breach) => readonly ValueDiagnostic[]>> = {
  additionalProperties: unknownField,
  required: missingField,
  type: wrongType,
  enum: (breach) => unknownValue(breach, "error"),
  "x-enum": (breach) => unknownValue(breach, "warning"),
  "x-form": wrongForm,
  "x-groups": ({ demand, value, path }) => groupProblems(demand as Groups, asObject(value), path),
  "x-mistakes": ({ demand, value, path, schema }) =>
    mistakeProblems(
      demand as unknown as readonly Mistake[],
      asObject(value),
      path,
      Object.keys(asObject(schema.properties)),
    ),
  anyOf: noAlternative,
  oneOf: noAlternative,
  maxItems: tooMany,
  const: (breach) =>
    fault(
      breach,
      `is ${shown(breach.value)}, and must be ${shown(breach.demand)}`,
      `Write ${shown(breach.demand)}.`,
    ),
  minLength: (breach) => fault(breach, "is empty"),
  minItems: (breach) => restrictsNothing(breach) ?? fault(breach, "is an empty list"),
  minimum: (breach) => fault(breach, `is ${shown(breach.value)}; the least is ${shown(breach.demand)}`),
  maximum: (breach) => fault(breach, `is ${shown(breach.value)}; the most is ${shown(breach.demand)}`),
  minProperties: (breach) => restrictsNothing(breach) ?? tooFewFields(breach),
  maxProperties: tooManyFields,
  pattern: (breach) => fault(breach, `is ${shown(breach.value)}, which does not have the required form`),
};

type Telling = Pick<ValueDiagnostic, "code" | "message" | "hint"> & Partial<ValueDiagnostic>;

function tell({ path }: Pick<Breach, "path">, telling: Telling): readonly ValueDiagnostic[] {
  return [{ severity: "error", path, on: "value", ...telling }];
}

function fault(breach: Breach, message: string, hint?: string): readonly ValueDiagnostic[] {
  const words = breach.schema.patternErrorMessage;
  return tell(
    breach,
    say(
      "schema/value",
      { where: breach.where, message },
      { hint: hint ?? (typeof words === "string" ? words : "Write another value.") },
    ),
  );
}

function anyOther(breach: Breach): readonly ValueDiagnostic[] {
  return fault(breach, `is not valid (${breach.keyword})`);
}

function unknownField({ path, where, schema, details, value }: Breach): readonly ValueDiagnostic[] {
  const name = String(details.additionalProperty);
  const place = { path: [...path, name], on: "name", code: "schema/unknown-field" } as const;
  if (schema["x-marker"] === true) {
    const message = `${short(name)} is not known here: ${where} is an empty object, and its presence is the choice`;
    return tell(place, { ...place, message, hint: `Write \`${where}: {}\`.` });
  }
  const known = Object.keys(asObject(schema.properties));
  const [only] = known;
  const others = known.length > 1 ? `The fields are ${known.join(", ")}.` : `Its one field is ${only}.`;
  const message = `${short(name)} is not a field of ${where}`;
  return tell(place, {
    ...place,
    message,
    hint:
      didYouMean(name, known) ??
      ofOtherKind(name, schema) ??
      oneLevelUp(name, schema, value) ??
      (only === undefined ? "Remove it." : others),
  });
}

/** That a field belongs to a manifest of another kind: the hint `x-belongs-to`. */
function ofOtherKind(name: string, schema: JsonObject): string | undefined {
  const kind = asObject(schema["x-belongs-to"])[name];
  return typeof kind === "string"
    ? `It is a field of ${kind}: write it in a manifest of that kind.`
    : undefined;
}

/** That a field belongs inside one of its neighbours; one that is written counts before the others. */
function oneLevelUp(name: string, schema: JsonObject, value: Json): string | undefined {
  const properties = asObject(schema.properties);
  const holders = Object.keys(properties).filter((holder) =>
    Object.hasOwn(asObject(asObject(properties[holder]).properties), name),
  );
  const written = holders.filter((holder) => Object.hasOwn(asObject(value), holder));
  const meant = written.length > 0 ? written : holders;
  if (meant.length === 0) return undefined;
  const where = meant.length === 1 ? `\`${meant[0]}:\`` : "one of them";
  return `It is a field of ${listed(meant, "and")}: write it below ${where}.`;
}

function missingField(breach: Breach): readonly ValueDiagnostic[] {
  const name = String(breach.details.missingProperty);
  const { examples, const: only } = asObject(asObject(breach.schema.properties)[name]);
  const [example] = Array.isArray(examples) ? examples : [];
  const isPlain = typeof example === "string" || typeof example === "boolean";
  return tell(
    breach,
    say(
      "schema/required#missingField",
      { where: breach.where, name },
      {
        on: "name",
        hint: isPlain
          ? `Add it, for instance \`${name}: ${example}\`.`
          : `Add \`${name}:${typeof only === "string" ? ` ${only}` : ""}\`.`,
      },
    ),
  );
}

function wrongType(breach: Breach): readonly ValueDiagnostic[] {
  const { demand, value, where } = breach;
  const types = [demand].flat().map(String);
  const wanted = nounFor(types);
  if (breach.schema["x-marker"] === true && value === null)
    return tell(breach, say("schema/empty#wrongType", { where }));
  const isBare = (typeof value === "number" || typeof value === "boolean") && types.includes("string");
  return tell(
    breach,
    say(
      "schema/type",
      { where, wanted, value: described(value) },
      { hint: isBare ? "Put it in quotes, so that it is a text." : howToWrite(breach, wanted) },
    ),
  );
}

function howToWrite({ schema, value, path }: Breach, wanted: string): string {
  if (schema["x-marker"] === true) return `Write \`${nameOf(path, "it")}: {}\`.`;
  if (wanted === "a list" && typeof value === "string") return `Write a list: [${short(value)}].`;
  if (wanted === "an object") return objectForm(schema);
  return `Write ${wanted}.`;
}

function objectForm({ required }: JsonObject): string {
  const names = Array.isArray(required) ? required.map(String) : [];
  if (names.length === 0) return "Write its fields below it, each as `name: value`.";
  return `Write its fields, each as \`name: value\`: ${listed(names, "and")}.`;
}

function unknownValue(breach: Breach, severity: ValueDiagnostic["severity"]): readonly ValueDiagnostic[] {
  const { demand, value, where } = breach;
  const known = [demand].flat().map(String);
  return tell(
    breach,
    say(
      "schema/enum",
      { value: shown(value), where, known },
      { hint: didYouMean(String(value), known), severity },
    ),
  );
}

function wrongForm(breach: Breach): readonly ValueDiagnostic[] {
  const noun = breach.demand === "timestamp" ? "date-time" : String(breach.demand);
  const words = breach.schema.patternErrorMessage;
  return tell(
    breach,
    say(
      "schema/format",
      { value: shown(breach.value), noun },
      { hint: bareDuration(breach) ?? (typeof words === "string" ? words : `Write a ${noun}.`) },
    ),
  );
}

function bareDuration({ demand, value }: Breach): string | undefined {
  return demand === "duration" && typeof value === "string" ? withUnit(value) : undefined;
}

function noAlternative(breach: Breach): readonly ValueDiagnostic[] {
  const choices = [breach.demand].flat().map((choice) => asObject(choice).required);
  if (!choices.every(Array.isArray)) return fault(breach, "has none of the allowed forms");
  const needs = choices.map((names) => listed([names].flat().map(String), "and"));
  return tell(
    breach,
    say("schema/required#noAlternative", { where: breach.where, needs: needs.join(", or ") }, { on: "name" }),
  );
}

function tooMany(breach: Breach): readonly ValueDiagnostic[] {
  const { demand, value, where } = breach;
  return tell(breach, say("schema/too-many", { where, value: [value].flat().length, demand: shown(demand) }));
}

/** If an unknown field is the reason for the excess, another diagnostic already reports it. */
function tooManyFields(breach: Breach): readonly ValueDiagnostic[] {
  const known = Object.keys(asObject(breach.schema.properties));
  const written = Object.keys(asObject(breach.value)).filter((name) => known.includes(name));
  if (written.length <= Number(breach.demand)) return [];
  return fault(breach, "has several search fields", `Keep one of ${listed(written, "and")}.`);
}

/** A criterion without values: the service reads it as no restriction, so it must not stand for one. */
function restrictsNothing(breach: Breach): readonly ValueDiagnostic[] | undefined {
  const { schema, where } = breach;
  if (schema["x-narrows"] !== true) return undefined;
  const [example] = Array.isArray(schema.examples) ? schema.examples : [];
  return tell(
    breach,
    say("schema/empty#restrictsNothing", { where, shownInFlow: shownInFlow(example ?? null) }),
  );
}

/** An object without members: one of given fields, or one whose members are named as one likes. */
function tooFewFields(breach: Breach): readonly ValueDiagnostic[] {
  const fields = fieldsOf(breach);
  if (fields !== "") return fault(breach, "does not say what to look for", `Write its ${fields}.`);
  const [example] = [breach.schema.examples ?? null].flat();
  const hint = isObject(example)
    ? `Write at least one, for instance \`${shownInFlow(example)}\`.`
    : undefined;
  return fault(breach, "is empty", hint ?? "Write at least one.");
}

function fieldsOf({ schema }: Breach): string {
  return listed(Object.keys(asObject(schema.properties)), "or");
}

function asObject(value: Json | undefined): JsonObject {
  return isObject(value) ? value : {};
}

function pathOf(pointer: string, value: Json): Path {
  let here: Json | undefined = value;
  return pointer
    .split("/")
    .slice(1)
    .map((part) => {
      const name = part.replaceAll("~1", "/").replaceAll("~0", "~");
      if (Array.isArray(here)) {
        here = here[Number(name)];
        return Number(name);
      }
      here = isObject(here) && Object.hasOwn(here, name) ? here[name] : undefined;
      return name;
    });
}
