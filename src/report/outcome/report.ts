import type { Outcome } from "../../apply/event.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import type { ShownAction, StepReport } from "../plan/report.js";
import type { Statement } from "../statement.js";

/** How a step ended. */
export interface StepOutcome {
  readonly address: string;
  readonly action: ShownAction;
  readonly outcome: Outcome;
  /** Whether the tenant was already as the step wants, so that nothing of it was written. */
  readonly isAlreadySo: boolean;
  /** What it is in the tenant: `GitHub › github-admin (2fsg…5D)`. */
  readonly title: string;
  readonly place: StepReport["place"];
  /** What happened, with the server's message where it sent one, and what to do next. */
  readonly diagnostics: readonly Diagnostic[];
}

/** The result of an apply as a reader may see it: ordered, named and worded once, for every renderer. */
export interface OutcomeReport {
  readonly formatVersion: 1;
  readonly server: string;
  /** The context of the run; absent where the project has none. */
  readonly context?: string;
  readonly commit: string | null;
  /** The effect of the plan that was applied. */
  readonly effect: string;
  readonly run: string;
  readonly outcomes: Readonly<Record<Outcome, number>>;
  /** What was done, per action: a create that found its object as desired counts as `adopt`. */
  readonly done: Readonly<Partial<Record<ShownAction, number>>>;
  /** Every step that the plan had work for; those that need help first. */
  readonly steps: readonly StepOutcome[];
  /** The signal that came first, where one did. */
  readonly interrupted: string | null;
  /** Why the run stopped before its end, where the state could not be kept. */
  readonly fault: Diagnostic | null;
  readonly calls: number;
  /** The writes that the service answered. */
  readonly writes: number;
  readonly retries: number;
  readonly seconds: number;
  /** Seconds lost because the service asked to slow down. */
  readonly throttled: number;
  /** The file that holds a plan of what is left. */
  readonly remaining: string | null;
  /** When the service does what was applied, in phrases. */
  readonly takesEffect: readonly string[];
  /** What to do next, in sentences. */
  readonly next: readonly string[];
  /** What the run found besides its steps: in the settings, the state and the manifests. */
  readonly diagnostics: readonly Diagnostic[];
  /** What the outcome says besides its steps, in the order of reading. Every form shows each of them. */
  readonly statements: readonly Statement[];
}
