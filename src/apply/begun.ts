import { formatAddress } from "../model/address.js";
import { type JsonObject, same } from "../model/json.js";
import type { Key } from "../model/key.js";
import type { RecordLookup } from "../plan/record/lookup.js";
import { deedOf, type Step } from "../plan/step.js";
import type { CreatedObject, Entry } from "../state/snapshot.js";
import type { Present } from "../tenant/known.js";

/** An object that an earlier apply of the same effect created, and did not finish. */
export interface Begun {
  readonly key: Key;
  /** The object as that apply left it. */
  readonly left: JsonObject;
}

/**
 * What a create continues; null where it begins. Calls after the first are made again, so all of them must allow that.
 * An object whose fields the earlier apply did not see cannot be recognised.
 */
export function begunBy(step: Step, created: readonly CreatedObject[], records: RecordLookup): Begun | null {
  const [, ...later] = step.calls;
  if (deedOf(step) !== "create" || step.key !== null || later.some(({ effect }) => effect !== "repeatable"))
    return null;
  const name = formatAddress(step.address);
  const found = created.find((one) => one.isUnfinished === true && formatAddress(one.address) === name);
  const left: Entry["answered"] =
    found === undefined ? null : (records.entry(step.address.kind, found.key)?.answered ?? null);
  return found === undefined || left === null ? null : { key: found.key, left };
}

/** Whether an object is as the earlier apply left it, or in its fields as the step wants it. */
export function isAsLeft(
  { fields, managedBy }: Present,
  left: JsonObject,
  { after, managed: { owned } }: Step,
): boolean {
  const names = new Set([...Object.keys(fields), ...Object.keys(left)]);
  const isWanted = (name: string) =>
    owned.includes(name) && same(fields[name] ?? null, after?.[name] ?? null);
  return (
    managedBy === undefined &&
    [...names].every((name) => same(fields[name] ?? null, left[name] ?? null) || isWanted(name))
  );
}
