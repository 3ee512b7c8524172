import type { Json, JsonObject } from "../model/json.js";
import { type Around, isGone, recordIn, textOf } from "./spelling.js";

/** What a manifest may write in place of an id. */
export const FINDERS = ["name", "alias", "slug", "email"] as const;
export type Finder = (typeof FINDERS)[number];

/** What a sentence calls each of them. */
export const FINDER_WORDS: Readonly<Record<Finder, string>> = {
  name: "name",
  alias: "alias",
  slug: "slug",
  email: "e-mail address",
};

/** One object as a list shows it: its id, and every name it can be found by. */
export interface Named {
  readonly id: string;
  readonly name: string;
  readonly alias?: string;
  readonly slug?: string;
  readonly email?: string;
  /** The other e-mail addresses of a user. */
  readonly emails?: readonly string[];
  /** What rules may ask of it, where that was asked for. */
  readonly attributes?: JsonObject;
  /** Of an entitlement: whether it has an automation; undefined where the service does not say. */
  readonly automated?: boolean;
}

/** The id and the name of the record in a row or a reply; undefined where there is none, and for something deleted. */
export function namedIn(body: Json, around: Around, name = "displayName"): Named | undefined {
  const [record] = recordIn(body, around);
  if (record === undefined || isGone(record)) return undefined;
  return { id: textOf(record, "id"), name: textOf(record, name) };
}
