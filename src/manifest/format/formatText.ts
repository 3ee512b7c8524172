import { type Checked, type Diagnostic, hasErrors } from "../../model/diagnostic.js";
import { canonical } from "../../model/json.js";
import { say } from "../../words/say.js";
import { isManifest } from "../envelope.js";
import { type Parsed, parse } from "../parse/parse.js";
import { loneReturn } from "../parse/syntax.js";
import { placeAt, type Source } from "../source.js";
import { arrange } from "./arrange.js";
import { findComments } from "./comments.js";
import { print } from "./print.js";
import { Unsupported } from "./tree.js";

/**
 * The canonical layout of a YAML text, with the same content, comments and order of lists. A text with errors, or one
 * whose content the layout would change, stays as it is, with a diagnostic.
 */
export function formatText(source: Source): Checked<string> {
  const read = source.text.replace(/^\ufeff/, "");
  // Dropping one of two carriage returns would turn the other into a part of the line's end.
  const text = loneReturn(read) === undefined ? read.replaceAll("\r\n", "\n") : read;
  const before = parse({ ...source, text });
  const faults = [...before.diagnostics, ...before.value.flatMap((document) => document.diagnostics)];
  if (hasErrors(faults)) return { value: source.text, diagnostics: faults };
  try {
    const value = print(arrange(text));
    const after = parse({ ...source, text: value });
    const same = says(value, after.value) === says(text, before.value);
    return same ? { value, diagnostics: [] } : leave(source, "another layout would change its content");
  } catch (error) {
    if (error instanceof Unsupported) return leave(source, `it has ${error.message}`);
    throw error;
  }
}

/** Whether a text contains a manifest; a folder may contain other files, too. */
export function holdsManifest(source: Source): boolean {
  return parse(source).value.some((document) => isManifest(document.value));
}

/** The whole content of a text, comments included, as one text that is the same for all its layouts. */
function says(text: string, documents: readonly Parsed[]): string {
  const comments = findComments(text).map((comment) => comment.text);
  return canonical([documents.map((document) => document.value), comments.sort()]);
}

function leave(source: Source, why: string): Checked<string> {
  const diagnostic: Diagnostic = say("format/left-alone", { why }, placeAt(source, 0, 0));
  return { value: source.text, diagnostics: [diagnostic] };
}
