import type { Checked, Diagnostic } from "../model/diagnostic.js";
import type { Member } from "./duplicates.js";
import { API_VERSION, isManifest } from "./envelope.js";
import { called } from "./fileFault.js";
import { locate } from "./locate.js";
import { type Parsed, parse } from "./parse.js";
import type { AppIndex } from "./references.js";
import { readResource } from "./resources.js";
import { placeAt, type Source } from "./source.js";

/** The project's own file, which may stand among its manifests. */
const PROJECT_FILE = /(^|\/)remit\.ya?ml$/;

/** What every manifest has in it; a text that has it not was hardly meant as one. */
const SIGN = "remit/";

/** The manifests of one text. What is found in a folder and none of ours is a warning; what was named, an error. */
export function readManifests(source: Source, apps: AppIndex): Checked<readonly Member[]> {
  const { value: documents, diagnostics: told } = parse(source);
  const members: Member[] = [];
  const diagnostics: Diagnostic[] = [...told];
  const strangers: Parsed[] = [];
  for (const document of documents) {
    const { value, legible } = document;
    if (legible && !isManifest(value)) {
      strangers.push(document);
      continue;
    }
    for (const diagnostic of document.diagnostics) diagnostics.push(diagnostic);
    if (!legible || !isManifest(value)) continue;
    const read = readResource(value, { source, marks: document.marks }, apps);
    for (const diagnostic of read.diagnostics) diagnostics.push(diagnostic);
    if (read.value !== null && document.diagnostics.length === 0) members.push(read.value);
  }

  const isForeign = !source.named && !source.text.includes(SIGN) && members.length === 0;
  const isProjectFile = !source.named && PROJECT_FILE.test(source.file) && members.length === 0;
  if (isProjectFile && strangers.length === documents.length) return { value: [], diagnostics: [] };
  if (isForeign && diagnostics.length > 0) return { value: [], diagnostics: [illegible(diagnostics)] };
  if (documents.length === 0 && told.length === 0) diagnostics.push(empty(source));
  const [first] = strangers;
  if (first !== undefined) diagnostics.push(foreign(source, first, strangers.length));
  return { value: members, diagnostics };
}

const LEAVE_OUT = "or leave the file out with a line in .remitignore";

/** Documents without our apiVersion: one finding for all of them in a file. */
function foreign(source: Source, { marks }: Parsed, count: number): Diagnostic {
  return {
    code: "manifest/foreign",
    severity: source.named ? "error" : "warning",
    message:
      count === 1 ? "this is no remit manifest" : `this and ${count - 1} more here are no remit manifests`,
    ...locate({ source, marks }, ["apiVersion"]),
    hint: `Write apiVersion: ${API_VERSION} if it is meant as one, ${LEAVE_OUT}.`,
  };
}

/** A file of a folder that is no YAML and does not speak of us: templates of other tools look so. */
function illegible(diagnostics: readonly Diagnostic[]): Diagnostic {
  const [first] = diagnostics;
  return {
    code: "manifest/foreign",
    severity: "warning",
    message: `this is no remit manifest, and cannot be read: ${first?.message}`,
    ...(first?.span !== undefined &&
      first.excerpt !== undefined && { span: first.span, excerpt: first.excerpt }),
    hint: `Correct it, ${LEAVE_OUT}.`,
  };
}

function empty(source: Source): Diagnostic {
  return {
    code: "manifest/empty",
    severity: source.named ? "warning" : "note",
    message: `${called(source.file)} holds no manifest`,
    ...placeAt(source, 0, 0),
    hint: "Write one, or remove the file.",
  };
}
