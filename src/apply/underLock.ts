import type { Diagnostic } from "../model/diagnostic.js";
import { isNotAcquired } from "../state/fault.js";
import { type Ending, type Lock, type Owner, StateError, type StoreWait } from "../state/store.js";
import { writeRescue } from "./rescue.js";
import type { Session } from "./session.js";
import { type WatchedLock, watchLock } from "./unsaved.js";

/** Where a run keeps answers that its store does not take. */
export interface RescuePlace {
  /** Writes the text whole, in the place of an earlier one, for this user alone; gives the path of its file. */
  readonly keep: (text: string) => Promise<string>;
  /** Removes the file, where there is one. */
  readonly drop: () => Promise<void>;
}

/** How work under a lock is asked for. */
interface Asking {
  readonly owner: Owner;
  readonly timeout: number;
  readonly signal: AbortSignal;
  /** The name of this run. */
  readonly run: string;
  /** Where answers go that the store does not take; null to lose them then. */
  readonly rescue: RescuePlace | null;
  /** Hears why a write to the store waits. */
  readonly told: (wait: StoreWait) => void;
  /** Whether the first write may acquire the lock. */
  readonly isLazy: boolean;
}

/** What work came to, and what it leaves in the store as its lock is given up. */
export interface WorkResult<T> {
  readonly value: T;
  readonly ending: Ending;
}

/** What could not be kept: why, and where the answers are. */
export interface Unkept {
  readonly error: StateError;
  /** Null where the store lacks no answer, and where the file could not be written. */
  readonly rescue: string | null;
  /** Why the file could not be written; null where it was, or is not needed. */
  readonly unwritten: string | null;
}

/** Milliseconds that a run tries to keep what it was answered, once no more answers come. */
const PATIENCE = 300_000;

/**
 * Does work under the lock of the session's store. A write that the store refuses for now is repeated for five minutes.
 * As soon as the store is away, what it lacks is in the rescue file; the file is gone again once the store has it.
 * Null where the first write should have acquired the lock, and did not: then nothing was written, and nothing sent.
 * A `StateError` that ends the work says where the answers are.
 */
export async function underLock<T>(
  store: Session["store"],
  { owner, timeout, signal, run, rescue, told, isLazy }: Asking,
  work: (lock: Lock) => Promise<WorkResult<T>>,
): Promise<{ readonly value: T; readonly unkept: Unkept | null } | null> {
  let writing: Promise<unknown> = Promise.resolve();
  let lineage: string | null = null;
  let watched: WatchedLock | null = null;
  let isWritten = false;

  /** Writes the answers that the store lacks now; gives the path of the file, null where it lacks none. */
  function saveAnswers(): Promise<string | null> {
    const next = writing.then(async () => {
      const lines = watched?.unsaved() ?? [];
      const record = watched?.unkept()?.record.text ?? null;
      if (rescue === null || lineage === null || (lines.length === 0 && record === null)) return null;
      isWritten = true;
      return rescue.keep(writeRescue({ run, lineage, lines, record }));
    });
    writing = next.catch(() => undefined);
    return next;
  }

  const locked = await store.lock(owner, {
    timeout,
    signal,
    isLazy,
    patience: PATIENCE,
    told(wait) {
      if (wait.as === "away") void saveAnswers().catch(() => undefined);
      told(wait);
    },
  });
  const held = watchLock(locked, (head) => {
    lineage = head.lineage;
  });
  watched = held;

  /** Whether another run has the lock that this run was to acquire. */
  const isOutrun = () => isNotAcquired(locked.lost.reason);

  async function end(ending: Ending): Promise<Unkept | null> {
    const error = (await held.lock.release(ending)) ?? held.unkept()?.error ?? null;
    if (error === null || isOutrun()) {
      await writing;
      if (isWritten) await rescue?.drop();
      return null;
    }
    try {
      return { error, rescue: await saveAnswers(), unwritten: null };
    } catch (fault) {
      return { error, rescue: null, unwritten: fault instanceof Error ? fault.message : String(fault) };
    }
  }

  let result: WorkResult<T>;
  try {
    result = await work(held.lock);
  } catch (error) {
    const unkept = await end({});
    if (isOutrun()) return null;
    throw unkept !== null && error instanceof StateError ? withPlace(error, unkept) : error;
  }
  const unkept = await end(result.ending);
  return isOutrun() ? null : { value: result.value, unkept };
}

/** A diagnostic that also says where the answers are that the store lacks. */
export function withAnswers(diagnostic: Diagnostic, { rescue, unwritten }: Unkept): Diagnostic {
  if (unwritten !== null) return { ...diagnostic, hint: `${diagnostic.hint} ${LOST} ${unwritten}` };
  return rescue === null ? diagnostic : { ...diagnostic, hint: `${diagnostic.hint} ${rescuedIn(rescue)}` };
}

const LOST = "The state lacks answers that this run got, and no file could be written for them:";

function rescuedIn(file: string): string {
  return `The state lacks answers that this run got: they are in ${file}. Bring them in with \`remit state rescue FILE\`.`;
}

function withPlace(error: StateError, unkept: Unkept): StateError {
  const { refusal, cause } = error;
  return new StateError(withAnswers(error.diagnostic, unkept), { refusal, cause });
}
