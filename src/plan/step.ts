import type { Cause, Change } from "../diff/change.js";
import type { Address } from "../model/address.js";
import type { Call } from "../model/call.js";
import type { Diagnostic, Span } from "../model/diagnostic.js";
import type { JsonObject } from "../model/json.js";
import type { Key } from "../model/key.js";
import type { Meanings } from "../model/meaning.js";
import type { MovedName } from "../tenant/names/movedName.js";
import type { WhyUnseen } from "./decide/whyUnseen.js";
import type { Labels, OtherLabels } from "./select/labels.js";

/** What is done about one resource. */
export type Action =
  | "create"
  | "update"
  | "set"
  /** Another object takes the address of the old one, which is never deleted by it and has a step of its own. */
  | "replace"
  | "adopt"
  | "delete"
  | "forget"
  /** Undecided: the manifest left the project, and the object stays in the state and in the tenant. */
  | "removed"
  | "keep"
  | "blocked";

/** Why: a closed list; each is explained to a reader in one place, `report/describe`. */
export type Reason =
  | "not in tenant"
  | "never applied"
  | "differs"
  | "in sync"
  | "settling"
  | "already as wanted"
  | "drift accepted"
  | "renamed"
  | "managed again"
  | "names recorded"
  | "reference moved"
  | "given back"
  | "protection changed"
  | "manifest removed"
  | "replaced"
  | "gone from tenant"
  | "managed elsewhere"
  | "current unknown"
  | "may exist"
  | "parent missing"
  | "cannot create"
  | "create-only field edited"
  | "refused by the service"
  | "cannot delete"
  | "still needed"
  | "changed since removal"
  | "read failed"
  | "reference not found"
  | "outcome uncertain"
  | "need blocked"
  | "drift only";

/**
 * Whether the object is in the tenant, as far as the plan knows: as read, or as recorded where the service has no read.
 * `not read` is an object that the service could show, and that could not be read or looked up.
 */
export type Existence = "yes" | "no" | "unknown" | "not read";

/** That the change a plan is about edited a field, and by which commit: null where that is not known. */
export interface Edit {
  readonly commit: string | null;
  readonly author: string | null;
}

/** One changed field: where it was written, and who moved. */
export interface FieldChange {
  readonly change: Change;
  readonly cause: Cause;
  readonly span: Span | null;
  /** Null where the change that the plan is about did not edit it, or the plan is about no change. */
  readonly edit: Edit | null;
}

/** The object that had the address of a step before, and what is done to the new one. */
export interface Replacement {
  /** The old object's key. */
  readonly key: Key;
  readonly by: "create" | "update" | "set" | "adopt";
}

/** Whether the tenant changed an object since the last apply, or deleted it. */
export function isDrifted({
  changes,
  recorded: { driftedFrom },
  reason,
}: Pick<Step, "changes" | "recorded" | "reason">): boolean {
  const isMoved = changes.some(({ cause }) => cause === "drifted" || cause === "both");
  return isMoved || driftedFrom !== null || reason === "gone from tenant";
}

/** What the plan saw of the object. */
interface StepSight {
  /** Other code decides by this and by the action, never by the reason. */
  readonly exists: Existence;
  /** Why the object of a write was not seen; null where it was, or where nothing is written. */
  readonly unseen: WhyUnseen | null;
  /** SHA-256 of the object the step was decided on; null where nothing could be seen, and where it does nothing. */
  readonly fingerprint: string | null;
}

/** What the state said of the object, where the step leaves something else. */
interface StepMemory {
  /** The address it was last applied by, where that is another one; else null. */
  readonly renamedFrom: Address | null;
  /**
   * The object before the tenant changed what the step takes over: these fields have the values of the last apply. Guards
   * and people are asked about that change, too. A delete of an object that was made anew with these values has them
   * unchanged. Null where it takes over nothing.
   */
  readonly driftedFrom: JsonObject | null;
  /** The names that meant another object at the last apply. */
  readonly moved: readonly MovedName[];
  /** Fields that remit managed and now leaves as they are. */
  readonly givenBack: readonly string[];
  /** SHA-256 of all that it said; null where it said nothing, and where the step does nothing. */
  readonly record: string | null;
}

/** What remit manages of the object, and where that is written: as its manifest says, or the state where it has none. */
interface StepManaged {
  /** Where the manifest stands; null when there is none. */
  readonly span: Span | null;
  /** The labels of its manifest; null where it has none. */
  readonly labels: Labels | null;
  /** Its labels elsewhere, where they are not those of its manifest, or it has none. */
  readonly otherLabels: readonly OtherLabels[];
  /** Where the manifest writes fields that only a create can set, by their names. */
  readonly createOnlySpans: Readonly<Record<string, Span>>;
  /** Identity and create-only fields, resolved. */
  readonly identity: JsonObject;
  /** The fields directly under `spec` that remit manages. */
  readonly owned: readonly string[];
  /** What the names in the manifest mean, as the state records it. */
  readonly meanings: Meanings;
  readonly protected: boolean;
}

/** What is named by its identity. */
export interface OfIdentity {
  readonly managed: Pick<StepManaged, "identity">;
}

/** One resource's part of a plan, read both by the reviewer's row and by the POST. */
export interface Step {
  readonly address: Address;
  /** Null for a create whose id the service chooses. */
  readonly key: Key | null;
  readonly action: Action;
  readonly reason: Reason;
  readonly sight: StepSight;
  readonly recorded: StepMemory;
  /** What a replacement replaces; null for every other action. */
  readonly replaces: Replacement | null;
  readonly managed: StepManaged;
  /** From the current to the desired value; in a plan of drift alone, from the recorded to the current value. */
  readonly changes: readonly FieldChange[];
  /** The object now, normalised; null when absent, unknown, or kept as it is. */
  readonly before: JsonObject | null;
  /** The object afterwards; null when it will not be there, or nothing is done. */
  readonly after: JsonObject | null;
  /** The user of the credentials, where a call removes them from a list of the object; it is the last one. */
  readonly caller?: string;
  /** Every call the step will make, in order. */
  readonly calls: readonly Call[];
  /** Steps that must be done before: what it points at comes to be, or goes, only by them. */
  readonly needs: readonly Address[];
  /** Steps that go first, however they end. */
  readonly follows: readonly Address[];
  /** What a reader should know: warnings of this step alone. */
  readonly diagnostics: readonly Diagnostic[];
  /** What explains it. */
  readonly remarks: readonly Remark[];
}

/** What is done to one object. */
export type Deed = Exclude<Action, "replace">;

/** What a step does to the object at its key: of a replacement, what it does to the new object. */
export function deedOf({ action, replaces }: Pick<Step, "action" | "replaces">): Deed {
  // A plan with a replacement that replaces nothing is refused when it is read.
  return action === "replace" ? (replaces?.by ?? "blocked") : action;
}

/**
 * Whether the state has the object of a step and the tenant has it no longer: it was deleted since the last apply. The
 * step makes it again, cannot make it, or only says so.
 */
export function wasDeleted({ action, reason, sight, recorded }: Step): boolean {
  if (action === "forget" || sight.exists !== "no") return false;
  return reason === "gone from tenant" || (action === "blocked" && recorded.record !== null);
}

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
