import { expect } from "vitest";
import { newSnapshot } from "../../src/state/snapshot.js";
import type { Store } from "../../src/state/store.js";
import { following, owner } from "./store.js";

/** A state of 50,000 rows is saved, and read as it was. */
export async function expectManyRows(store: Store): Promise<void> {
  const names = Array.from({ length: 50_000 }, (_, place) => `row-${place}`);
  const snapshot = following(newSnapshot("lineage", "server"), names);
  const lock = await store.lock(owner("one"), { timeout: 0 });
  await lock.save(snapshot);
  await lock.release();
  expect((await store.read()).snapshot).toEqual(snapshot);
}
