import { expect } from "vitest";
import { type MemoryContents, memoryContents, memoryStore } from "../../src/state/memory.js";
import { type MovingStore, moveState } from "../../src/state/move.js";
import { type Kept, newSnapshot } from "../../src/state/snapshot.js";
import type { Store } from "../../src/state/store.js";
import { handClock } from "../fakes/handClock.js";
import { inTheClear } from "../fakes/inTheClear.js";
import { failure, following, owner } from "./store.js";

/** A store as a place that a state is moved to and from. */
export function movingStore(kept: Store<Kept>): MovingStore {
  return { kept, encryption: { keys: [], place: "test", version: "0.1.0" } };
}

/** Moves a state to a store that has none, back again, and there once more; each move leaves a mark. */
export async function expectMoves(kept: Store<Kept>): Promise<void> {
  const first = following(newSnapshot("lineage", "server"), ["one", "two"]);
  const contents: MemoryContents<Kept> = { ...memoryContents(), snapshot: first };
  const [here, there] = [movingStore(memoryStore(contents, handClock())), movingStore(kept)];
  const by = owner("mover");
  for (const [from, to] of [
    [here, there],
    [there, here],
    [here, there],
  ] as const) {
    const moved = await moveState(from, to, by, { timeout: 0 });
    const { entries } = (await inTheClear(to.kept).read()).snapshot ?? {};
    expect(entries).toEqual(first.entries);
    const { diagnostic } = await failure(inTheClear(from.kept).read());
    expect(diagnostic.code).toBe("state/moved");
    expect(diagnostic.hint).toContain(to.kept.name);
    expect(moved.lineage).toBe("lineage");
  }
  const lock = await inTheClear(kept).lock(owner("after"), { timeout: 0 });
  const now = (await inTheClear(kept).read()).snapshot ?? first;
  await lock.save(following(now, ["three"]));
  await lock.release();
}
