import type { Person } from "../person.js";
import type { GuardView, PeopleView } from "./people.js";
import type { PeopleIndex } from "./peopleIndex.js";

/** Whether a person holds an entitlement, and from where that is known; unknown with the reason. */
export type HoldsAnswer =
  | { readonly is: boolean; readonly from: readonly HeldFrom[] }
  | { readonly unknown: string };

/** From what it is known who holds an entitlement. */
export type HeldFrom = "the rules of the project" | "the grants of the tenant";

/** Everything that a guard may read. */
export interface GuardInput {
  /** Null where the guard is about a whole plan. */
  readonly step: GuardView | null;
  readonly people: PeopleView;
  readonly steps: readonly GuardView[];
  /** The name of the context; empty without contexts. */
  readonly context: string;
  readonly today: Date;
  /** Of the people of all inputs that are asked about together. */
  readonly index: PeopleIndex;
  readonly holds: (person: Person, app: string, entitlement: string) => HoldsAnswer;
}
