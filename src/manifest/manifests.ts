import type { Diagnostic } from "../model/diagnostic.js";
import type { JsonObject } from "../model/json.js";
import type { Member } from "./duplicates.js";
import { API_VERSION, isManifest, readEnvelope } from "./envelope.js";
import { called } from "./fileDiagnostics.js";
import { locate } from "./locate.js";
import { ownOutput } from "./ownOutput.js";
import { type Parsed, parseEach } from "./parse.js";
import type { AppIndex } from "./references.js";
import type { Resource } from "./resource.js";
import { readResource } from "./resources.js";
import { placeAt, type Source } from "./source.js";

/** The project's own file, which may stand among its manifests. */
const PROJECT_FILE = /(^|\/)remit\.ya?ml$/;

/** What every manifest contains; a text without it is probably not meant as one. */
const SIGN = "remit/";

/** What a diagnostic is about: a file, and the manifest in it where its name can be read. */
export interface Subject {
  /** Null for a path of the project that could not be read. */
  readonly file: string | null;
  readonly manifest: Pick<Resource, "address" | "labels"> | null;
}

/** A diagnostic, and every manifest that it is about. */
export interface DiagnosticAbout {
  readonly about: readonly Subject[];
  readonly diagnostic: Diagnostic;
}

/** The manifests of one text, and what is wrong with them. */
export interface ReadManifests {
  readonly members: readonly Member[];
  readonly diagnostics: readonly DiagnosticAbout[];
}

/**
 * The manifests of one text. A file without manifests is a warning when it was found in a folder, and an error when it
 * was named.
 */
export function readManifests(source: Source, apps: AppIndex): ReadManifests {
  const reading = readInPieces(source, apps);
  for (;;) {
    const next = reading.next();
    if (next.done === true) return next.value;
  }
}

/** The same, with a break after each document: the caller decides when it goes on. */
export function* readInPieces(source: Source, apps: AppIndex): Generator<void, ReadManifests> {
  const output = ownOutput(source);
  if (output !== null) return { members: [], diagnostics: aboutFile(source, [written(source, output)]) };
  const members: Member[] = [];
  const found: DiagnosticAbout[] = [];
  const strangers: Parsed[] = [];
  const documents = parseEach(source);
  let count = 0;
  let next = documents.next();
  for (; next.done !== true; next = documents.next()) {
    count += 1;
    const document = next.value;
    const { value, legible } = document;
    if (legible && !isManifest(value)) strangers.push(document);
    else if (!legible || !isManifest(value)) found.push(...aboutFile(source, document.diagnostics));
    else {
      const read = readResource(value, { source, marks: document.marks }, apps);
      const about = [{ file: source.file, manifest: namesOf(value) }];
      for (const diagnostic of [...document.diagnostics, ...read.diagnostics])
        found.push({ about, diagnostic });
      if (read.value !== null && document.diagnostics.length === 0) members.push(read.value);
    }
    yield;
  }
  const told = next.value;
  const diagnostics = [...aboutFile(source, told), ...found];

  const isForeign = !source.named && !source.text.includes(SIGN) && members.length === 0;
  const isProjectFile = !source.named && PROJECT_FILE.test(source.file) && members.length === 0;
  if (isProjectFile && strangers.length === count) return { members: [], diagnostics: [] };
  if (isForeign && diagnostics.length > 0)
    return {
      members: [],
      diagnostics: aboutFile(source, [illegible(diagnostics.map(({ diagnostic }) => diagnostic))]),
    };
  if (count === 0 && told.length === 0) diagnostics.push(...aboutFile(source, [empty(source)]));
  const [first] = strangers;
  if (first !== undefined) diagnostics.push(...aboutFile(source, [foreign(source, first, strangers.length)]));
  return { members, diagnostics };
}

function aboutFile({ file }: Source, diagnostics: readonly Diagnostic[]): DiagnosticAbout[] {
  return diagnostics.map((diagnostic) => ({ about: [{ file, manifest: null }], diagnostic }));
}

/** The address and labels of a manifest that may have errors; null where its kind or name is missing. */
function namesOf(manifest: JsonObject): Subject["manifest"] {
  const { name, labels } = readEnvelope(manifest);
  const { kind } = manifest;
  return typeof kind === "string" && name !== "" ? { address: { kind, name }, labels } : null;
}

const LEAVE_OUT = "or exclude the file with a line in .remitignore";

/** Documents without remit's apiVersion: one diagnostic for all of them in a file. */
function foreign(source: Source, { marks }: Parsed, count: number): Diagnostic {
  return {
    code: "manifest/foreign",
    severity: source.named ? "error" : "warning",
    message:
      count === 1
        ? "this is not a remit manifest"
        : `this and ${count - 1} more here are not remit manifests`,
    ...locate({ source, marks }, ["apiVersion"]),
    hint: `Write apiVersion: ${API_VERSION} if it is meant as one, ${LEAVE_OUT}.`,
  };
}

/** A file that remit wrote: it is left out of a folder, and a mistake where it was named. */
function written({ file, named }: Source, output: string): Diagnostic {
  if (!named) {
    const message = `${file} is ${output} that remit wrote, so it is not read as a manifest`;
    return { code: "manifest/own-output", severity: "note", message };
  }
  return {
    code: "manifest/foreign",
    severity: "error",
    message: `${file} is ${output} that remit wrote, not a manifest`,
    hint: "Name a manifest, or a folder of manifests.",
  };
}

/** A file of a folder that is not YAML and does not mention remit, such as a template of another tool. */
function illegible(diagnostics: readonly Diagnostic[]): Diagnostic {
  const [first] = diagnostics;
  return {
    code: "manifest/foreign",
    severity: "warning",
    message: `this is not a remit manifest, and cannot be read: ${first?.message}`,
    ...(first?.span !== undefined &&
      first.excerpt !== undefined && { span: first.span, excerpt: first.excerpt }),
    hint: `Correct it, ${LEAVE_OUT}.`,
  };
}

function empty(source: Source): Diagnostic {
  return {
    code: "manifest/empty",
    severity: source.named ? "warning" : "note",
    message: `${called(source.file)} contains no manifest`,
    ...placeAt(source, 0, 0),
    hint: "Write one, or remove the file.",
  };
}
