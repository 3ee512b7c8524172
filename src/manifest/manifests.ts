import type { Diagnostic } from "../model/diagnostic.js";
import type { Json, JsonObject } from "../model/json.js";
import { say } from "../words/say.js";
import { belongingOf } from "./belonging.js";
import type { NamedMember } from "./duplicates.js";
import { type CompanionSetting, companionSetting, isManifest, readEnvelope } from "./envelope.js";
import { plainManifests } from "./expand/shape.js";
import { called } from "./fileDiagnostics.js";
import { locate } from "./locate.js";
import { ownOutput } from "./ownOutput.js";
import { type Documents, type Parsed, parseEach } from "./parse/parse.js";
import { type AppIndex, indexApps } from "./references.js";
import type { Resource } from "./resource.js";
import { readResource } from "./resources.js";
import { placeAt, type Source } from "./source.js";
import { emptied, illegible, pointerIn, strange, type UnclearFile } from "./unclearFile.js";
import { isNamedFile, type Vocabulary } from "./vocabulary.js";

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
  readonly members: readonly NamedMember[];
  readonly diagnostics: readonly DiagnosticAbout[];
  /** That the text may hold more of them; null where all of it is understood. */
  readonly unclear: UnclearFile | null;
  /** Whether it has manifests of other contexts. */
  readonly hasOthers: boolean;
}

/**
 * The manifests of one text. A file without manifests is a warning when it was found in a folder, and an error when it
 * was named.
 */
export function readManifests(source: Source, vocabulary: Vocabulary, documents?: Documents): ReadManifests {
  const reading = readInPieces(source, vocabulary, indexApps(vocabulary.apps), documents);
  for (;;) {
    const next = reading.next();
    if (next.done === true) return next.value;
  }
}

/**
 * The same, with a break after each document: the caller decides when it goes on.
 *
 * @param documents those of the text, where they were parsed before
 */
export function* readInPieces(
  source: Source,
  vocabulary: Vocabulary,
  apps: AppIndex,
  documents: Documents = parseEach(source),
): Generator<void, ReadManifests> {
  const pointer = pointerIn(source);
  if (pointer !== null) return without(source, pointer);
  const output = ownOutput(source);
  if (output !== null) return without(source, emptied(source, [written(source, output)]));
  if (source.named && WEB_PAGE.test(source.text)) return without(source, emptied(source, [webPage(source)]));
  const members: NamedMember[] = [];
  const found: DiagnosticAbout[] = [];
  const strangers: Parsed[] = [];
  let [count, meant, kept, others] = [0, 0, 0, 0];
  let next = documents.next();
  for (; next.done !== true; next = documents.next()) {
    count += 1;
    const document = next.value;
    const { value, legible } = document;
    if (legible && isListOfManifests(value)) {
      meant += 1;
      found.push(...aboutFile(source, [listed(source, document)]));
    } else if (legible && !isManifest(value)) strangers.push(document);
    else if (!legible || !isManifest(value)) found.push(...aboutFile(source, document.diagnostics));
    else if (companionSetting(value) !== null) {
      meant += 1;
      const setting = companionSetting(value) ?? "values";
      // What is wrong with the files that the settings name is said where they are used.
      if (!isNamedFile(vocabulary, setting, source.file))
        found.push(...aboutFile(source, [unnamedFile(source, document, setting)]));
    } else {
      meant += 1;
      const about = [{ file: source.file, manifest: namesOf(value) }];
      const tell = (diagnostic: Diagnostic) => found.push({ about, diagnostic });
      for (const diagnostic of document.diagnostics) tell(diagnostic);
      const before = found.length;
      const manifest = { value, written: { source, marks: document.marks } };
      const belonging = belongingOf(manifest, vocabulary.contexts, tell);
      if (belonging === "elsewhere") others += 1;
      const plain = belonging === "here" ? plainManifests(manifest, vocabulary.values, tell) : [];
      let made = 0;
      for (const one of plain) {
        made += 1;
        const read = readResource(one, apps);
        const subject = [{ file: source.file, manifest: namesOf(one.value) }];
        for (const diagnostic of read.diagnostics) found.push({ about: subject, diagnostic });
        if (read.value !== null && document.diagnostics.length === 0) members.push(read.value);
      }
      if (made === 0 && found.length === before) kept += 1;
    }
    yield;
  }
  const ofText = next.value;
  const diagnostics = [...aboutFile(source, ofText), ...found];

  const isForeign = !source.named && !source.text.includes(SIGN) && meant === 0;
  const isProjectFile = !source.named && PROJECT_FILE.test(source.file) && members.length === 0;
  if (isProjectFile && strangers.length === count) return without(source, emptied(source, []));
  if (isForeign && diagnostics.length > 0)
    return without(
      source,
      illegible(
        source,
        diagnostics.map(({ diagnostic }) => diagnostic),
      ),
    );
  if (count === 0 && ofText.length === 0)
    return without(
      source,
      emptied(source, [
        say(
          "manifest/empty",
          { file: called(source.file) },
          { ...placeAt(source, 0, 0), severity: source.named ? "warning" : "note" },
        ),
      ]),
    );
  if (strangers.length === 0) {
    const isEmptied = members.length === 0 && kept === 0 && diagnostics.length === 0;
    return { members, diagnostics, unclear: isEmptied ? emptied(source, []) : null, hasOthers: others > 0 };
  }
  const unclear = strange(source, strangers, strangers.length < count);
  const told = [...diagnostics, ...aboutFile(source, unclear.instead)];
  return { members, diagnostics: told, unclear, hasOthers: others > 0 };
}

/** A text that gives no manifest. */
function without(source: Source, unclear: UnclearFile): ReadManifests {
  return { members: [], diagnostics: aboutFile(source, unclear.instead), unclear, hasOthers: false };
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

function isListOfManifests(value: Json): boolean {
  return Array.isArray(value) && value.some((item) => isManifest(item));
}

/** Values, tests or guards in a file that no setting names: nothing reads them. */
function unnamedFile(source: Source, { marks }: Parsed, setting: CompanionSetting): Diagnostic {
  return say(UNNAMED[setting], { file: source.file }, locate({ source, marks }, ["kind"]));
}

const UNNAMED = {
  values: "value/unnamed-file",
  tests: "expectation/unnamed-file",
  "guards.own": "guard/unnamed-file",
} as const satisfies Readonly<Record<CompanionSetting, string>>;

/** Manifests as the items of a list: each one is a document. */
function listed(source: Source, { marks }: Parsed): Diagnostic {
  return say("manifest/list", {}, locate({ source, marks }, [0]));
}

/** A file that remit wrote: it is left out of a folder, and a mistake where it was named. */
function written({ file, named }: Source, output: string): Diagnostic {
  return say(named ? "manifest/foreign#output" : "manifest/own-output", { file, output });
}

/** A web page that the author named. */
function webPage({ file }: Source): Diagnostic {
  return say("manifest/foreign#webPage", { file });
}

const WEB_PAGE = /^\s*<(?:!doctype html|html)\b/i;
