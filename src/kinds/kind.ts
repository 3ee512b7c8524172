import type { Address } from "../model/address.js";
import type { Call, Segment } from "../model/call.js";
import { type Json, type JsonObject, same } from "../model/json.js";
import type { Key } from "../model/key.js";
import type { SpecShape, Target, ValueDiagnostic } from "../schema/shape.js";
import type { Interface } from "./interface.js";
import type { Inventory } from "./inventory.js";
import type { Named } from "./named.js";
import type { EntitlementRef, HolderRef } from "./people.js";
import type { Around } from "./spelling.js";

/** A write of one object. */
export type Verb = "create" | "update" | "set" | "delete";

/** An object as the service shows it: its key, and the normal form of what a manifest could say of it. */
export interface Observed {
  readonly key: Key;
  readonly fields: JsonObject;
  /** Who else manages it, where another object of the service does; it is then left alone. */
  readonly managedBy?: string;
  /** What it was made with, as far as the service shows it: create-only fields. */
  readonly madeWith?: JsonObject;
  /** Set where a connector makes it: then remit neither creates nor deletes such an object. */
  readonly isConnected?: true;
  /** Of what a connector makes, the fields that the connector writes: the others are settings, which people write. */
  readonly connectorWrites?: readonly string[];
  /** When the service made it, where it says so. */
  readonly createdAt?: string;
  /** When it was changed last, where the service says so; it does not say by whom. */
  readonly changedAt?: string;
  /** What the service itself says went wrong with it, in its words. */
  readonly trouble?: string;
  /** Set where it does nothing until a person switches it on: no call does. */
  readonly isOff?: true;
  /** What the service says of its parts beside their fields, by the part. */
  readonly partsSay?: Readonly<Record<string, string>>;
  /** The names of its members that are set and that `fields` leaves out, because no manifest can say anything of them. */
  readonly notCompared?: readonly string[];
  /** Parts that could not be read, and why: `fields` has them as recorded, or not at all. */
  readonly unreadParts?: Readonly<Record<string, string>>;
  /** Parts that were written and are not shown yet: `fields` has them as written. */
  readonly settling?: readonly string[];
}

/** One write, ready to be turned into calls; all values are normalised. */
export interface Work {
  readonly verb: Verb;
  /** Null for a create whose id the service chooses. */
  readonly key: Key | null;
  /** The manifest's identity and create-only fields, references resolved. */
  readonly identity: JsonObject;
  /** The whole desired object, including the halves that remit does not manage. */
  readonly after: JsonObject;
  /** The fields directly under `spec` that this write means to set. */
  readonly fields: readonly string[];
  /** The object as it was seen; null where it was not, or where there is none. */
  readonly before: JsonObject | null;
  /** Objects that a create of a ring cannot name yet: what names them is written once they stand. */
  readonly awaits?: readonly Address[];
}

/** A field that the service keeps behind reads of its own; an object is seen only when all its parts were. */
export type KindPart = ShownPart | AdditivePart | ListedPart;

/** A part that one read shows. */
export interface ShownPart {
  readonly as: "object" | "list";
  readonly field: string;
  /** What it is called in a sentence about an object: `the entries of the access profile`. */
  readonly noun: string;
  readonly call: (key: Key) => Call;
  /** What the reply shows of the field, or all rows of a list; undefined where that is not what was asked for. */
  readonly observe: (shown: Json) => Json | undefined;
  /** What the field is where the service has no such part; undefined where it always has. */
  readonly none: Json | undefined;
  /** What the reply says of the part beside the field: `RUNNING`; empty for nothing. */
  readonly says?: (shown: Json) => string;
}

/** A list that no read shows: one asks whether it has an item, so that only what is wanted or recorded is seen of it. */
export interface AdditivePart {
  readonly as: "items";
  readonly field: string;
  readonly noun: string;
  readonly call: (key: Key, item: JsonObject) => Call;
  /** Whether the reply shows the item. */
  readonly has: (shown: Json) => boolean;
}

/**
 * A part with lists of its own, which show a change late and which not all credentials may read. It is read where a
 * manifest or the state has it, or everything is wanted; where it cannot be read, the rest of the object still is.
 */
export interface ListedPart {
  readonly as: "lists";
  readonly field: string;
  readonly noun: string;
  readonly calls: (key: Key) => readonly Call[];
  /** The items that the rows of all lists show. */
  readonly observe: (rows: readonly Json[]) => readonly JsonObject[];
  /** The member of an item that a manifest may leave out, where all items that are known have the same. */
  readonly usual: string;
  /** What the service refuses of the items that a manifest writes. */
  readonly mistakes: (items: readonly Json[]) => readonly ValueDiagnostic[];
  /** Makes the items of one object those of another, one call for each. */
  readonly change: (key: readonly Segment[], before: JsonObject, after: JsonObject) => readonly Call[];
}

/** Why the service would refuse a write, and the field that the author has to change. */
export interface Objection {
  readonly field: string;
  readonly message: string;
  readonly hint: string;
}

/** What a write opens: the guard that asks about it, and what happens. */
export interface Opening {
  readonly code: string;
  readonly message: string;
}

/** The codes of what a plan says of the parts of an object. */
export type PartWarning = "plan/defaults-failed" | "plan/defaults-running" | "plan/no-usage-data";

/** What is known of an object whose write the service may refuse. */
export interface Refusable extends Pick<Observed, "isConnected"> {
  /** Null where only the service can choose it. */
  readonly key: Key | null;
}

/** How objects of a kind are read. */
export interface KindReads {
  /** The call that reads one object. */
  readonly one: (key: Key) => Call;
  /** The object is a list: that call is read to its end, and `observe` gets all rows. */
  readonly isList?: true;
  /** What that call's reply shows; undefined when the object is gone. */
  readonly observe: (body: Json, key: Key) => Observed | undefined;
  /** What those two leave out of an object. */
  readonly parts?: readonly KindPart[];
  /** How other objects say whether an object exists, without showing it. */
  readonly existsBy?: ExistsBy;
  /** The search that shows which parents have objects of some ids; an id of several parents is not one that a create made. */
  readonly parents?: {
    readonly of: (ids: readonly string[]) => Call;
    /** The same for all objects of some parents. */
    readonly within: (parents: readonly Key[]) => Call;
    readonly row: (row: Json) => Observed | undefined;
  };
  /** The list that holds an object among its siblings, and what one of its rows shows. */
  readonly list?: {
    readonly of: (key: Key) => Call;
    readonly row: (row: Json, key: Key) => Observed | undefined;
  };
}

/** A list, and a search by keys, of objects that say whether another one exists; null where a row does not say. */
export interface ExistsBy {
  /** A list of the object's app. */
  readonly list: Target;
  readonly says: (row: Named) => boolean | null;
  /** Shows what belongs to so many keys at most, wherever they are. */
  readonly search: {
    readonly most: number;
    readonly call: (keys: readonly Key[]) => Call;
    readonly row: (row: Json) => { readonly key: Key; readonly exists: boolean | null } | undefined;
  };
}

/** A search for objects of one sort that name an object. */
export interface DependentSearch {
  readonly of: Target;
  /** The kind of the manifests that write the references. */
  readonly by: string;
  readonly call: (key: Key) => Call;
  /** What stands around the record in a row. */
  readonly around: Around;
  /** Whether a record names the object; each does when absent. */
  readonly names?: (record: JsonObject, key: Key) => boolean;
}

/** What every app has and no search shows, and may name an object: it is read app by app. */
export interface DependentInApps {
  /** What it is called before its app: `the configuration rules`. */
  readonly noun: string;
  /** The kind of the manifests that write the references. */
  readonly by: string;
  readonly call: (app: string) => Call;
  readonly isList?: true;
  /** Whether a row of the list, or the one reply, names the object. */
  readonly names: (record: JsonObject, key: Key) => boolean;
}

/** What an object is called in a sentence: `template scope`, `template scopes`. */
export interface Noun {
  readonly one: string;
  readonly many: string;
}

/** How the vendor's Terraform provider keeps objects of a kind in its state. */
export interface TerraformResource {
  /** As in a configuration: `conductorone_app_resource_type`. */
  readonly type: string;
  /** Other types that keep such objects by the same attributes. */
  readonly or?: readonly string[];
  /** The attributes that hold the parts of the key, in order. */
  readonly key: readonly string[];
  /** The attributes of what no read of the service shows, by field: enums and lists of ids. */
  readonly unseen?: Readonly<Record<string, string>>;
}

/** The roles that write objects of a kind, as the vendor's documentation names them. */
export interface Writers {
  readonly every: readonly string[];
  /** Those that write only the objects that they own. */
  readonly own: readonly string[];
}

/** What one kind of resource is: plain data and pure functions, no I/O, no clock. */
export interface Kind {
  /** As in `kind:` of a manifest. */
  readonly name: string;
  readonly noun: Noun;
  /** The JSON Schema of a whole manifest, `spec` among its definitions. */
  readonly schema: JsonObject;
  readonly shape: SpecShape;
  /** What each interface can write. */
  readonly verbs: Readonly<Record<Interface, readonly Verb[]>>;
  /** Whether an id points at the object itself: one that points at an automation's entitlement needs no automation. */
  readonly isPointedAt: boolean;
  /** Whether an update sends only the fields that it means to set; else it replaces the whole object. */
  readonly isMasked: boolean;
  /** Whether deleting an object deletes what the service keeps under it. */
  readonly holdsOthers: boolean;
  /** Whether `--prune` deletes such an object that a setting names; any other needs an entry under `removed:`. */
  readonly isPrunedByName?: true;
  /** Only an entry under `removed:` deletes such an object. */
  readonly isDeletedByEntry?: true;
  /** The searches for objects that name one: it is deleted only once there are none. */
  readonly dependents?: readonly DependentSearch[];
  readonly dependentsInApps?: readonly DependentInApps[];
  /** The server's name of a resolved spec; null while only the service can choose it. */
  readonly key: (spec: JsonObject) => Key | null;
  /** For a spec without a key: whether an observed object is the one it means. */
  readonly matches?: (spec: JsonObject, observed: Observed) => boolean;
  /** Names repeat in the service, so that what fits a spec is not yet the object that is meant: a manifest names its id. */
  readonly namesRepeat?: true;
  /** An object of another kind with the same key is a part of this one, and has no manifest of its own. */
  readonly holds?: { readonly kind: string; readonly noun: string };
  /** The member of a record that says whether a person switched the object on: no call does, and it is made switched off. */
  readonly switchedOnAs?: string;
  /** The fields that a create does not take: a second call sets them. */
  readonly followsCreate?: readonly string[];
  /** What a create writes where it is in a ring of objects that name each other; absent where none is certain to open nothing. */
  readonly meanwhile?: Meanwhile;
  /** Why the service would refuse to make an object of what it was; null where it would not. `before` is null for a create. */
  readonly refuses?: (before: JsonObject | null, after: JsonObject, seen: Refusable) => Objection | null;
  /** What a write opens, or takes from people, that only a person decides; `before` is null where nothing was seen. */
  readonly opens?: (before: JsonObject | null, after: JsonObject) => readonly Opening[];
  /** What the service writes into other objects by itself, because of such an object. */
  readonly rewrites?: Rewrites;
  /** What a reader of a plan has to know of what the service says of the parts of an object that is, or would be, so. */
  readonly warns?: (
    partsSay: NonNullable<Observed["partsSay"]>,
    fields: JsonObject,
  ) => readonly PartWarning[];
  /** What is wrong with a spec as it is written that no schema can say: what the service would refuse, or silently drop. */
  readonly mistakes?: (spec: JsonObject) => readonly ValueDiagnostic[];
  /**
   * It has ordered `rules`. The first one in force decides whose condition holds: by steps of the object or by another policy, or
   * by settings of the rule that name policies.
   */
  readonly firstRule?:
    | { readonly by: "steps" }
    | { readonly by: "settings"; readonly names: readonly string[] };
  /** Whether the service lets several objects of that spec be in one parent; it refuses to create a second one otherwise. */
  readonly mayRepeat?: (spec: JsonObject) => boolean;
  /** Whether the service takes such objects only in the tenant's own app. */
  readonly isOwnAppOnly?: true;
  /** Whether the service itself makes such an object in every parent, so that remit never created it. */
  readonly isBuiltIn?: (observed: Observed) => boolean;
  /** The id of the resource that an object is, or is of; empty where it is of none. */
  readonly resourceOf?: (observed: Observed) => string;
  readonly reads: KindReads;
  /** What a change of an object means for people. */
  readonly concern: Concern;
  /** How all objects of the kind in a tenant are found. */
  readonly inventory: Inventory;
  /** Absent where the documentation names no role. */
  readonly writers?: Writers;
  /** Absent where the provider has no resource for the kind. */
  readonly terraform?: TerraformResource;
  /** The calls of a write, in order. */
  readonly calls: (work: Work) => readonly Call[];
  /** What the replies to those calls show; undefined when they cannot tell and a read is needed. */
  readonly answer: (work: Work, replies: readonly Json[]) => Observed | undefined;
}

/** What the service writes by itself into the objects of an app, once an object with these fields is written. */
export interface Rewrites {
  /** The kind of what it writes into. */
  readonly kind: string;
  readonly fields: readonly string[];
  /** The field that keeps an object from it. */
  readonly lock: string;
  /** The field of what makes the service do it, and whether it is doing so now by what it says of its parts. */
  readonly field: string;
  readonly isRunning: (partsSay: NonNullable<Observed["partsSay"]>) => boolean;
  /** The search for what it writes into, locked or not, and what stands around a record of it. */
  readonly reached: (key: Key, types: readonly string[]) => Call;
  readonly around: Around;
  /** What it writes into those objects, in their fields. */
  readonly gives: (fields: JsonObject) => JsonObject;
  /** The resource types in whose objects it writes; none where it writes nothing. */
  readonly types: (fields: JsonObject) => readonly string[];
}

/** What a change of an object of a kind means for people. */
export type Concern =
  /** Its rule decides who gets an entitlement. */
  | {
      readonly as: "members";
      readonly entitlement: (key: Key) => EntitlementRef;
      /** The part of an object that the rule is. */
      readonly rule: (object: JsonObject) => JsonObject;
    }
  /** Its scope decides whose access is reviewed. */
  | {
      readonly as: "audience";
      readonly scope: (object: JsonObject) => JsonObject;
      /** What is reviewed. */
      readonly entitlements: (object: JsonObject) => readonly EntitlementRef[];
      /** The template that campaigns with this scope are cut from. */
      readonly template: (key: Key) => string;
    }
  /** It enrolls people by a rule, gives them what it offers, and decides who may request that. A delete takes the enrollment with it. */
  | {
      readonly as: "profile";
      readonly of: (key: Key) => HolderRef;
      readonly entitlement: (key: Key) => EntitlementRef;
      /** The rule that enrolls people; null where none runs. */
      readonly rule: (object: JsonObject) => JsonObject | null;
      /** Whether whom the rule matches is enrolled for certain. */
      readonly enrollsAtOnce: (object: JsonObject) => boolean;
      /** What those who are enrolled get. */
      readonly entries: (object: JsonObject) => Json;
      /** What decides who may request it; null where no one may. */
      readonly requestable: (object: JsonObject) => Json;
    }
  /** A delete of it takes other objects, and grants, with it. */
  | { readonly as: "holdings"; readonly of: (key: Key) => HolderRef }
  /** It forbids to hold something of two groups. */
  | { readonly as: "conflict"; readonly groups: (object: JsonObject) => ConflictGroups }
  | { readonly as: "nothing" };

/** What a conflict forbids, as its manifest describes it: both groups, or the first without the second. */
export interface ConflictGroups {
  readonly groupA: readonly EntitlementRef[];
  readonly groupB: readonly EntitlementRef[];
  readonly isNegated: boolean;
}

/** What a create of a ring writes before it may name the others. It gives no one more than the whole object does. */
type Meanwhile =
  /** Without these fields, whose absence gives no one access. */
  | { readonly as: "without"; readonly fields: readonly string[] }
  /** With these fields alone of what decides, which refuse all. */
  | {
      readonly as: "refusing";
      readonly fields: readonly string[];
      readonly with: (identity: JsonObject) => JsonObject;
    };

/** An object as a create of a ring leaves it. */
export function meanwhileOf(meanwhile: Meanwhile, identity: JsonObject, whole: JsonObject): JsonObject {
  const kept = Object.entries(whole).filter(([name]) => !meanwhile.fields.includes(name));
  const put: Readonly<Record<string, Json>> = meanwhile.as === "refusing" ? meanwhile.with(identity) : {};
  return { ...Object.fromEntries(kept), ...put };
}

/** The fields that the last write of a ring sets. */
export function writtenLast(first: JsonObject, whole: JsonObject): readonly string[] {
  const names = [...new Set([...Object.keys(whole), ...Object.keys(first)])];
  return names.filter((name) => !same(first[name] ?? null, whole[name] ?? null));
}
