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
  const { value: documents, diagnostics: told } = parse(source);
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
