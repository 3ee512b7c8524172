import { kindOf } from "../kinds/index.js";
import { isGone, recordIn } from "../kinds/spelling.js";
import { formatAddress } from "../model/address.js";
import { type JsonObject, same } from "../model/json.js";
import { formatKey } from "../model/key.js";
import type { Current, Desired } from "./known.js";
import type { Reader } from "./reader.js";

/**
 * How many objects the service writes into by itself once a manifest's change is applied, by the address of the manifest;
 * null where that could not be read. Nothing for what changes nothing of it.
 */
export async function rewrittenBy(
  desired: readonly Desired[],
  { objects }: Pick<Current, "objects">,
  reader: Reader | null,
): Promise<ReadonlyMap<string, number | null>> {
  const found = new Map<string, number | null>();
  for (const { resource, key, fields } of desired) {
    const { address } = resource;
    const { rewrites } = kindOf(address);
    if (rewrites === undefined || key === null) continue;
    const seen = objects.get(formatKey(address.kind, key));
    const was = seen?.as === "present" ? seen.fields[rewrites.field] : undefined;
    const types = rewrites.types(fields);
    if (types.length === 0 || same(was ?? null, fields[rewrites.field] ?? null)) continue;
    const rows = await reader?.all(address.kind, rewrites.reached(key, types), "optional");
    const isOpen = (record: JsonObject) => !isGone(record) && record[rewrites.lock] !== true;
    const open = rows?.as === "got" ? rows.value.flatMap((row) => recordIn(row, rewrites.around)) : null;
    found.set(formatAddress(address), open === null ? null : open.filter(isOpen).length);
  }
  return found;
}

/** The objects that manifests had by the state, and that the tenant no longer has, where another manifest names one. */
export function lostAmong(before: readonly Desired[], after: readonly Desired[]): readonly string[] {
  const ids = new Set(before.flatMap(({ identity }) => Object.values(identity)));
  return before.flatMap(({ resource: { address }, key }, at) =>
    key !== null && after[at]?.key === null && ids.has(key.at(-1) ?? "")
      ? [formatKey(address.kind, key)]
      : [],
  );
}
