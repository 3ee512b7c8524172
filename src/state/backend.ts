import type { Diagnostic } from "../model/diagnostic.js";
import type { Snapshot } from "./snapshot.js";

/** Who holds the lock: enough for a person to find the process. */
export interface Owner {
  readonly id: string;
  readonly host: string;
  readonly pid: number;
  readonly command: string;
  readonly since: string;
}

/** A held lock; `lost` aborts when somebody else has taken it. */
export interface Lock {
  readonly owner: Owner;
  readonly lost: AbortSignal;
  release(): Promise<void>;
}

/** Where the state is kept: the one port that a backend implements; `test/contracts/backend` is its contract. */
export interface Backend {
  /** A name for messages: a path, relative to the project. */
  readonly name: string;
  /** The newest snapshot; null when nothing was ever kept. Throws a `StateError` on a damaged or newer one. */
  load(): Promise<Snapshot | null>;
  /** Keeps a snapshot durably; refuses when what is kept is not of the lineage and serial it follows. */
  save(snapshot: Snapshot): Promise<void>;
  /** Waits for the lock at most that long; takes over a dead holder's. */
  lock(owner: Owner, options: { readonly timeout: number; readonly signal?: AbortSignal }): Promise<Lock>;
  /** Removes the lock whoever holds it, and says who did. */
  unlock(): Promise<Owner | null>;
}

/** A state that cannot be read, written or locked; the diagnostic says why and what to do. */
export class StateError extends Error {
  readonly diagnostic: Diagnostic;

  constructor(diagnostic: Diagnostic, options?: { readonly cause?: unknown }) {
    super(diagnostic.message, options);
    this.name = "StateError";
    this.diagnostic = diagnostic;
  }
}
