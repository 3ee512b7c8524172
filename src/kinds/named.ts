/** What a manifest may write in place of an id. */
export const FINDERS = ["name", "alias", "slug", "email"] as const;
export type Finder = (typeof FINDERS)[number];

/** One object as a list shows it: its id, and every name it can be found by. */
export interface Named {
  readonly id: string;
  readonly name: string;
  readonly alias?: string;
  readonly slug?: string;
  readonly email?: string;
  /** Of an entitlement: whether it has an automation; undefined where the service does not say. */
  readonly automated?: boolean;
}
