import type { Kept, Snapshot } from "../snapshot.js";
import type { Contents, Lock, Store } from "../store.js";
import type { StateKey } from "./key.js";
import { type LineSealer, lineSealer, openLines } from "./lines.js";
import { openSnapshot, type SealedPlace, sealSnapshot } from "./snapshot.js";

/** How a store is encrypted. */
export interface Encryption {
  /** The key that encrypts, then older ones that are only read with; none for a store that is not encrypted. */
  readonly keys: readonly StateKey[];
  /** The place in the store: what was encrypted for one place is refused at any other. */
  readonly place: string;
  /** The version of remit that writes. */
  readonly version: string;
}

/** What was read, and the serial after which the first line of its journal was written. */
interface Opened {
  readonly contents: Contents;
  readonly since: number;
}

/**
 * The same store with every snapshot and every line encrypted and authenticated, where a key is given. Then it refuses
 * what was not written with one of the keys for this place. Without a key it refuses what is encrypted.
 */
export function withKeys(store: Store<Kept>, { keys, place: id, version }: Encryption): Store {
  const place: SealedPlace = { name: store.name, id };
  const [key] = keys;

  async function read(): Promise<Opened> {
    const { snapshot: kept, journal, ...rest } = await store.read();
    const opened = kept === null ? null : openSnapshot(kept, keys, place);
    const { lines, since } = openLines(journal, opened?.since ?? 0, keys, place);
    const snapshot = opened?.snapshot ?? null;
    return { contents: { snapshot, journal: lines, ...rest }, since: since ?? snapshot?.serial ?? 0 };
  }

  function sealing(lock: Lock<Kept>, key: StateKey, { contents, since }: Opened): Lock {
    let serial = contents.snapshot?.serial ?? 0;
    let oldest = since;
    let sealer: LineSealer = lineSealer(key, place, serial);
    const sealed = (snapshot: Snapshot) => sealSnapshot({ snapshot, since: oldest }, key, place, version);
    function begin(): void {
      oldest = serial;
      sealer = lineSealer(key, place, serial);
    }
    return {
      ...lock,
      async save(snapshot: Snapshot, isCleared = false) {
        await lock.save(sealed(snapshot), isCleared);
        serial = snapshot.serial;
        if (isCleared) begin();
      },
      journal: {
        append: (line) => lock.journal.append(sealer.seal(line)),
        note: (line) => lock.journal.note(sealer.seal(line)),
        async clear() {
          await lock.journal.clear();
          begin();
        },
      },
      release: ({ snapshot = null, isCleared = false } = {}) =>
        lock.release({ snapshot: snapshot === null ? null : sealed(snapshot), isCleared }),
    };
  }

  return {
    name: store.name,
    rhythm: store.rhythm,
    openTo: key === undefined ? store.openTo : null,
    read: async () => (await read()).contents,
    async lock(owner, waiting) {
      const lock = await store.lock(owner, waiting);
      if (key === undefined) return lock;
      try {
        return sealing(lock, key, await read());
      } catch (error) {
        await lock.release();
        throw error;
      }
    },
    unlock: store.unlock,
  };
}
