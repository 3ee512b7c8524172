import { type Checked, type Diagnostic, hasErrors } from "../model/diagnostic.js";
import { isObject, type JsonObject } from "../model/json.js";
import type { Check } from "../schema/shape.js";
import { companionSetting, namesKnownKind } from "./envelope.js";
import { locate, toDiagnostic, type Written } from "./locate.js";
import { parse } from "./parse/parse.js";
import type { Source } from "./source.js";

/** A document beside the manifests that matches its schema, and where it is written. */
interface Companion {
  readonly value: JsonObject;
  readonly written: Written;
}

/**
 * The documents of one kind that match its schema, and what is wrong with them. A document with a mistake is left out, and so
 * is one of another kind that stands beside manifests.
 */
export function readCompanions(
  sources: readonly Source[],
  kind: "Test" | "Guard",
  check: Check,
): Checked<readonly Companion[]> {
  const diagnostics: Diagnostic[] = [];
  const companions: Companion[] = [];
  for (const source of sources) {
    const { value: documents, diagnostics: told } = parse(source);
    diagnostics.push(...told);
    for (const { value, marks, legible, diagnostics: own } of documents) {
      diagnostics.push(...own);
      if (!legible || (isObject(value) && value.kind !== kind && companionSetting(value) !== null)) continue;
      const written = { source, marks };
      const faults =
        isObject(value) && namesKnownKind(value)
          ? [misplaced(String(value.kind), written)]
          : check(value).map((problem) => toDiagnostic(written, problem));
      diagnostics.push(...faults);
      if (!hasErrors(faults)) companions.push({ value: value as JsonObject, written });
    }
  }
  return { value: companions, diagnostics };
}

/** A manifest in a file that only tests and guards are read from. */
function misplaced(kind: string, written: Written): Diagnostic {
  return {
    ...{ code: "manifest/misplaced", severity: "error" },
    message: `this is a manifest of kind ${kind}, in a file that is read for tests and guards`,
    ...locate(written, ["kind"]),
    hint: "Move it to a file of `manifests:` in remit.yaml, or do not name this file as one with tests or guards.",
  };
}
