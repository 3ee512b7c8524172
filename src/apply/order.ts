import type { Diagnostic } from "../model/diagnostic.js";
import type { SettingDifference } from "../plan/guards/settings.js";
import type { Finding, Planned } from "../plan/plan.js";
import type { Request } from "../plan/request.js";
import type { VerifiedPlan } from "../plan/saved/read.js";
import type { Owner } from "../state/store.js";
import type { Recorder } from "./event.js";
import type { RescuePlace } from "./underLock.js";

/** A plan just before it is applied, and its effect. */
export interface PlanForReview extends Pick<VerifiedPlan, "plan" | "effect"> {
  /** What was found on the way to the plan. */
  readonly diagnostics: readonly Diagnostic[];
  /** Why nothing is applied, whatever a reviewer says: findings without an acknowledgement, and blocked steps. */
  readonly open: readonly Diagnostic[];
  /** What an apply leaves out, because it is blocked. */
  readonly leftOut: readonly Diagnostic[];
  /** What the working tree decides otherwise than the settings in force: a person has to agree to it. */
  readonly intent: readonly SettingDifference[];
  /** Objects of a state without a project's name that have no manifest in this project: a person has to say whose they are. */
  readonly foreign: readonly Diagnostic[];
  /** That the store never had a state, where nothing else tells what is there: a person has to agree to it. */
  readonly asked: readonly Finding[];
}

/** What is applied, and under which conditions. */
export interface Order {
  /** What is in force: server, interface, guards, acknowledgements; and the manifests that a new plan is made from. */
  readonly request: Request;
  /** A plan that is applied exactly as it is; null where a new one is made. */
  readonly plan: VerifiedPlan | null;
  /** The effect that the plan must have, together with what is done of it already; null for any. */
  readonly expected: string | null;
  /** When what is expected was merged, by the forge, in milliseconds; null where that is not known. */
  readonly mergedAt: number | null;
  /** Whether nothing is applied while a step is blocked; otherwise the rest is applied. */
  readonly isAllOrNothing: boolean;
  /** Who asks for the lock, and for how many milliseconds. */
  readonly owner: Owner;
  readonly lockTimeout: number;
  /** Where answers go that the store does not take; null to lose them then. */
  readonly rescue: RescuePlace | null;
  /** The folder of the project in its checkout, whose last applied commit the state records; null to record none. */
  readonly appliedFolder: string | null;
  /** Names that nothing else has: of a new state, and of this run. */
  readonly lineage: string;
  readonly run: string;
  /** The number of the pull request that is applied; null where it is not known. */
  readonly pullRequest: number | null;
  /** Sees every plan before it is applied, and says whether to go on. */
  readonly review: (planned: PlanForReview) => Promise<boolean>;
  /** Whether the review asks a person about `intent` and `foreign`. Where it does not, each of them refuses the apply. */
  readonly asksAboutIntent: boolean;
  /** Hears how many calls were made for a new plan. */
  readonly progress?: (done: number, total: number) => void;
  /** Hears of a new plan before its people are counted. It is made once it is asked for. */
  readonly planned?: (plan: () => Planned) => void;
  /** Hears every event of the apply, and is waited for. */
  readonly listener: Recorder;
  /**
   * Ends the session once it aborts. Before the first write, the session rejects with the signal's reason, and its lock
   * is free. From then on, it starts nothing more and finishes the calls in flight.
   */
  readonly interrupt: AbortSignal;
}
