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
  /** Of an entitlement: whether it has an automation; undefined where the service does not say. */
  readonly automated?: boolean;
}
