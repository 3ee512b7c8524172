import type { Address } from "../model/address.js";
import type { JsonObject } from "../model/json.js";

/** What only explains a step to a reader: no guard and no write reads it. */
export type Remark =
  /** Fields that remit no longer manages, as they were before it first did, where the tenant may have another value now. */
  | { readonly about: "restore"; readonly fields: JsonObject }
  /** When the tenant's object was changed last, where a field was changed there and the service says when. */
  | { readonly about: "changed at"; readonly at: string }
  /** Others of a ring that it is made without; their ids, and what else may not be written before, follow once they stand. */
  | { readonly about: "ring"; readonly awaits: readonly Address[]; readonly fields: readonly string[] }
  /** How many objects the service writes into by itself once the step is done; null where that is not known. */
  | { readonly about: "rewrites"; readonly count: number | null }
  /** The file of the last manifest of an object that has none. */
  | { readonly about: "last file"; readonly file: string };

/** That there are fields to restore; nothing where there are none. */
export function restoring(fields: JsonObject): readonly Remark[] {
  return Object.keys(fields).length === 0 ? [] : [{ about: "restore", fields }];
}

/** When the tenant changed an object; nothing where the service does not say. */
export function changedAt(at: string | undefined): readonly Remark[] {
  return at === undefined ? [] : [{ about: "changed at", at }];
}
