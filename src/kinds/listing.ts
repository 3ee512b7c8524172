import type { Call } from "../model/call.js";
import type { Json, JsonObject } from "../model/json.js";
import type { Key } from "../model/key.js";
import type { Interface } from "./interface.js";
import type { Kind, Noun } from "./kind.js";
import type { Finder, Named } from "./named.js";

/** What an id points at; the app is empty where objects of that sort belong to none. */
export interface IdInApp {
  readonly app: string;
  readonly id: string;
}

/** The read of one object by its id, and what its reply shows. */
export interface Single {
  readonly call: (id: string) => Call;
  readonly read: (body: Json) => Named | undefined;
}

/** The list that shows the objects of one sort by name. */
export interface Listing {
  /** Whether the list belongs to one app, whose id the call needs. */
  readonly within: "tenant" | "app";
  /** Whether one list shows every object, or each name is searched by a call of its own. */
  readonly shows: "every object" | "one name";
  /** The interfaces that have it. */
  readonly on: readonly Interface[];
  /** A list of every object does not use the name. */
  readonly call: (app: string, name: string) => Call;
  /** The list of every object, where each name is searched by a call of its own; null where `call` is that list. */
  readonly whole: (() => Call) | null;
  /** Shows every object of the app with exactly that name, and may show others; null where no search knows such names. */
  readonly search: ((app: string, by: Finder, text: string) => Call | null) | null;
  /** What one row shows; undefined where the object is deleted. */
  readonly row: (row: Json, app: string) => Named | undefined;
  /** What rules may ask of the object of one row; null where they ask of no such objects. */
  readonly attributes: ((row: Json) => JsonObject) | null;
  /** The read that shows an object's name, where the row shows only its id. */
  readonly one: Single | null;
  /** The search for objects by their ids, and how many it takes; null where the list or `one` shows them. */
  readonly byId: { readonly most: number; readonly call: (objects: readonly IdInApp[]) => Call } | null;
  /** The read of one object by its id, where neither `one` nor `byId` shows it; null where its list is short anyway. */
  readonly again: Single | null;
  /** What the list leaves out, as a sentence; null where it is complete. */
  readonly leavesOut: string | null;
}

/** One sort of object that an id can point at, and how it is found by name. */
export interface Referable {
  readonly noun: Noun;
  /** What a manifest may write in place of its id. */
  readonly finders: readonly Finder[];
  /** Null where the service offers no list. */
  readonly list: Listing | null;
  /** The kind that manages objects of this sort; null where remit manages none. */
  readonly kind: Kind | null;
}

/** Whether a read can show an object: one whose id the service chooses, and whose id is unknown, only a list can show. */
export function isFindable(
  { namesRepeat, reads }: Pick<Kind, "namesRepeat" | "reads">,
  key: Key | null,
): boolean {
  return key !== null || namesRepeat !== true || reads.list !== undefined;
}
