import { settingsOfContext } from "../../manifest/contexts.js";
import { readDocument } from "../../manifest/document.js";
import type { Place } from "../../manifest/resource.js";
import type { Source } from "../../manifest/source.js";
import type { Checked } from "../../model/diagnostic.js";
import { isObject, type Json, type JsonObject } from "../../model/json.js";

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
export function projectFileFrom(source: Source, check: Check): Checked<ProjectFile | null> {
  const { value: document, diagnostics } = readDocument(source, check);
  if (document === null) return { value: null, diagnostics };
  const { value, place } = document;
  return { value: { name: source.file, value: isObject(value) ? value : {}, placeOf: place }, diagnostics };
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
