import type { Lock } from "../../state/store.js";
import type { Run } from "./run.js";

/** How long a living holder's lock is waited for, in milliseconds, where nobody says. */
export const LOCK_TIMEOUT = 60_000;

/** Holds the lock of the state during the work. */
export async function withLock<T>(
  { store, owner }: Pick<Run, "store" | "owner">,
  timeout: number,
  work: (lock: Lock) => Promise<T>,
): Promise<T> {
  const lock = await store.lock(owner, { timeout });
  try {
    return await work(lock);
  } finally {
    await lock.release();
  }
}
