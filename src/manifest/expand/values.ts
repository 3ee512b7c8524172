import { type Diagnostic, hasErrors } from "../../model/diagnostic.js";
import { isObject, type Json, type JsonObject } from "../../model/json.js";
import { didYouMean } from "../../schema/didYouMean.js";
import { say } from "../../words/say.js";
import { API_VERSION } from "../envelope.js";
import { called } from "../fileDiagnostics.js";
import { locate, memberOf, type Written } from "../locate.js";
import { parse } from "../parse/parse.js";
import type { Source } from "../source.js";
import { type ExpansionLimits, makeBudget } from "./budget.js";
import { BROKEN, expand } from "./expand.js";
import type { Part, Scope } from "./scope.js";
import { sizeIn } from "./size.js";

/** The kind of a document with named values. */
const VALUES_KIND = "Values";

/** What a named value and a row may be called: what braces of a text and members of a path can spell. */
export const VALUE_NAME = /^[A-Za-z_][A-Za-z0-9_-]{0,62}$/;

/** A document of `kind: Values`. */
interface ValuesDocument {
  readonly value: JsonObject;
  readonly written: Written;
}

/** The named values of a project, and what is wrong with them. */
export interface NamedValues extends Scope {
  readonly diagnostics: readonly Diagnostic[];
}

/** Hears of each place that reads a named value. */
export type Hear = (name: string, at: Written) => void;

/** A project without named values, whose rows may make so much. */
export function noValues(limits?: ExpansionLimits): NamedValues {
  return { names: [], find: () => undefined, budget: makeBudget(limits), diagnostics: [] };
}

/**
 * The named values of documents, in the order of their files: a later file replaces whole names of earlier ones. Values
 * may use other values; a circle of them is a mistake. Where a part of the files could not be read (`isWhole` is false), the
 * meaning of any other name is not known, and who uses it has made no mistake.
 */
export function namedValues(
  documents: readonly ValuesDocument[],
  hear: Hear = () => undefined,
  isWhole = true,
  limits?: ExpansionLimits,
): NamedValues {
  const diagnostics: Diagnostic[] = [];
  const raw = new Map<string, Part>();
  for (const { value, written } of documents) {
    const names = Object.entries(isObject(value.spec ?? null) ? (value.spec as JsonObject) : {});
    const spec = memberOf(written, "spec");
    for (const [name, member] of names) {
      const at = memberOf(spec, name);
      if (!VALUE_NAME.test(name)) {
        diagnostics.push(say("value/name#wrong", { name }, locate(at, [])));
        continue;
      }
      const before = raw.get(name);
      if (before?.written.source.file === written.source.file) {
        const related = [{ message: "the first one is here", span: locate(before.written, []).span }];
        diagnostics.push(say("value/name#twice", { name }, { ...locate(at, []), related }));
      } else raw.set(name, { value: member, written: at });
    }
  }

  const known = new Map<string, Part | null>();
  const open: string[] = [];
  const budget = makeBudget(limits);
  const find = (name: string, at: Written | null): Part | null | undefined => {
    if (at !== null && raw.has(name)) hear(name, at);
    if (known.has(name)) return known.get(name) ?? null;
    const part = raw.get(name);
    if (part === undefined) return isWhole ? undefined : null;
    const circle = open.indexOf(name);
    if (circle >= 0) {
      if (at === null) return null;
      const way = [...open.slice(circle), name].join(" → ");
      diagnostics.push(say("value/circle", { way }, locate(part.written, [])));
      return null;
    }
    open.push(name);
    const fit = budget.count("value", part.written, sizeIn(part.value, scope));
    if (typeof fit !== "string") diagnostics.push(fit);
    const tell = (diagnostic: Diagnostic) => diagnostics.push(diagnostic);
    const made = fit === "fits" ? expand(part, scope, tell) : BROKEN;
    open.pop();
    known.set(name, made === BROKEN ? null : made);
    return known.get(name);
  };
  const scope: Scope = { names: [...raw.keys()], find, budget };
  // Every value is made once here, so that a mistake in one is reported even where nothing uses it.
  for (const name of raw.keys()) find(name, null);
  return { ...scope, diagnostics };
}

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
