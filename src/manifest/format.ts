import { type Checked, type Diagnostic, hasErrors } from "../model/diagnostic.js";
import { canonical } from "../model/json.js";
import { isManifest } from "./envelope.js";
import { arrange } from "./format/arrange.js";
import { findComments } from "./format/comments.js";
import { print } from "./format/print.js";
import { Unsupported } from "./format/tree.js";
import { type Parsed, parse } from "./parse.js";
import { placeAt, type Source } from "./source.js";

/**
 * The canonical layout of a YAML text. What it says stays, every comment included, and so does the order of lists;
 * a text with faults, or one that only another layout would keep, is given back as it is, with a diagnostic.
 */
export function formatText(source: Source): Checked<string> {
  const text = source.text.replace(/^\ufeff/, "").replaceAll("\r\n", "\n");
  const before = parse({ ...source, text });
  const faults = [...before.diagnostics, ...before.value.flatMap((document) => document.diagnostics)];
  if (hasErrors(faults)) return { value: source.text, diagnostics: faults };
  try {
    const value = print(arrange(text));
    const after = parse({ ...source, text: value });
    const same = says(value, after.value) === says(text, before.value);
    return same ? { value, diagnostics: [] } : leave(source, "another layout would change what it says");
  } catch (error) {
    if (error instanceof Unsupported) return leave(source, `it has ${error.message}`);
    throw error;
  }
}

/** Whether a text holds a manifest, for who is given a folder with more in it. */
export function holdsManifest(source: Source): boolean {
  return parse(source).value.some((document) => isManifest(document.value));
}

/** Everything a text says to remit and to people, as one text that is the same for all its layouts. */
function says(text: string, documents: readonly Parsed[]): string {
  const comments = findComments(text).map((comment) => comment.text);
  return canonical([documents.map((document) => document.value), comments.sort()]);
}

function leave(source: Source, why: string): Checked<string> {
  const diagnostic: Diagnostic = {
    code: "format/left-alone",
    severity: "warning",
    message: `the file is left as it is: ${why}`,
    ...placeAt(source, 0, 0),
    hint: "Write it in a plainer way, or lay it out by hand.",
  };
  return { value: source.text, diagnostics: [diagnostic] };
}
