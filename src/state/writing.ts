import { HEAD, type Objects, type Parts, type UnderLock } from "./objects.js";

/** How the holder of a lock writes: what a head names before it, then the head, then what no head names any more. */
export interface HolderWrites extends Pick<Objects, "get" | "leave" | "ready" | "close"> {
  prepare(put: Parts["put"]): Promise<void>;
  /** Gives the new tag of the head; null where this run has the lock no longer. */
  swap(tag: string | null, head: string, parts: Parts): Promise<string | null>;
  tidy(drop: Parts["drop"]): Promise<void>;
  /** The store's own lock; null where the head is the lock. */
  readonly own: Pick<UnderLock, "isHeld" | "free"> | null;
}

/** Writes one by one, or all at one instant where the store can. */
export function writingOf(objects: Objects | UnderLock): HolderWrites {
  const own = "isHeld" in objects ? objects : null;
  const done = async () => undefined;
  const { all } = objects;
  if (all !== undefined) return { ...objects, own, prepare: done, swap: all, tidy: done };
  const { swap, put, drop } = objects as Objects;
  return {
    ...objects,
    own,
    prepare: async (parts) => void (await Promise.all([...parts].map(([name, text]) => put(name, text)))),
    swap: (tag, head) => swap(HEAD, tag, head),
    tidy: async (names) => (names.length === 0 ? undefined : drop(names).catch(() => undefined)),
  };
}
