import { formatKey } from "../model/key.js";
import type { Desired } from "./known.js";

/** The objects that manifests had by the state, and that the tenant no longer has, where another manifest names one. */
export function lostAmong(before: readonly Desired[], after: readonly Desired[]): readonly string[] {
  const ids = new Set(before.flatMap(({ identity }) => Object.values(identity)));
  return before.flatMap(({ resource: { address }, key }, at) =>
    key !== null && after[at]?.key === null && ids.has(key.at(-1) ?? "")
      ? [formatKey(address.kind, key)]
      : [],
  );
}
