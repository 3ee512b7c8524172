import type { Diagnostic } from "../../model/diagnostic.js";
import { isObject, type JsonObject } from "../../model/json.js";
import { say } from "../../words/say.js";
import { locate, memberOf, type Written } from "../locate.js";
import { type ExpansionLimits, makeBudget } from "./budget.js";
import { BROKEN, expand } from "./expand.js";
import type { Part, Scope } from "./scope.js";
import { sizeIn } from "./size.js";

/** The kind of a document with named values. */
export const VALUES_KIND = "Values";

/** What a named value and a row may be called: what braces of a text and members of a path can spell. */
export const VALUE_NAME = /^[A-Za-z_][A-Za-z0-9_-]{0,62}$/;

/** A document of `kind: Values`. */
export interface ValuesDocument {
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
