import type { Diagnostic } from "../model/diagnostic.js";
import { say } from "../words/say.js";
import type { History, KeptRecord } from "./record.js";
import type { Snapshot, Version } from "./snapshot.js";

/** Who holds a lock: enough for a person to find the process. */
export interface Owner {
  readonly id: string;
  readonly host: string;
  readonly pid: number;
  readonly command: string;
  readonly since: string;
  /** The address of the pipeline's job that runs it; null outside of a pipeline. */
  readonly job: string | null;
  /** Who started it, as the pipeline or the machine says; null where neither does. */
  readonly user: string | null;
}

/** Lines that must survive a crash: they only grow, until all of them are removed at once. */
export interface Journal {
  /**
   * Resolves when the line and every line before it are durable. Lines that arrive while a durable write is under way
   * share the next one, however many they are. What is refused for now is repeated, for as long as `Waiting` says, before
   * anything that came later. After another refusal nothing more is written.
   */
  append(line: string): Promise<void>;
  /** Adds a line that becomes durable with the next write that is waited for, or when the lock is released. */
  note(line: string): void;
  /** Removes every line. */
  clear(): Promise<void>;
}

/**
 * The right to write to a store. Only a lock can write, and each of its writes fails with the `StateError`
 * `state/lock-lost` once another run holds the lock, or once it is released.
 */
export interface Lock<Kept extends Version = Snapshot> {
  readonly owner: Owner;
  /** Aborts, with a `StateError` as its reason, when this run no longer holds the lock. */
  readonly lost: AbortSignal;
  /**
   * Resolves when no other run can hold the lock while one more request is sent; renews the lock first where its last
   * confirmed renewal is too old. Throws a `StateError`, `state/lock-lost` where the lock is lost: then send nothing.
   */
  confirm(): Promise<void>;
  /**
   * Keeps a snapshot durably, and where `isCleared` is set removes every line of the journal after that. Refuses one that
   * does not follow the kept one by lineage and serial.
   */
  save(snapshot: Kept, isCleared?: boolean): Promise<void>;
  readonly journal: Journal;
  /**
   * Keeps a record of the history with the next snapshot, which names it: in the same write where the store can. Resolves
   * once both are kept; do not wait for it before that snapshot is given. Where the store never accepts the record, it
   * rejects with a `StateError`, and `without` is kept in the place of that snapshot.
   */
  append(record: KeptRecord, without?: Kept | null): Promise<void>;
  /**
   * Writes what was noted, and what the run ends with, and gives the lock up: in one write where the store can. Gives why
   * that could not be written; null where it was. Further calls do nothing.
   */
  release(last?: Ending<Kept>): Promise<StateError | null>;
}

/** What a run leaves behind when it gives its lock up. */
export interface Ending<Kept extends Version = Snapshot> {
  /** Null where the kept one stays. */
  readonly snapshot?: Kept | null;
  /** Whether every line of the journal is removed, once the snapshot is kept. */
  readonly isCleared?: boolean;
}

/** What shows that a state existed where none is kept now. */
export interface Trace {
  /** As messages name it. */
  readonly what: string;
  /** How to continue from the lost state, and how to start without it. */
  readonly remedy: string;
}

/** What a store contains at one instant. */
export interface Contents<Kept extends Version = Snapshot> {
  /** The newest snapshot; null when none was ever saved. */
  readonly snapshot: Kept | null;
  /** Null where a snapshot is kept, and where nothing shows that one was. */
  readonly trace: Trace | null;
  /** Every whole line of the journal; a last line that was cut off is left out. */
  readonly journal: readonly string[];
  /**
   * Who may be writing now; null when the lock is free, or when the store can show that its holder is dead. `by` is
   * null when the lock does not say whose it is.
   */
  readonly held: { readonly by: Owner | null } | null;
}

/** How a lock is waited for: at most `timeout` milliseconds, or until the signal aborts. */
export interface Waiting {
  readonly timeout: number;
  readonly signal?: AbortSignal;
  /**
   * For how many milliseconds a write is repeated that the store refuses for now. They count from the last time when
   * something to be written came; 0 where it is left out.
   */
  readonly patience?: number;
  /**
   * Whether a free lock may be acquired by the first write under it, from the version of the state that is there now. No
   * request may leave before `confirm`. Where another run is faster, `lost` aborts with `state/not-acquired`, and nothing
   * was written. A store that does not know this acquires the lock at once.
   */
  readonly isLazy?: boolean;
  /** Hears why a write waits. */
  readonly told?: (wait: StoreWait) => void;
}

/** Why a write to a store waits, and for how many milliseconds at most. */
export type StoreWait =
  | { readonly as: "away"; readonly why: Diagnostic; readonly left: number }
  /** The store is written to at a pace. */
  | { readonly as: "pace"; readonly left: number };

/**
 * Where the state, its lock and its journal are kept; `test/contracts/store` is the contract of every store. A store on
 * a disk or a server keeps snapshots that may be sealed (`Kept`); `withKeys` makes a store of snapshots of it.
 */
export interface Store<Kept extends Version = Snapshot> {
  /** A name for messages: a path relative to the project, or an address. */
  readonly name: string;
  readonly rhythm: Rhythm;
  /** Who else can change what is kept, in words, where that is more than the users of the store; null where it is not. */
  readonly openTo: string | null;
  /** Whether only this user writes it: what it says of an effect then needs no confirmation. */
  readonly isOwn: boolean;
  /** Whether it is on a server, where a wrong address leads to a place without a state. */
  readonly isRemote: boolean;
  /** Reads snapshot and journal as one consistent version, without a lock. Writes nothing. */
  read(): Promise<Contents<Kept>>;
  /** Waits for the lock, and takes over the lock of a dead holder. */
  lock(owner: Owner, waiting: Waiting): Promise<Lock<Kept>>;
  /** Removes the lock of any holder, and returns that holder. */
  unlock(): Promise<Owner | null>;
  /** Opens the records for some work; null where the store keeps none. */
  readonly history: (<T>(work: (history: History) => Promise<T>) => Promise<T>) | null;
  /** For how many days texts of values are kept with the records; absent where they are not. */
  readonly valuesFor?: number;
}

/**
 * What a refusal means for the same write, sent again. `held`: the store says who holds the lock now, or this run gave
 * it up. `never`: the store does not accept it whatever passes (credentials, a quota, another state in its place).
 * `again`: the store or the network is away or busy, and may accept it later. A write that got no answer is one of these.
 */
type WriteRefusal = "held" | "never" | "again";

/** A state that cannot be read, written or locked; the diagnostic says why and what to do. */
export class StateError extends Error {
  readonly diagnostic: Diagnostic;
  readonly refusal: WriteRefusal;

  constructor(
    diagnostic: Diagnostic,
    { refusal = "never", ...options }: { readonly cause?: unknown; readonly refusal?: WriteRefusal } = {},
  ) {
    super(diagnostic.message, options);
    this.name = "StateError";
    this.diagnostic = diagnostic;
    this.refusal = refusal;
  }
}

/** Throws a `StateError` unless a snapshot is the next one after what is kept; anything may follow nothing. */
export function checkSuccession(name: string, kept: Version | null, next: Version): void {
  if (kept === null || (kept.lineage === next.lineage && kept.serial + 1 === next.serial)) return;
  const found =
    kept.lineage === next.lineage ? `serial ${kept.serial}` : `lineage ${kept.lineage} serial ${kept.serial}`;
  throw new StateError(
    say("state/changed", {
      name,
      kept: found,
      following: `${next.lineage} serial ${next.serial - 1}`,
    }),
  );
}

/** How a store is written to during a run, because a write to it costs little or much. */
export interface Rhythm {
  /** The least milliseconds between two saves of the snapshot. */
  readonly saves: number;
  /** So many steps have their intents written before their turn comes, in few writes; 0 where each writes its own. */
  readonly ahead: number;
  /** Milliseconds from one durable write to the next, as an estimate counts them; 0 where they do not matter. */
  readonly trip: number;
  /** A request leaves at most so many milliseconds after its intent was written, or was written anew. */
  readonly horizon: number;
}

/** The rhythm of a store that writes at once. */
export const PROMPT: Rhythm = { saves: 10_000, ahead: 0, trip: 0, horizon: 2_000 };
