import type { Address } from "../model/address.js";
import type { Diagnostic } from "../model/diagnostic.js";
import type { JsonObject } from "../model/json.js";
import type { Key } from "../model/key.js";
import type { Background } from "../plan/record/background.js";
import type { StepRecord } from "../plan/record/record.js";
import type { Action, Deed } from "../plan/step.js";
import type { StoreWait } from "../state/store.js";

/** How a step ended. */
export type Outcome = "done" | "failed" | "skipped" | "refused" | "left" | "uncertain";

/** Something that happened during an apply: the only way the engine speaks. */
export type Event =
  | {
      readonly type: "run started";
      readonly run: string;
      readonly plan: string;
      readonly steps: number;
      readonly calls: number;
    }
  | { readonly type: "step started"; readonly address: Address; readonly action: Action }
  /** Awaited before the request leaves: when it resolves, the intent is durable. */
  | {
      readonly type: "intended";
      readonly address: Address;
      /** Of a replacement, what it does to the new object. */
      readonly action: Deed;
      readonly key: Key | null;
      readonly identity: JsonObject;
      readonly applied: JsonObject;
      readonly protected: boolean;
      /** What the state keeps of the object beside what is applied. */
      readonly background: Background;
      /** The step's hash, as the plan's effect covers it. */
      readonly step: string;
      /** Of a delete, what its hash covers. */
      readonly deleted?: JsonObject;
      /** Which of the step's calls, counted from 0, and how many it makes. */
      readonly call: number;
      readonly of: number;
      readonly once: boolean;
      /** What the calls before it made of parts that the service shows late; absent where they made nothing. */
      readonly written?: JsonObject;
    }
  | {
      readonly type: "answered";
      readonly address: Address;
      readonly call: number;
      readonly of: number;
      readonly attempts: number;
      readonly key: Key | null;
      /** What the service calls the request; absent where it does not say. */
      readonly requestId?: string;
      /** The same, with this call. */
      readonly written?: JsonObject;
    }
  | {
      readonly type: "retried";
      readonly address: Address;
      readonly attempt: number;
      readonly waiting: number;
      readonly why: string;
    }
  /**
   * A create got no clear answer: its object is looked for in lists that may show it late, for so long at most. Or an
   * update waits so long for lists that may show late what was written before.
   */
  | {
      readonly type: "looking";
      readonly address: Address;
      readonly milliseconds: number;
      readonly why: string;
    }
  /** A write to the store waits: for the pace that the store is written at, or because the store is away. */
  | {
      readonly type: "store waits";
      readonly as: "pace" | "away";
      readonly milliseconds: number;
      /** Why it is away; null where it is not. */
      readonly why: string | null;
    }
  | { readonly type: "throttled"; readonly milliseconds: number; readonly width: number }
  | {
      readonly type: "step finished";
      readonly address: Address;
      readonly action: Action;
      readonly outcome: Outcome;
      /** The step's hash, as the plan's effect covers it; null for a step that writes nothing. */
      readonly step: string | null;
      /** Of a delete, what its hash covers. */
      readonly deleted?: JsonObject;
      readonly key: Key | null;
      /**
       * What the state records of the object from now on; of an uncertain one, what was sent. Null records nothing: a
       * delete or forget that is done removes the entry, and any other step leaves it as it is.
       */
      readonly record: StepRecord | null;
      /** How the service showed that the object of a create that was not made exists; absent where it did not. */
      readonly existing?: string;
      /** The tenant was already as the step wants, so nothing of it was written; absent where it was written. */
      readonly alreadySo?: true;
      /** Of an uncertain create: not after it was sent, by the service's clock, RFC 3339. */
      readonly since?: string;
      readonly diagnostics: readonly Diagnostic[];
    }
  /** What a last look at the siblings of a created object adds to its step, which has finished. */
  | {
      readonly type: "looked again";
      readonly address: Address;
      readonly action: Action;
      /** Failed where other objects have its name; done where only the look failed. */
      readonly outcome: "done" | "failed";
      readonly diagnostics: readonly Diagnostic[];
    }
  | { readonly type: "interrupted"; readonly signal: string }
  | {
      readonly type: "run finished";
      readonly run: string;
      readonly outcomes: Readonly<Record<Outcome, number>>;
      readonly calls: number;
      readonly retries: number;
      readonly throttled: number;
    };

/** What a run says of a write that waits. */
export function storeWaits(wait: StoreWait): Event {
  const { as, left } = wait;
  return { type: "store waits", as, milliseconds: left, why: as === "away" ? wait.why.message : null };
}

/** Listens to an apply; the engine waits for it. */
export type Recorder = (event: Event) => Promise<void>;
