import type { JsonObject } from "../../model/json.js";

/** A value of a guard's input as data: what it contains, and the fields of it that are not known, each with the reason. */
export interface GuardView {
  readonly values: JsonObject;
  readonly unknown: ReadonlyMap<string, string>;
  /** Fields that have unknown fields of their own. */
  readonly inner?: ReadonlyMap<string, GuardView>;
}

/** Hears why something that an evaluation read is not known; it keeps the first reason. */
export interface Hearing {
  unknown: string | null;
}

/** The unknown fields of what is known. */
export const KNOWN: ReadonlyMap<string, string> = new Map();
