import type { Diagnostic } from "../model/diagnostic.js";
import type { Planned } from "../plan/plan.js";
import type { Snapshot } from "../state/snapshot.js";
import type { Ending } from "../state/store.js";
import type { PlanForReview } from "./order.js";
import type { Summary } from "./summary.js";

/** What an apply came to, and the snapshot at its end; null where another run has the lock. */
export interface Applied {
  readonly summary: Summary;
  readonly snapshot: Snapshot | null;
  readonly fault: Diagnostic | null;
  /** What the lock must keep as it is given up. */
  readonly ending: Ending;
}

/** What every result says of the plan that it is about. */
type Told = Pick<PlanForReview, "plan" | "effect" | "diagnostics">;

/** What a session that applies came to. */
export type SessionResult =
  /** Nothing was applied; `by` names the stage that ended the session. */
  | {
      readonly as: "refused";
      readonly by: "recovery" | "planning" | "check" | "review";
      readonly diagnostics: readonly Diagnostic[];
      /** The plan that was made, where its effect is not the expected one; null for any other refusal. */
      readonly unexpected: Planned | null;
    }
  /** There was nothing to do. */
  | ({ readonly as: "unchanged" } & Told)
  /** Everything that was asked for was done before. */
  | ({ readonly as: "already applied" } & Told)
  | ({
      readonly as: "applied";
      /** The file with answers that the store did not take; null where it has all of them. */
      readonly rescue: string | null;
    } & Told &
      Applied);

/** An apply that applied nothing, and why. */
export type Refusal = Extract<SessionResult, { readonly as: "refused" }>;

export function refusal(
  by: Refusal["by"],
  diagnostics: Refusal["diagnostics"],
  unexpected: Planned | null = null,
): Refusal {
  return { as: "refused", by, diagnostics, unexpected };
}

/** What a session came to that applied. */
export type AppliedRun = Extract<SessionResult, { readonly as: "applied" }>;
