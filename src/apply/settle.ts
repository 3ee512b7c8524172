import { compare } from "../diff/compare.js";
import { ours, owns, unitsOf } from "../diff/own.js";
import { recordedFields } from "../diff/recorded.js";
import type { Kind } from "../kinds/kind.js";
import type { JsonObject } from "../model/json.js";
import { madeAt, notKeptIn, type StepRecord } from "../plan/record/record.js";
import type { Entry } from "../state/snapshot.js";
import type { Present, Seen } from "../tenant/known.js";

/** What reading tells of a write whose reply was lost. */
export type Settled =
  /** There, and as wanted. */
  | { readonly as: "there"; readonly seen: Present }
  /** There, and otherwise than wanted: in these fields. */
  | { readonly as: "different"; readonly seen: Present; readonly fields: readonly string[] }
  | { readonly as: "missing" }
  /** Nothing can be read. */
  | { readonly as: "unknown"; readonly why: string };

/** Judges by what is there now whether a write took effect; `applied` is what it meant to set. */
export function settle(applied: JsonObject, seen: Seen, { shape }: Pick<Kind, "shape">): Settled {
  switch (seen.as) {
    case "present": {
      const fields = notKeptIn({ applied, answered: seen.fields }, shape);
      return fields.length === 0 ? { as: "there", seen } : { as: "different", seen, fields };
    }
    case "absent":
      return { as: "missing" };
    case "unread":
      return { as: "unknown", why: seen.diagnostic.message };
    case "recorded":
      return { as: "unknown", why: "the service offers no read of it" };
    default:
      return seen satisfies never;
  }
}

/**
 * The record of an object that was created but not finished. It counts as applied as it is, so that the next plan shows
 * the rest as an edit, not as a value that the service chose.
 */
export function recordAsFound(seen: Seen | null, applied: JsonObject, isProtected: boolean): StepRecord {
  const found = seen?.as === "present" ? seen : null;
  return {
    applied: found === null ? {} : ours(found.fields, Object.keys(applied)),
    answered: found?.fields ?? null,
    rewritten: [],
    ...madeAt(found),
    protected: isProtected,
  };
}

/**
 * The record of an object after a write with an unknown result, where nothing can be read back. It stays as it was.
 * The fields that the write changed are unknown, so that the next plan writes them again.
 */
export function recordDoubt(entry: Entry, applied: JsonObject, { shape }: Kind): StepRecord {
  const { rewritten, answered, protected: isProtected, unknown = [] } = entry;
  const before = recordedFields(entry);
  const sent = Object.keys(applied);
  const doubtful = unitsOf(shape)
    .filter((unit) => owns(sent, unit) && compare(before, applied, unit.shape).length > 0)
    .flatMap(({ members }) =>
      members.filter((member) => sent.includes(member) || Object.hasOwn(before, member)),
    );
  const all = [...new Set([...unknown, ...doubtful])].sort();
  const record = { applied: entry.applied, answered, rewritten, protected: isProtected };
  return all.length === 0 ? record : { ...record, unknown: all };
}
