import { ApiError } from "./client/error.js";
import type { Pace } from "./client/pace/pace.js";
import { type Failed, type Fetched, missed } from "./fetched.js";
import type { Need } from "./need.js";

/** A read, which tells of each reply, and whether it came for this read. */
type Read<T> = (replied: (isNew: boolean) => void) => Promise<T>;

/**
 * Asks in the order of the pace, counts the calls by what they were for, and keeps what went wrong. It asks no more once the
 * service cannot be reached.
 */
export function makeAsking(
  pace: Pace,
  isNews: (error: ApiError) => boolean,
  progress: (done: number, total: number) => void,
) {
  const calls = new Map<string, number>();
  let done = 0;
  let total = 0;
  let hasSpoken = false;
  let trouble: Failed | null = null;
  /** Why reads failed, by purpose. Of several reasons the same one is kept, whichever answer came first. */
  const unknown = new Map<string, string>();

  function note(purpose: string, why: string): void {
    const known = unknown.get(purpose);
    if (known === undefined || why < known) unknown.set(purpose, why);
  }

  function count(purpose: string): void {
    calls.set(purpose, (calls.get(purpose) ?? 0) + 1);
  }

  async function attempt<T>(purpose: string, read: Read<T>): Promise<Fetched<T>> {
    let isBegun = false;
    try {
      const value = await read((isNew) => {
        isBegun = true;
        if (isNew) count(purpose);
      });
      return { as: "got", value };
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (isNews(error)) count(purpose);
      return missed(error, isBegun);
    }
  }

  function ask<T>(purpose: string, need: Need, read: Read<T>): Promise<Fetched<T>> {
    total += 1;
    return pace.limit(async () => {
      if (trouble !== null && isFinal(trouble)) return trouble;
      const fetched = await attempt(purpose, read);
      done += 1;
      progress(done, total);
      if (need === "sparing") return fetched;
      if (need === "optional" && (fetched.as === "failed" || fetched.as === "not offered")) {
        note(purpose, fetched.why);
        return fetched;
      }
      if (fetched.as !== "failed") hasSpoken = true;
      else if (trouble === null || isFinal(fetched)) trouble = fetched;
      return fetched;
    });
  }

  return {
    ask,
    note,
    calls: () => Object.fromEntries(calls),
    silence: () => (hasSpoken ? null : trouble),
    unknown: () => [...unknown].sort().map(([what, why]) => ({ what, why })),
  };
}

/** Whether no other read can go better. */
function isFinal({ trouble }: Failed): boolean {
  return trouble === "unreachable" || trouble === "credentials";
}
