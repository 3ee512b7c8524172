import type { Clock } from "../model/clock.js";
import { type Owner, type Rhythm, StateError } from "./store.js";

/**
 * The corner of one state in a store: texts by their names. This is all that a new store writes; `holdStore` makes the
 * lock, the lease, the journal and the history of it. Each function throws a `StateError` where the store refuses or stays
 * away, and its refusal says what another attempt gets. Each may be called again after one that got no answer.
 */
export interface Objects {
  /** Null where it does not exist. */
  get(name: string): Promise<Tagged | null>;
  /**
   * Replaces the object of that tag; makes one where the tag is null. Gives the new tag, or null where another run was
   * faster. Of two that want the same, one succeeds. No two texts that remit swaps in are equal.
   */
  swap(name: string, tag: string | null, text: string): Promise<string | null>;
  /** Makes an object whose name no other text ever has. */
  put(name: string, text: string): Promise<void>;
  /** Removes what it can of those; what stays is read by no run. */
  drop(names: readonly string[]): Promise<void>;
  /** All of that at one instant, where the head has that tag: in place of a put of each, a swap of the head, and a drop. */
  all?(tag: string | null, head: string, parts: Parts): Promise<string | null>;
  /** Shows the next run that the holder of that tag gave its lock up, and could not write all that it had. */
  leave?(tag: string): Promise<void>;
  /** Resolves when the next write may begin: what comes until then shares it. Null, as where it is absent, for now. */
  ready?(): Promise<void> | null;
  /** Closes what is open for one piece of work; it is opened again when it is needed. */
  close?(): Promise<void>;
}

/** A store with a lock of its own: only who holds it can write. It needs no tags. */
export interface LockedObjects extends Pick<Objects, "get" | "close"> {
  /** Takes the lock; says who has it where it is not free. */
  take(owner: Owner): Promise<UnderLock | OwnHolder>;
  /** Removes the lock of that holder. */
  remove(id: string): Promise<void>;
}

/** The objects of a store under its own lock. */
export interface UnderLock extends Pick<Objects, "get" | "close"> {
  /** As `Objects.all`; null where the server says that this run does not hold the lock. */
  readonly all: NonNullable<Objects["all"]>;
  /** Whether the lock is still this run's. */
  isHeld(): Promise<boolean>;
  free(): Promise<void>;
  /** Proves, before the first write, that the server refuses a second holder and a write without the lock. */
  prove(head: string): Promise<void>;
}

/** Who holds a lock of the store's own. */
export interface OwnHolder {
  readonly id: string;
  readonly by: Owner | null;
}

/** The name of the object that names all others: `""`, the object of the address itself. */
export const HEAD = "";

/** An object as it was read; its tag changes with each write. */
export interface Tagged {
  readonly text: string;
  readonly tag: string;
  /** Milliseconds since it was written, by the clock of the store; absent where the store has none. */
  readonly age?: number;
  /** The same by the clock of its writer, which may be wrong: a reason to wait longer, and never to take over. */
  readonly saidAge?: number;
  /** Whether it is a head whose holder left it (`leave`); absent where it is not. */
  readonly isLeft?: boolean;
}

/** What is put beside a head, and what is dropped after it. */
export interface Parts {
  readonly put: ReadonlyMap<string, string>;
  readonly drop: readonly string[];
}

/** This user may not learn whether an object exists. A run that locks tries to make it. */
export class Hidden extends StateError {}

/** The store itself answered that it does not take this write; it may take the next. */
export class Rejected extends StateError {}

/** What a store is like, and in which terms its lock is held. All times are in milliseconds. */
export interface StoreTraits {
  /** The store, as messages name it. */
  readonly name: string;
  readonly clock: Clock;
  /** The version of remit that writes. */
  readonly version: string;
  readonly rhythm: Rhythm;
  /** As `Store.openTo`. */
  readonly openTo: string | null;
  /** After this time the lock of a silent holder may be taken over; a quiet holder renews it each `beat`. */
  readonly lease: number;
  readonly beat: number;
  /** How long a request of a dead holder may be under way: a taker waits for it after the lease. */
  readonly requestTimeout: number;
  /** Whether run records are kept: not where each write sends all of them. */
  readonly keepsHistory: boolean;
  /** From one look of a run that waits to its next. */
  readonly poll: number;
  /** The least time from one write of a run to its next: what comes in it shares a write. */
  readonly pace: number;
  /** For so long may a line that no one waits for wait for a write to share; null for as long as it takes. */
  readonly linger: number | null;
  /** The server and the place that prove that they swap: a copy elsewhere is proved anew. */
  readonly place: string;
  /** What a store that does not swap ignores, in words; null where each of its swaps proves that it does. */
  readonly conditions: { readonly create: string; readonly replace: string } | null;
  /** Whether the first write of a run may acquire a free lock, because a write is slow; absent where it may not. */
  readonly isLazy?: boolean;
}
