import type { Seen } from "../current/world.js";
import type { Interface } from "../kinds/interface.js";
import type { Kind } from "../kinds/kind.js";
import type { Diagnostic } from "../model/diagnostic.js";
import type { Key } from "../model/key.js";
import type { Background } from "../plan/background.js";
import type { StepRecord } from "../plan/record.js";
import type { Entry, Uncertain } from "../state/snapshot.js";
import type { Event, Outcome, Recorder } from "./event.js";
import type { Halt } from "./halt.js";
import type { Patience } from "./patience.js";
import type { RecentRead } from "./recentReads.js";
import type { Service } from "./service.js";

/** What one step is performed with. */
export interface StepContext {
  readonly kind: Kind;
  readonly on: Interface;
  readonly service: Pick<Service, "send" | "serverTime">;
  readonly patience: Patience;
  /** Waits until the event is recorded. */
  readonly record: Recorder;
  /** Lets it be recorded when there is time. */
  readonly tell: (event: Event) => void;
  /** The step's hash, as the plan's effect covers it. */
  readonly hash: string;
  readonly entry: Entry | null;
  /** What the state keeps of the object once the step is done, beside its record. */
  readonly background: Background;
  readonly uncertain: Uncertain | null;
  readonly halt: Pick<Halt, "reason" | "lost" | "fail">;
  /** Whether `unknown-current` is acknowledged for the object, so that a write may replace what was not seen. */
  readonly mayReplaceUnseen: boolean;
  /** The object before the write; null where it is not read. */
  readonly readBefore: ReadBeforeWrite | null;
  /** Whether what the plan says of the object counts without a read: the plan was made under this lock. */
  readonly isBelieved: boolean;
  /** The object after a write, under its key or, without one, among its siblings; null where nothing can be read. */
  readonly readBack: ((key: Key | null) => Promise<Seen>) | null;
}

/** A look while the step waits for its turn, and one from inside it. */
export interface ReadBeforeWrite {
  readonly withoutTurn: () => Promise<RecentRead>;
  readonly inTurn: () => Promise<RecentRead>;
}

/** How a step ended, and what the state records of it. */
export interface StepResult {
  readonly outcome: Outcome;
  readonly key: Key | null;
  readonly record: StepRecord | null;
  /** How the service showed that the object of a create that was not made exists; absent where it did not. */
  readonly existing?: string;
  readonly diagnostics: readonly Diagnostic[];
}
