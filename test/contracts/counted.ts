import type { Store } from "../../src/state/store.js";
import type { Opening } from "./store.js";

/**
 * A store that counts its writes under the lock. The writes that take the lock and give it up do not count: no line waits
 * for them.
 */
export function counted(open: (onWrite: () => void) => Store): Pick<Opening, "open" | "durableWrites"> {
  let writes = 0;
  /** How many locks are taken or given up in this moment. */
  let turning = 0;
  async function turn<T>(work: Promise<T>): Promise<T> {
    turning += 1;
    try {
      return await work;
    } finally {
      turning -= 1;
    }
  }
  return {
    durableWrites: () => writes,
    open() {
      const store = open(() => {
        if (turning === 0) writes += 1;
      });
      return {
        ...store,
        async lock(by, waiting) {
          const lock = await turn(store.lock(by, waiting));
          return { ...lock, release: (last) => turn(lock.release(last)) };
        },
      };
    },
  };
}
