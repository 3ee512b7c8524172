import type { FoundInterfaces } from "../kinds/interface.js";
import type { Observed } from "../kinds/kind.js";
import type { Resource } from "../manifest/resource.js";
import type { Diagnostic } from "../model/diagnostic.js";
import type { JsonObject } from "../model/json.js";
import type { Key } from "../model/key.js";
import type { Meanings } from "../model/meaning.js";
import type { DependentsSeen } from "./dependents.js";

/** A resource whose names were turned into ids and whose fields are normalised. */
export interface Desired {
  readonly resource: Resource;
  /** Null while only the service can choose it. */
  readonly key: Key | null;
  /** Identity and create-only fields, resolved. */
  readonly identity: JsonObject;
  /** The fields directly under `spec` that the manifest writes, a group's members by the one written. */
  readonly owned: readonly string[];
  /** Those fields, normalised. */
  readonly fields: JsonObject;
  /** What the names in the manifest mean. */
  readonly meanings: Meanings;
  /** What is doubtful about them. */
  readonly warnings: readonly Diagnostic[];
}

/** What is known of one object now. */
export type Seen =
  /** `twins` are other objects that fit the manifest as well, where it has no id. */
  | (Observed & { readonly as: "present"; readonly twins?: readonly Observed[] })
  /** `beside` are the objects that may be meant by a manifest without an id, under other names. */
  | { readonly as: "absent"; readonly beside?: readonly Observed[] }
  /** The service offers no read: what the state says, or nothing. */
  | { readonly as: "recorded"; readonly fields: JsonObject | null }
  /** The service offers a read, and it failed or does not decide. `namesakes` fit a manifest whose id only the service knows. */
  | {
      readonly as: "unread";
      readonly diagnostic: Diagnostic;
      readonly namesakes?: readonly Observed[];
    };

/** The members of a kind's objects that were seen and are not compared, and how many objects have one. */
export interface NotCompared {
  readonly kind: string;
  readonly objects: number;
  readonly members: readonly string[];
}

/** Display names by what they are of: `app:ID`, `entitlement:APP/ID`, `resourceType:APP/ID`. */
export interface ShownNames {
  get(reference: string): string | undefined;
}

/** What could be learnt of the tenant for one plan. */
export interface Current {
  /** Per kind name: what its current state was taken from. */
  readonly from: FoundInterfaces;
  /** By `formatKey(kind, key)`; by `formatAddress` for a resource without a key. */
  readonly objects: ReadonlyMap<string, Seen>;
  /** By `formatKey(kind, key)`: objects that a list shows to exist, without showing them. */
  readonly shown: ReadonlySet<string>;
  /** By `formatKey(kind, key)`: what names objects that a plan may delete. */
  readonly dependents: ReadonlyMap<string, DependentsSeen>;
  /** By `formatAddress`: how many objects the service writes into by itself, once a change is applied; null where not known. */
  readonly rewritten: ReadonlyMap<string, number | null>;
  /** The policies of the tenant by their ids, where their list was read anyway; null where it was not. */
  readonly policies: ReadonlyMap<string, Observed> | null;
  /** The user of the credentials, where the plan may remove people from a list; null where it removes none, and where that is not known. */
  readonly caller: string | null;
  readonly names: ShownNames;
  readonly notCompared: readonly NotCompared[];
  /** Logical calls made, per kind or look-up. */
  readonly calls: Readonly<Record<string, number>>;
  /** Optional reads that failed: what they would have shown, and what was answered. */
  readonly unknown: readonly { readonly what: string; readonly why: string }[];
}

/** The calls of two looks together. */
export function sumOf(one: Current["calls"], other: Current["calls"]): Current["calls"] {
  const sums = Object.entries(other).map(([what, count]) => [what, (one[what] ?? 0) + count]);
  return { ...one, ...Object.fromEntries(sums) };
}

/** The number of calls for all things together. */
export function totalOf(calls: Current["calls"]): number {
  return Object.values(calls).reduce((sum, count) => sum + count, 0);
}

/** An object that was read. */
export type Present = Extract<Seen, { readonly as: "present" }>;
