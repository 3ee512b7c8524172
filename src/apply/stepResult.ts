import type { Diagnostic } from "../model/diagnostic.js";
import type { Key } from "../model/key.js";
import type { StepRecord } from "../plan/record/record.js";
import type { Outcome } from "./event.js";

/** How a step ended, and what the state records of it. */
export interface StepResult {
  readonly outcome: Outcome;
  readonly key: Key | null;
  readonly record: StepRecord | null;
  /** How the service showed that the object of a create that was not made exists; absent where it did not. */
  readonly existing?: string;
  /** The tenant was already as the step wants, so nothing of it was written; absent where it was written. */
  readonly alreadySo?: true;
  /** Of an uncertain create: not after it was sent, by the service's clock, RFC 3339. */
  readonly since?: string;
  readonly diagnostics: readonly Diagnostic[];
}
