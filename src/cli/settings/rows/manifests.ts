import type { ValuesFile } from "../../../manifest/vocabulary.js";
import { isObject, type JsonObject, same } from "../../../model/json.js";
import type { Removal } from "../../../plan/removed/decision.js";
import type { MovedAddress } from "../../../tenant/movedAddress.js";
import { FIXED, INTENT, intent, list, part, row, texts } from "../row.js";

const PATHS = {
  of: (value: readonly string[]) => value,
  without: (value: readonly string[], paths: ReadonlySet<string>) => value.filter((path) => !paths.has(path)),
};

/**
 * Files and folders with guards of a team. The working tree may add guards and take none away: guards are compared by
 * what they say, and not by where they are.
 */
export const ownGuards = row<readonly string[]>({
  name: "guards.own",
  at: "guards",
  read: (value) => (isObject(value) ? (texts(value.own) ?? []) : undefined),
  fallback: [],
  decides: INTENT,
  parts: () => [],
  paths: PATHS,
});

function pathsOf(files: readonly ValuesFile[]): readonly string[] {
  return files.map(({ path }) => path);
}

/** Where the project's manifests are. */
export const manifests = row<readonly string[]>({
  read: texts,
  fallback: ["."],
  decides: INTENT,
  paths: PATHS,
});

/** The tenants of the project, by name. */
export const contexts = row<JsonObject>({
  read: (value) => (isObject(value) ? value : undefined),
  fallback: {},
  decides: FIXED,
  parts: (value) => {
    const names = namesOf(value);
    return [part("contexts", names, names.length === 0 ? "none" : names.join(", "))];
  },
  printed: namesOf,
});

function namesOf(contexts: JsonObject): readonly string[] {
  return Object.keys(contexts).sort();
}

/** Files with named values. */
export const values = row<readonly ValuesFile[]>({
  read: (value, file) =>
    texts(value)?.map((path, at) => ({ path, place: file?.placeOf(["values", at]) ?? null })),
  fallback: [],
  decides: INTENT,
  parts: (value) => [part("values", pathsOf(value))],
  printed: pathsOf,
  paths: { of: pathsOf, without: (value, paths) => value.filter(({ path }) => !paths.has(path)) },
});

/** Files and folders with tests. */
export const tests = row<readonly string[]>({
  read: texts,
  fallback: ["tests"],
  decides: INTENT,
  paths: PATHS,
});

/** Ids of apps by their display names. */
export const apps = row<Readonly<Record<string, string>>>({
  read: (value) => (isObject(value) ? (value as Readonly<Record<string, string>>) : undefined),
  fallback: {},
  decides: INTENT,
});

/** Addresses that are called otherwise now. */
export const moved = row<readonly MovedAddress[]>({
  read: (value, file) =>
    list(value, ({ from, to }, place) => ({
      from: String(from),
      to: String(to),
      span: file?.placeOf(["moved", place]).span ?? null,
    })),
  fallback: [],
  decides: INTENT,
  parts: (value) =>
    value.map(({ from, to, span }, place) => ({
      ...part(`moved.${from}`, to),
      path: ["moved", place],
      span,
    })),
});

/** Whether every removed object is deleted. */
export const prunesAlways = row({
  name: "prune",
  read: (value) => (typeof value === "boolean" ? value : undefined),
  fallback: false,
  decides: intent((value) => value === true),
});

/** The types of resources that are deleted with all that they contain. */
export const prunable = row<readonly string[]>({
  name: "prune.resourceTypes",
  at: "prune",
  read: (value) => (isObject(value) ? texts(value.resourceTypes) : undefined),
  fallback: [],
  decides: intent((value) => !same(value, [])),
});

/** What is decided on each removed object. */
export const removed = row<readonly Removal[]>({
  read: (value, file) =>
    list(value, ({ address, key, then: decision }, place) => ({
      address: String(address),
      key: typeof key === "string" ? key : null,
      decision: decision === "delete" ? "delete" : "forget",
      span: file?.placeOf(["removed", place]).span ?? null,
    })),
  fallback: [],
  decides: INTENT,
  parts: (value) =>
    value.map(({ address, key, decision, span }, place) => {
      const name = `removed.${address}${key === null ? "" : `@${key}`}`;
      return { ...part(name, decision), path: ["removed", place], span };
    }),
  printed: (value) => value.map(({ address, key, decision }) => ({ address, key, decision })),
});
