import type { Call } from "../model/call.js";
import type { Json } from "../model/json.js";
import type { Key } from "../model/key.js";
import type { Interface } from "./interface.js";

/** How all objects of a kind in a tenant are found, and which ones cannot be. */
export interface Inventory {
  /** Every list that shows such objects. One object may be in several lists. */
  readonly trails: readonly Trail[];
  /** What no list shows; empty only where the lists together are complete. */
  readonly gaps: readonly Gap[];
}

/** One list to follow: the call, and the keys of the objects that a row shows. */
export interface Trail {
  /** What is listed, for a sentence: `campaigns`. */
  readonly noun: string;
  /** One list for the tenant, or one for each of its apps. */
  readonly per: "tenant" | "app";
  /** Where only one app has such objects: that app among the rows of the list of apps; null where that is not sure. */
  readonly ofOne?: (apps: readonly Json[]) => string | null;
  /** The object that the service made for an app, as the app's own row names it; else empty. */
  readonly madeForApp?: (app: Json) => string;
  /** The interfaces that have the list. */
  readonly on: readonly Interface[];
  /** The paged list; the app is empty for a list of the tenant. */
  readonly call: (app: string) => Call;
  /** The objects that one row points at; rows of other things point at none. */
  readonly keys: (row: Json, app: string) => readonly Key[];
  /** Whether a row shows the whole object, or each key has to be read; a read may answer that the object is gone. */
  readonly shows: "the object" | "the key";
  /** Whether the inventory is incomplete without this list, or the list only adds to another one. */
  readonly isRequired: boolean;
  /** For the list of an app: whether the app's own row says that a connector makes its objects. */
  readonly isConnected?: (app: Json) => boolean;
}

/** Objects, or fields of them, that no call of the service shows. */
export interface Gap {
  readonly misses: "objects" | "fields";
  /** As sentences: what is missing and why, and what the author can do. */
  readonly message: string;
  readonly hint: string;
}
