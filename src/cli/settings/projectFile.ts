import { settingsOfContext } from "../../manifest/contexts.js";
import { readDocument, readShortened } from "../../manifest/document.js";
import type { Place } from "../../manifest/resource.js";
import type { Source } from "../../manifest/source.js";
import type { Checked } from "../../model/diagnostic.js";
import { isObject, type Json, type JsonObject } from "../../model/json.js";
import { shorten } from "./plainContexts.js";

/** A way to a value of a project file: names of members and positions in lists. */
export type SettingPath = readonly (string | number)[];

/** The values of a project file, and where each stands. */
export interface ProjectFile {
  /** As messages show it: `remit.yaml`, or `origin/main:remit.yaml` where it was read from git. */
  readonly name: string;
  readonly value: JsonObject;
  readonly placeOf: (path: SettingPath) => Place;
}

type Check = Parameters<typeof readDocument>[1];

/** Reads a project file's text; null where it is empty or has errors. */
export function projectFileFrom(source: Source, check: Check, worth?: number): Checked<ProjectFile | null> {
  const short = shortFile(source, check, worth);
  if (short !== null) return { value: short, diagnostics: [] };
  const { value: document, diagnostics } = readDocument(source, check);
  if (document === null) return { value: null, diagnostics };
  const { value, place } = document;
  return { value: { name: source.file, value: isObject(value) ? value : {}, placeOf: place }, diagnostics };
}

/** A file of many contexts, read without most of them. Where a place in one of those is asked for, the text with it is read. */
function shortFile(source: Source, check: Check, worth: number | undefined): ProjectFile | null {
  const short = readShort(source, check, null, worth);
  if (short === null) return null;
  let asked: { readonly context: string; readonly place: ProjectFile["placeOf"] | null } | undefined;
  let whole: ProjectFile["placeOf"] | undefined;
  return {
    name: source.file,
    value: short.value,
    placeOf(path) {
      const [first, context] = path;
      if (first !== "contexts" || !short.hides(String(context))) return short.place(path);
      asked ??= { context: String(context), place: placesWith(source, String(context), worth) };
      if (context === asked.context && asked.place !== null) return asked.place(path);
      // A run that asks for places of several contexts may ask for those of all.
      whole ??= readDocument(source, () => []).value?.place ?? short.place;
      return whole(path);
    },
  };
}

/** The places of a file that one more context is left in; null where it is not. */
function placesWith(
  source: Source,
  context: string,
  worth: number | undefined,
): ProjectFile["placeOf"] | null {
  const read = readShort(source, () => [], context, worth);
  return read === null || read.hides(context) ? null : read.place;
}

/** What of a shortened file is read, and which contexts it hides. */
function readShort(source: Source, check: Check, asked: string | null, worth: number | undefined) {
  const shortened = shorten(source.text, asked, worth);
  if (shortened === null) return null;
  const { text, hides } = shortened;
  const whole = (value: Json) => (isObject(value) ? shortened.whole(value) : null);
  const read = readShortened(source, check, { text, whole });
  return read === null || !isObject(read.value) ? null : { value: read.value, place: read.place, hides };
}

/** A project file as one of its contexts sees it. */
export function fileOfContext(file: ProjectFile, context: string): ProjectFile {
  const { value, writtenAt } = settingsOfContext(file.value, context);
  return { name: file.name, value, placeOf: (path) => file.placeOf(writtenAt(path)) };
}

/** Where a project file writes a value; null where it does not. */
export function writtenIn(file: ProjectFile, path: SettingPath): Place | null {
  let value: Json | undefined = file.value;
  for (const name of path) {
    value = Array.isArray(value)
      ? value[Number(name)]
      : isObject(value) && Object.hasOwn(value, name)
        ? value[name]
        : undefined;
    if (value === undefined) return null;
  }
  return file.placeOf(path);
}
