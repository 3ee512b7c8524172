import { type PlainManifest, plainManifests } from "../../../src/manifest/expand/shape.js";
import { type NamedValues, namedValues } from "../../../src/manifest/expand/values.js";
import { parse } from "../../../src/manifest/parse/parse.js";
import type { Source } from "../../../src/manifest/source.js";
import type { Diagnostic } from "../../../src/model/diagnostic.js";
import type { Json, JsonObject } from "../../../src/model/json.js";

/** A text as a file of the project. */
export function source(text: string, file = "m/shape.yaml"): Source {
  return { file, text, named: false };
}

/** The named values of texts, one file each. */
export function valuesOf(...texts: readonly string[]): NamedValues {
  return namedValues(
    texts.flatMap((text, at) => {
      const from = source(text, `values/${at}.yaml`);
      return parse(from).value.map(({ value, marks }) => ({
        value: value as JsonObject,
        written: { source: from, marks },
      }));
    }),
  );
}

/** The plain manifests of a text, and what is wrong with it. */
export function expanded(
  text: string,
  values: NamedValues = valuesOf(),
): { readonly made: readonly PlainManifest[]; readonly told: readonly Diagnostic[] } {
  const from = source(text);
  const told: Diagnostic[] = [...values.diagnostics];
  const made = parse(from).value.flatMap(({ value, marks }) => [
    ...plainManifests({ value: value as JsonObject, written: { source: from, marks } }, values, (one) =>
      told.push(one),
    ),
  ]);
  return { made, told };
}

/** A diagnostic in one line: where, what, and what it is related to. */
export function line({ code, message, span, related }: Diagnostic): string {
  const place = span === undefined ? "" : `${span.file}:${span.start.line}:${span.start.column} `;
  const others = (related ?? []).map((one) => ` (${one.message}: ${one.span.file}:${one.span.start.line})`);
  return `${place}${code}: ${message}${others.join("")}`;
}

/** What a named value means, read from nowhere in particular. */
export function meaningOf(values: NamedValues, name: string): Json | undefined {
  return values.find(name, { source: source(""), marks: Int32Array.of() })?.value;
}
