import type { Change } from "../../diff/change.js";
import { divideKept, placeOf, type Recorded } from "../../diff/kept.js";
import { ours } from "../../diff/own.js";
import type { Kind } from "../../kinds/kind.js";
import { isObject, type Json, type JsonObject, same } from "../../model/json.js";
import { formatPath } from "../../model/path.js";
import type { SpecShape } from "../../schema/shape.js";
import type { Entry, Uncertain } from "../../state/snapshot.js";
import type { Deed, Step } from "../step.js";

/** What the state records of a step that is done. */
export type StepRecord = Omit<Entry, "address" | "key" | "at">;

/**
 * What a done step leaves in the state: the managed fields as sent, and the whole object as the service answered. An adopted
 * object answered what it was before; null stands for a service that showed nothing.
 */
export function recordOf(
  step: Step,
  answered: JsonObject | null,
  { shape }: Pick<Kind, "shape">,
): StepRecord {
  const { after } = step;
  const { owned } = step.managed;
  const sent = after ?? {};
  const applied = ours(sent, owned);
  return {
    applied,
    answered: answered === null ? null : sharing(answered, sent),
    rewritten: rewrittenIn({ applied, answered }, shape),
    protected: step.managed.protected,
  };
}

/**
 * What an adoption leaves in the state. One that only records drift keeps what was applied and answered, so that the
 * next plan still shows the drift, and as drift.
 */
export function recordOfAdopted(step: Step, entry: Entry | null, kind: Pick<Kind, "shape">): StepRecord {
  const { changes, before } = step;
  const isDrift = changes.length > 0 && changes.every(({ cause }) => cause === "drifted");
  if (!isDrift || entry === null || before === null) return recordOf(step, before, kind);
  const { address: _, key: __, at: ___, createOnly: ____, labels: _____, ...known } = entry;
  return { ...known, drift: before };
}

/** When the service made an object that was seen, as its record keeps it. */
export function madeAt(seen: { readonly createdAt?: string } | null): Pick<StepRecord, "createdAt"> {
  return seen?.createdAt === undefined ? {} : { createdAt: seen.createdAt };
}

/** What the state keeps of the fields that only a create can set; nothing where the write was not a create. */
export function createdWith(
  { deed, identity }: Pick<Step["managed"], "identity"> & { readonly deed: Deed },
  { shape }: Pick<Kind, "shape">,
): Pick<StepRecord, "createOnly"> {
  const sent = shape.createOnly.filter((name) => Object.hasOwn(identity, name));
  if (deed !== "create" || sent.length === 0) return {};
  return { createOnly: Object.fromEntries(sent.map((name) => [name, identity[name] ?? null])) };
}

/** The record of a create whose result is not known: what it was to set. */
export function recordOfSent(
  create: Parameters<typeof createdWith>[0] & Pick<StepRecord, "applied" | "protected">,
  kind: Pick<Kind, "shape">,
): StepRecord {
  const { applied, protected: isProtected } = create;
  return { applied, answered: null, rewritten: [], protected: isProtected, ...createdWith(create, kind) };
}

/** The fields that the service spells otherwise than remit sent them, as formatted paths. */
export function rewrittenIn({ applied, answered }: Recorded, shape: SpecShape): readonly string[] {
  return answered === null ? [] : placesOf(divideKept(applied, answered, Object.keys(applied), shape).spells);
}

/** The fields that the service keeps with another value than remit sent, as formatted paths. */
export function notKeptIn({ applied, answered }: Recorded, shape: SpecShape): readonly string[] {
  return answered === null
    ? []
    : placesOf(divideKept(applied, answered, Object.keys(applied), shape).differs);
}

function placesOf(changes: readonly Change[]): readonly string[] {
  return [...new Set(changes.map((change) => formatPath(placeOf(change))))];
}

/**
 * The create of unknown result that made the object of a step: where names repeat, what was found without an id in the
 * manifest is what it made. Null where there is none, or where a person chose the object.
 */
export function ownCreate(
  {
    entry,
    uncertain,
    kind,
  }: { readonly entry: Entry | null; readonly uncertain: Uncertain | null; readonly kind: Kind },
  step: Pick<Step, "managed">,
): Uncertain | null {
  const isFound = kind.namesRepeat === true && entry === null && kind.key(step.managed.identity) === null;
  return isFound ? uncertain : null;
}

/** The same value, made of the parts of another one wherever those are equal: what is known twice is kept once. */
export function sharing<T extends Json>(value: T, other: Json | undefined): T {
  if (typeof value !== "object" || value === null || typeof other !== "object" || other === null)
    return value;
  if (same(value, other)) return other as T;
  if (Array.isArray(value) || !isObject(other)) return value;
  const members = Object.entries(value as JsonObject).map(
    ([name, member]) =>
      [name, sharing(member, Object.hasOwn(other, name) ? other[name] : undefined)] as const,
  );
  return Object.fromEntries(members) as T;
}
