import { compare } from "../diff/compare.js";
import { recordedFields } from "../diff/kept.js";
import { ours, owns, unitsOf } from "../diff/own.js";
import type { Kind } from "../kinds/kind.js";
import { moreItems } from "../kinds/normalise.js";
import type { Diagnostic } from "../model/diagnostic.js";
import type { JsonObject } from "../model/json.js";
import type { Key } from "../model/key.js";
import { madeAt, notKeptIn, type StepRecord } from "../plan/record/record.js";
import type { Entry } from "../state/snapshot.js";
import type { Present, Seen } from "../tenant/known.js";
import type { Outcome } from "./event.js";
import { withWritten } from "./lateParts.js";

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
 * the rest as an edit, not as a value that the service chose. Of one that was not seen, only items that no list shows do.
 */
export function recordAsFound(
  seen: Seen | null,
  applied: JsonObject,
  { kind, isProtected }: { readonly kind: Kind; readonly isProtected: boolean },
): StepRecord {
  const found = seen?.as === "present" ? seen : null;
  return {
    applied: found === null ? moreItems({}, applied, kind) : ours(found.fields, Object.keys(applied)),
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

/**
 * The record with the items that an unfinished write added, or may have added, and with what it wrote of parts that the
 * service shows late. What it added is remit's, too, or no later plan would look for it. Of an object that the state does
 * not have, it has these alone. Null where there is neither.
 */
export function withAddedItems(
  { applied: sent, seen, written, at }: Sent,
  entry: Entry | undefined,
  { kind, isProtected }: { readonly kind: Kind; readonly isProtected: boolean },
): StepRecord | null {
  const found = seen?.as === "present" ? seen.fields : null;
  const items = moreItems(entry?.applied ?? {}, found ?? sent, kind);
  if (Object.keys({ ...items, ...written }).length === 0) return null;
  if (entry === undefined)
    return withWritten(
      { applied: items, answered: found, rewritten: [], protected: isProtected },
      written,
      at,
    );
  const { address: _, key: __, at: ___, ...record } = entry;
  return withWritten({ ...record, applied: { ...record.applied, ...items } }, written, at);
}

/** What an unfinished write sent, what was seen after it, and what it wrote of parts that the service shows late, and when. */
interface Sent {
  readonly applied: JsonObject;
  readonly seen: Seen | null;
  readonly written: JsonObject;
  readonly at: number;
}

/** How a step ended, and what the state records of it. */
export interface StepResult {
  readonly outcome: Outcome;
  readonly key: Key | null;
  readonly record: StepRecord | null;
  /** How the service showed that the object of a create that was not made exists; absent where it did not. */
  readonly existing?: string;
  /** The tenant was already as the step wants, so nothing of it was written; absent where it was written. */
  readonly alreadySo?: true;
  /** Of an uncertain create: not after it was sent, by the service's clock, RFC 3339. */
  readonly since?: string;
  readonly diagnostics: readonly Diagnostic[];
}

/** What a reply that is not the documented one shows of an object, and the fields that it leaves out as they were sent. */
export function partlyShown(shown: JsonObject, sent: JsonObject, { shape }: Kind): JsonObject {
  const members = unitsOf(shape).flatMap((unit) => {
    const source = unit.members.some((member) => Object.hasOwn(shown, member)) ? shown : sent;
    return unit.members.flatMap((member) => {
      const value = source[member];
      return value === undefined ? [] : [[member, value] as const];
    });
  });
  return Object.fromEntries(members);
}
