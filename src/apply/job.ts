import type { Address } from "../model/address.js";
import type { Clock } from "../model/clock.js";
import type { Plan } from "../plan/plan.js";
import type { CreatedObject, Snapshot } from "../state/snapshot.js";
import type { Rhythm } from "../state/store.js";
import type { Recorder } from "./event.js";
import type { Service } from "./service.js";

/** What a plan is run with. */
export interface Job {
  readonly plan: Plan;
  /**
   * When the plan began to read the tenant under this lock. Null for a saved plan: its reads do not count, not even for a
   * step that writes only the state.
   */
  readonly plannedAt: number | null;
  /** A name for this run, that no other has. */
  readonly run: string;
  /** The recorded snapshot; null without a state. */
  readonly snapshot: Snapshot | null;
  /** Whether `unknown-current` is acknowledged for an object. */
  readonly mayReplaceUnseen: (address: Address) => boolean;
  readonly clock: Clock;
  /** How the store is written to. */
  readonly rhythm: Rhythm;
  /** Milliseconds that the service may be at work on a request whose reply is lost. */
  readonly patience: number;
  /** Milliseconds for which lists of the service may not show a new object. */
  readonly createLag: number;
  /** What was written after that time may not be shown yet: RFC 3339, UTC. */
  readonly lateSince?: string;
  /** Milliseconds for which the service may not show owners that were written. */
  readonly ownersLag: number;
  /** The plan's effect, as `--expect` pins it. */
  readonly effect: string;
  /** What an apply of the same effect created before. */
  readonly created: readonly CreatedObject[];
  readonly service: Service;
  /** Hears every event, and is waited for. When it throws a `StateError`, no more steps start. */
  readonly recorder: Recorder;
  /** Aborted, with the signal's name as its reason, when no more steps may start. */
  readonly interrupt?: AbortSignal;
  /** Aborted, with a `StateError` as its reason, when the lock is another's. */
  readonly lost?: AbortSignal;
  /** As `Lock.confirm`; asked before each request that writes. */
  readonly confirm?: () => Promise<void>;
}
