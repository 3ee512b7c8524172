import { type Diagnostic, hasErrors } from "../../model/diagnostic.js";
import { isObject, type Json, type JsonObject } from "../../model/json.js";
import { didYouMean } from "../../schema/didYouMean.js";
import { say } from "../../words/say.js";
import { API_VERSION } from "../envelope.js";
import { called } from "../fileDiagnostics.js";
import { locate, memberOf, type Written } from "../locate.js";
import { parse } from "../parse/parse.js";
import type { Source } from "../source.js";
import type { ExpansionLimits } from "./budget.js";
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
    if (value.length === 0 && told.length === 0)
      diagnostics.push(say("value/file", { file: called(source.file), ...FORM }));
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
  if (!isObject(value)) return [say("value/file#otherKind", FORM, locate(written, []))];
  const { apiVersion, kind, spec = null } = value;
  if (kind !== VALUES_KIND) return [say("value/file#otherKind", FORM, locate(memberOf(written, "kind"), []))];
  if (apiVersion !== API_VERSION)
    return [say("value/file#version", FORM, locate(memberOf(written, "apiVersion"), []))];
  const member = Object.keys(value).find((name) => !MEMBERS.includes(name));
  if (member !== undefined) {
    const place = { ...locate(written, [member], "name"), hint: didYouMean(member, MEMBERS) };
    return [say("value/file#member", { member }, place)];
  }
  if (isObject(spec)) return [];
  return [say("value/file#notMap", FORM, locate(memberOf(written, "spec"), []))];
}

const FORM = { version: API_VERSION, kind: VALUES_KIND };
