import { type Diagnostic, hasErrors } from "../../model/diagnostic.js";
import { isObject, type Json, type JsonObject } from "../../model/json.js";
import { didYouMean } from "../../schema/didYouMean.js";
import { say } from "../../words/say.js";
import { API_VERSION } from "../envelope.js";
import { called } from "../fileDiagnostics.js";
import { memberOf, type Written } from "../locate.js";
import { parse } from "../parse/parse.js";
import type { Source } from "../source.js";
import type { ExpansionLimits } from "./budget.js";
import { mistakeAt } from "./scope.js";
import { type Hear, type NamedValues, namedValues, VALUES_KIND, type ValuesDocument } from "./values.js";

const MEMBERS = ["apiVersion", "kind", "metadata", "spec"];

/**
 * The named values of the files that the settings name, in their order, and what is wrong with them.
 *
 * @param areAll whether the texts are those of all these files
 */
export function readValues(
  sources: readonly Source[],
  hear?: Hear,
  areAll = true,
  limits?: ExpansionLimits,
): NamedValues {
  const diagnostics: Diagnostic[] = [];
  const documents: ValuesDocument[] = [];
  for (const source of sources) {
    const { value, diagnostics: told } = parse(source);
    diagnostics.push(...told);
    if (value.length === 0 && told.length === 0) diagnostics.push(empty(source));
    for (const document of value) {
      diagnostics.push(...document.diagnostics);
      if (!document.legible) continue;
      const written = { source, marks: document.marks };
      const faults = faultsOf(document.value, written);
      diagnostics.push(...faults);
      if (faults.length === 0) documents.push({ value: document.value as JsonObject, written });
    }
  }
  const isWhole = areAll && !hasErrors(diagnostics);
  const values = namedValues(documents, hear, isWhole, limits);
  return { ...values, diagnostics: [...diagnostics, ...values.diagnostics] };
}

function faultsOf(value: Json, written: Written): readonly Diagnostic[] {
  if (!isObject(value))
    return [mistakeAt(written, "value/file", "a file of `values` holds documents of kind Values", FORM)];
  const { apiVersion, kind, spec = null } = value;
  if (kind !== VALUES_KIND) {
    const message = "a file of `values` holds documents of kind Values";
    return [mistakeAt(memberOf(written, "kind"), "value/file", message, FORM)];
  }
  if (apiVersion !== API_VERSION) {
    const hint = `Write apiVersion: ${API_VERSION}.`;
    return [
      mistakeAt(memberOf(written, "apiVersion"), "value/file", "this version of values is unknown", hint),
    ];
  }
  const other = Object.keys(value).find((name) => !MEMBERS.includes(name));
  if (other !== undefined) {
    const hint = didYouMean(other, MEMBERS) ?? "Named values stand under spec.";
    return [mistakeAt(written, "value/file", `values have no member ${other}`, hint, other)];
  }
  if (isObject(spec)) return [];
  return [mistakeAt(memberOf(written, "spec"), "value/file", "spec is a map of names and values", FORM)];
}

const FORM = `Write apiVersion: ${API_VERSION}, kind: ${VALUES_KIND}, and the values by their names under spec.`;

function empty({ file }: Source): Diagnostic {
  return say("value/file", { file: called(file), version: API_VERSION, kind: VALUES_KIND });
}
