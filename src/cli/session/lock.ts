import type { Run } from "./run.js";

/** How long a living holder's lock is waited for, in milliseconds, where nobody says. */
export const LOCK_TIMEOUT = 60_000;

/** Holds the state's lock while the work goes on; `lost` aborts when somebody else has taken it. */
export async function withLock<T>(
  { backend, owner }: Pick<Run, "backend" | "owner">,
  timeout: number,
  work: (lost: AbortSignal) => Promise<T>,
): Promise<T> {
  const lock = await backend.lock(owner, { timeout });
  try {
    return await work(lock.lost);
  } finally {
    await lock.release();
  }
}
