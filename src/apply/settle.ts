import type { Seen } from "../current/world.js";
import { compare } from "../diff/compare.js";
import { keptOtherwise } from "../diff/kept.js";
import { ours, owns, unitsOf } from "../diff/own.js";
import { recordedFields } from "../diff/recorded.js";
import type { Kind } from "../kinds/kind.js";
import type { JsonObject } from "../model/json.js";
import type { StepRecord } from "../plan/record.js";
import type { Entry } from "../state/snapshot.js";

/** What reading tells of a write whose reply was lost. */
export type Settled =
  /** There, and as wanted. */
  | { readonly as: "there"; readonly seen: Present }
  /** There, and otherwise than wanted. */
  | { readonly as: "different"; readonly seen: Present; readonly fields: JsonObject }
  | { readonly as: "missing" }
  /** Nothing can be read. */
  | { readonly as: "unknown"; readonly why: string };

/** An object that is there. */
export type Present = Extract<Seen, { readonly as: "present" }>;

/** Judges by what is there now whether a write took effect; `applied` is what it meant to set. */
export function settle(applied: JsonObject, seen: Seen, { shape }: Kind): Settled {
  switch (seen.as) {
    case "present": {
      const owned = Object.keys(applied);
      const isAsWanted = keptOtherwise(applied, seen.fields, owned, shape).length === 0;
      return isAsWanted ? { as: "there", seen } : { as: "different", seen, fields: ours(seen.fields, owned) };
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
  const found = seen?.as === "present" ? seen.fields : null;
  return {
    applied: found === null ? {} : ours(found, Object.keys(applied)),
    answered: found,
    rewritten: [],
    protected: isProtected,
  };
}

/**
 * What stays certain of a recorded object after a write with an unknown result that cannot be read back: the fields
 * that the write did not change. The rest counts as never applied, so that the next plan writes it.
 */
export function recordCertain(entry: Entry, applied: JsonObject, { shape }: Kind): StepRecord {
  const before = recordedFields(entry);
  const sent = Object.keys(applied);
  const doubtful = unitsOf(shape)
    .filter((unit) => owns(sent, unit) && compare(before, applied, unit.shape).length > 0)
    .flatMap(({ members }) => members);
  const { rewritten, answered, protected: isProtected } = entry;
  if (doubtful.length === 0) return { applied: entry.applied, answered, rewritten, protected: isProtected };
  const certain = Object.entries(entry.applied).filter(([name]) => !doubtful.includes(name));
  return { applied: Object.fromEntries(certain), answered: null, rewritten: [], protected: isProtected };
}
