import { expect } from "vitest";
import type { Store } from "../../src/state/store.js";
import { owner } from "./store.js";

/** So many runs want one state of a server whose requests cost much. `npm run stores` asks for forty. */
export const AT_ONCE = Number(process.env.REMIT_TEST_AT_ONCE ?? 8);

/** Several runs want one state at once: each waits for its turn, holds it alone, and writes a line that stays. */
export async function expectTurns(open: () => Store, runs = 40): Promise<void> {
  const ids = Array.from({ length: runs }, (_, place) => `run-${place}`);
  let holders = 0;
  let most = 0;
  await Promise.all(
    ids.map(async (id) => {
      const lock = await open().lock(owner(id), { timeout: 600_000 });
      holders += 1;
      most = Math.max(most, holders);
      await lock.journal.append(id);
      holders -= 1;
      await lock.release();
    }),
  );
  expect(most).toBe(1);
  expect([...(await open().read()).journal].sort()).toEqual([...ids].sort());
}
