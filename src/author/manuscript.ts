import { manifestCheck } from "../kinds/check.js";
import type { Kind, Observed } from "../kinds/kind.js";
import { pick } from "../kinds/spelling.js";
import { metadataNamed, writeManifest } from "../manifest/format/write.js";
import { type JsonObject, same } from "../model/json.js";
import type { Key } from "../model/key.js";
import type { Path } from "../model/path.js";
import type { PointedAt } from "../tenant/names/catalogue.js";
import { authored } from "./authored.js";
import { type Called, withReferences } from "./pointers.js";

/** The spec of an object with ids for all references: its key, and what a manifest can hold of its fields. */
export function specOf(
  { shape }: Pick<Kind, "shape">,
  { key, fields }: Pick<Observed, "key" | "fields">,
): JsonObject {
  return { ...identityOf({ shape }, key), ...authored(fields, shape).fields };
}

/** The fields that name an object to the server. */
export function identityOf({ shape }: Pick<Kind, "shape">, key: Key): JsonObject {
  return Object.fromEntries(shape.identity.map((name, place) => [name, key[place] ?? ""]));
}

/** An object to write: as it was read, and the fields that no read shows. */
interface Portrayed extends Pick<Observed, "key" | "fields" | "madeWith"> {
  readonly unseen: JsonObject;
}

/** What a manifest's text needs beside its object. */
interface Surroundings {
  /** What an id is called, where that is known. */
  readonly calledBy: (pointed: PointedAt) => Called | undefined;
  /** Where the editor finds the schema of the kind; null for nowhere. */
  readonly schema: string | null;
  /** The contexts that the manifest belongs to; absent for each. */
  readonly contexts?: readonly string[];
}

/**
 * An object as the text of a manifest: references where they are sure, and comments for what it cannot say. A field that
 * would not be valid is left out, because the service may keep what no author may write.
 */
export function manuscript(
  kind: Kind,
  observed: Portrayed,
  name: string,
  { calledBy, schema, contexts }: Surroundings,
): string {
  const made = pick(observed.madeWith ?? {}, kind.shape.always);
  const ids = { ...specOf(kind, observed), ...made, ...observed.unseen };
  const { spec, comments, unfit } = validSpec(kind, name, ids, calledBy);
  const { leftOut } = authored(observed.fields, kind.shape);
  const left = [...leftOut, ...unfit].map(
    ({ field, why }) => `Left out: ${field}, because ${why}. The service keeps it.`,
  );
  const where = { schema, ...(contexts !== undefined && { contexts }) };
  return writeManifest({ kind: kind.name, name, spec, ...where, comments: [...comments, ...left] });
}

/** A spec with references where the schema takes them, and without the fields that a manifest cannot hold. */
function validSpec(kind: Kind, name: string, ids: JsonObject, calledBy: Surroundings["calledBy"]) {
  const faultsIn = (spec: JsonObject) => manifestCheck(kind.name)?.(manifestOf(kind, name, spec)) ?? [];
  const first = withReferences(ids, kind, calledBy);
  // Some fields take only ids: the schema decides.
  const refused = faultsIn(first.spec).map(({ path }) => path.slice(1));
  if (refused.length === 0) return { ...first, unfit: [] };
  const mayRefer = (path: Path) => !refused.some((place) => same(place.slice(0, path.length), path));
  const second = withReferences(ids, kind, calledBy, mayRefer);
  const unfit = new Map<string, string>();
  for (const { path, severity, message } of faultsIn(second.spec)) {
    const [, field] = path;
    if (severity !== "error" || typeof field !== "string" || kind.shape.identity.includes(field)) continue;
    if (!unfit.has(field)) unfit.set(field, `a manifest cannot hold it: ${message}`);
  }
  if (unfit.size === 0) return { ...second, unfit: [] };
  const rest = Object.fromEntries(Object.entries(ids).filter(([field]) => !unfit.has(field)));
  const without = [...unfit].map(([field, why]) => ({ field, why }));
  return { ...withReferences(rest, kind, calledBy, mayRefer), unfit: without };
}

function manifestOf({ name: kind }: Kind, name: string, spec: JsonObject): JsonObject {
  return { apiVersion: "remit/v1", kind, metadata: metadataNamed(name), spec };
}
