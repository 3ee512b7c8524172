import { kindNamed, kinds } from "../kinds/index.js";
import { isObject, type Json, type JsonObject } from "../model/json.js";
import { didYouMean } from "../schema/didYouMean.js";
import type { ValueDiagnostic } from "../schema/shape.js";
import { say } from "../words/say.js";

/** The version of manifests that this program reads. */
export const API_VERSION = "remit/v1";

/** What surrounds a manifest's spec; read it only from a manifest that matches its schema. */
interface Envelope {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  readonly spec: JsonObject;
}

/** Whether a document is a manifest of any version, or one whose apiVersion is missing: it has a spec, or a kind of remit's. */
export function isManifest(value: Json): value is JsonObject {
  if (!isObject(value)) return false;
  const version = member(value, "apiVersion");
  if (typeof version === "string") return version.startsWith("remit/");
  return namesKnownKind(value) || member(value, "spec") !== undefined;
}

/** Documents beside the manifests of a project, by their kinds, and the setting that names their files. */
const COMPANIONS = { Values: "values", Test: "tests", Guard: "guards.own" } as const;

/** A setting that names files with documents beside the manifests. */
export type CompanionSetting = (typeof COMPANIONS)[keyof typeof COMPANIONS];

/** The setting that names the file of such a document; null for a manifest, and for anything else. */
export function companionSetting(value: Json): CompanionSetting | null {
  const kind = isObject(value) ? member(value, "kind") : undefined;
  return kind === "Values" || kind === "Test" || kind === "Guard" ? COMPANIONS[kind] : null;
}

/** Whether a document names one of remit's kinds. */
export function namesKnownKind(value: JsonObject): boolean {
  const kind = member(value, "kind");
  return typeof kind === "string" && kindNamed(kind) !== undefined;
}

/** Why a manifest cannot be checked: an unknown version or an unknown kind. */
export function unknown(manifest: JsonObject): readonly ValueDiagnostic[] {
  const [version, kind] = [member(manifest, "apiVersion"), member(manifest, "kind")];
  if (typeof version === "string" && version !== API_VERSION)
    return [say("manifest/version#newer", { version }, { on: "value", path: ["apiVersion"] })];
  if (namesKnownKind(manifest)) return [];
  const names = kinds.map(({ name }) => name);
  const ofKind = { on: "value", path: ["kind"] } as const;
  return [
    ...(typeof version === "string" ? [] : [withoutVersion(version)]),
    typeof kind === "string" && kind !== ""
      ? say("manifest/kind#unknown", { kind, kinds: names }, { ...ofKind, hint: didYouMean(kind, names) })
      : say("manifest/kind#absent", { kinds: names }, ofKind),
  ];
}

function withoutVersion(version: Json | undefined): ValueDiagnostic {
  const place = { on: "value", path: ["apiVersion"] } as const;
  return say(version === undefined ? "manifest/version#absent" : "manifest/version#form", {}, place);
}

/** Reads what surrounds a spec. */
export function readEnvelope(manifest: JsonObject): Envelope {
  const metadata = objectIn(manifest, "metadata");
  const [name, row] = [member(metadata, "name"), member(metadata, "row")];
  return {
    name: typeof name === "string" ? nameOf(name, row) : "",
    labels: textsIn(metadata, "labels"),
    annotations: textsIn(metadata, "annotations"),
    spec: objectIn(manifest, "spec"),
  };
}

/** The name of a manifest, which has the row in brackets where it is one of a shape: `member[eng]`. */
function nameOf(name: string, row: Json | undefined): string {
  return typeof row === "string" && row !== "" ? `${name}[${row}]` : name;
}

function textsIn(value: JsonObject, name: string): Readonly<Record<string, string>> {
  const entries = Object.entries(objectIn(value, name));
  return Object.fromEntries(
    entries.filter((entry): entry is [string, string] => typeof entry[1] === "string"),
  );
}

function objectIn(value: JsonObject, name: string): JsonObject {
  const found = member(value, name);
  return isObject(found) ? found : {};
}

function member(value: JsonObject, name: string): Json | undefined {
  return Object.hasOwn(value, name) ? value[name] : undefined;
}
