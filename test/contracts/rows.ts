import { expect } from "vitest";
import { newSnapshot } from "../../src/state/snapshot.js";
import type { Store } from "../../src/state/store.js";
import { following, owner } from "./store.js";

/** A large state has so many rows. `npm run stores` asks for 50,000. */
const ROWS = Number(process.env.REMIT_TEST_STATE_ROWS ?? 5_000);
export const MANY_ROWS = { count: ROWS, words: `${ROWS.toLocaleString("en")} rows` };

/** A large state is saved, and read as it was. */
export async function expectManyRows(store: Store): Promise<void> {
  const names = Array.from({ length: MANY_ROWS.count }, (_, place) => `row-${place}`);
  const snapshot = following(newSnapshot("lineage", "server"), names);
  const lock = await store.lock(owner("one"), { timeout: 0 });
  await lock.save(snapshot);
  await lock.release();
  expect((await store.read()).snapshot).toEqual(snapshot);
}
