import type { Assumption } from "../../impact/assumption.js";
import type { Truth } from "../../impact/holding.js";
import type { outcomesOf } from "../../impact/outcome.js";
import type { Address } from "../../model/address.js";
import type { NamedPerson } from "./impact.js";

/** Whether a rule matches a person. */
export interface RuleAnswer {
  /** The rule as the service spells it; empty where none exists. */
  readonly rule: string;
  /** Null where that is unknown; `why` then says the reason. */
  readonly matches: Truth;
  readonly why: string | null;
  /** What the service does not document, and what the answer depends on. */
  readonly assumptions: readonly Assumption[];
}

/** Why one person gains or loses by the planned change of one rule. */
export type Why = {
  readonly address: Address;
  readonly user: NamedPerson;
  readonly before: RuleAnswer;
  readonly after: RuleAnswer;
} & (
  | {
      readonly as: "members";
      /** Whether the person holds the entitlement now. */
      readonly member: Truth;
      /** Whether the automation leaves the person out. */
      readonly excluded: Truth;
      readonly outcomes: ReturnType<typeof outcomesOf>;
    }
  | { readonly as: "audience" }
);

/** What one rule of the tenant says about a person. */
export interface RuleForPerson {
  readonly address: Address;
  /** Null where that is unknown; `why` then says the reason. */
  readonly matches: Truth;
  readonly why: string | null;
  /** The part of the expression that decides it; the whole rule where it has another form. */
  readonly decidedBy: string;
}
