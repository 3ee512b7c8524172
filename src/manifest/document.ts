import { type Checked, hasErrors } from "../model/diagnostic.js";
import type { Json } from "../model/json.js";
import type { Path } from "../model/path.js";
import type { Check } from "../schema/shape.js";
import { locate, toDiagnostic } from "./locate.js";
import { parse } from "./parse/parse.js";
import type { Place } from "./resource.js";
import type { Source } from "./source.js";

/** One checked YAML document other than a manifest: the project file. */
interface Document {
  readonly value: Json;
  readonly place: (path: Path) => Place;
}

/** Reads the one document of a text and checks it; null where it is empty or has errors. */
export function readDocument(source: Source, check: Check): Checked<Document | null> {
  return checkedDocument(source, check, parse(source));
}

/**
 * The same of a text of which a shorter one with the same offsets was made: `whole` adds to its value what was left out, which needs no
 * check. Null where it cannot, or where anything is wrong: the text itself has to be read then.
 */
export function readShortened(
  source: Source,
  check: Check,
  shortened: { readonly text: string; readonly whole: (value: Json) => Json | null },
): Document | null {
  const read = checkedDocument(source, check, parse({ ...source, text: shortened.text }));
  if (read.value === null || read.diagnostics.length > 0) return null;
  const value = shortened.whole(read.value.value);
  return value === null ? null : { ...read.value, value };
}

function checkedDocument(
  source: Source,
  check: Check,
  { value: documents, diagnostics: told }: ReturnType<typeof parse>,
): Checked<Document | null> {
  const [document] = documents;
  if (document === undefined) return { value: null, diagnostics: told };
  const written = { source, marks: document.marks };
  const problems = document.legible
    ? check(document.value).map((problem) => toDiagnostic(written, problem))
    : [];
  const diagnostics = [...told, ...document.diagnostics, ...problems];
  if (hasErrors(diagnostics)) return { value: null, diagnostics };
  return { value: { value: document.value, place: (path) => locate(written, path) }, diagnostics };
}
