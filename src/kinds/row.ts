import type { Call, Segment } from "../model/call.js";
import type { Json, JsonObject } from "../model/json.js";
import type { Key } from "../model/key.js";
import type { SpecShape } from "../schema/shape.js";
import type { Gap, Trail } from "./inventory.js";
import type { AdditivePart, Concern, ExistsBy, Kind, ListedPart, Observed, ShownPart } from "./kind.js";
import type { Around } from "./spelling.js";

/** A kind as a row of a table: where its objects are, what stands around them, and what may be written. */
export interface KindRow
  extends Pick<
    Kind,
    | "name"
    | "schema"
    | "holds"
    | "isOwnAppOnly"
    | "isPrunedByName"
    | "isDeletedByEntry"
    | "dependents"
    | "dependentsInApps"
    | "meanwhile"
    | "rewrites"
    | "switchedOnAs"
    | "writers"
    | "terraform"
  > {
  readonly noun: readonly [one: string, many: string];

  // Calls.
  /**
   * The place of an object; the parts of its key stand in braces. Where the last part is one, objects are made and listed
   * in front of it; else the place has one object at most.
   */
  readonly at: string;
  /** Where a create and an update are sent, where that is another place. */
  readonly createAt?: string;
  readonly updateAt?: string;
  /** What stands around a record in replies. A reply to a write is as one to a read where the row says nothing else. */
  readonly replies: {
    readonly read: Around;
    readonly created?: Around;
    readonly updated?: Around;
    /** In a row of the list; absent where the service has no list. */
    readonly row?: Around;
  };
  /** The list of every object, where it is not the one in front of an object's place. */
  readonly listed?: () => Call;
  /** What stands around the fields in the bodies of writes. */
  readonly sends: { readonly create?: Around; readonly update: Around };
  /** An object is the whole list at its place. */
  readonly isList?: true;
  /** A write sends the whole object, and no mask. */
  readonly isWhole?: true;
  /** What each interface writes; without it, the full one creates, updates and deletes, and the core nothing. */
  readonly verbs?: Kind["verbs"];

  // Fields.
  /** What a write sends for a cleared field, where the field's shape does not say it. */
  readonly cleared?: JsonObject;
  /** What updates and reads call a field that a manifest and a create call otherwise. */
  readonly renamed?: Readonly<Record<string, string>>;
  /** What a create calls a field that only a create takes. */
  readonly createOnly?: Readonly<Record<string, string>>;
  /** Fields that only a create takes and that reads show. */
  readonly madeWith?: readonly string[];
  /** What every create says. */
  readonly created?: JsonObject;
  /** Fields that a create does not take: an update of what was just made sets them. */
  readonly afterCreate?: readonly string[];
  /** For a field: the marker that every update has in its place where it is not set. */
  readonly oneOf?: Readonly<Record<string, string>>;
  /** Fields that an update has beside the object, too. */
  readonly beside?: readonly string[];
  /** Fields that the service keeps behind calls of their own. */
  readonly parts?: readonly PartRow[];
  /** Members of a record that are compared as a part. */
  readonly ofParts?: readonly string[];

  // Marks.
  /** The members of a record that people made; a connector makes every other object. */
  readonly madeByPeople?: JsonObject;
  /** The fields that a connector writes in what it makes, but for those that a member of the record names as edited. */
  readonly connectorWrites?: { readonly fields: readonly string[]; readonly butFor?: string };
  /** The fields of the object that every parent has from its first moment. */
  readonly builtIn?: JsonObject;
  /** No two objects of one parent have the same name. */
  readonly isNamedOnce?: true;

  // How all are found.
  /** Every list that shows such objects: what it has other than the kind's own list of the tenant. */
  readonly found: readonly Partial<Trail>[];
  readonly gaps?: readonly Gap[];
  /** The search for objects of all parents, and its filters by ids and by parents, where objects of several parents share one. */
  readonly parents?: { readonly search: string; readonly by: string; readonly within: string };
  /** How other objects say whether an object exists. */
  readonly existsBy?: ExistsBy;

  // What a change means for people.
  /** What a delete takes along: everything in the app, all resources of the type, all entitlements of the resource, or what the entitlement gives. */
  readonly takesAlong?: "app" | "type" | "resource" | "entitlement";
  /** What else a change means. */
  readonly concern?: Concern;

  /** What no column says. */
  readonly also?: Also;
}

interface Also
  extends Partial<
    Pick<
      Kind,
      | "firstRule"
      | "isBuiltIn"
      | "matches"
      | "mayRepeat"
      | "mistakes"
      | "opens"
      | "refuses"
      | "resourceOf"
      | "warns"
    >
  > {
  /** The fields of a record as a manifest writes them. */
  readonly shown?: (fields: JsonObject) => JsonObject;
  /** Fields as the service takes them. */
  readonly sent?: (fields: JsonObject) => JsonObject;
  /** What a record says beside its fields. */
  readonly says?: (record: JsonObject) => Partial<Observed>;
  /** What a reply shows, where a record in an envelope is not all of it. */
  readonly observe?: (body: Json, key: Key, shape: SpecShape) => Observed | undefined;
  /** The calls of a change, where their order matters. */
  readonly change?: (work: KeyedWork, update: Update, shape: SpecShape) => readonly Call[];
}

/** A field behind calls of its own. */
export type PartRow = ShownPartRow | AdditivePart | ListedPart;

/** A part that one read shows; where the service has none of it, the field is `none`. */
interface ShownPartRow extends Pick<ShownPart, "as" | "field" | "noun" | "observe" | "says"> {
  /** What its read is called. */
  readonly operation: string;
  readonly at: string;
  readonly expects: readonly string[];
  readonly none?: Json;
}

/** A change whose place is known: the id of an object that is just made is in a reply. */
export interface KeyedWork {
  readonly key: readonly Segment[];
  readonly identity: JsonObject;
  readonly before: JsonObject;
  readonly after: JsonObject;
  readonly fields: readonly string[];
}

/** The call that sets some of an object's own fields. */
export type Update = (change: Omit<KeyedWork, "before">) => Call;
