import { checkHeads } from "../journalHead.js";
import type { Kept, Snapshot } from "../snapshot.js";
import type { Contents, Lock, Store } from "../store.js";
import type { StateKey } from "./key.js";
import { type LineSealer, lineSealer, openLines, type SegmentStart } from "./lines.js";
import { sealedRecord } from "./record.js";
import { openSnapshot, type SealedPlace, sealSnapshot } from "./snapshot.js";

/** How a store is encrypted. */
export interface Encryption {
  /** The key that encrypts, then older ones that are only read with; none for a store that is not encrypted. */
  readonly keys: readonly StateKey[];
  /** The place in the store, as it is configured: what was encrypted for one place is refused at any other. */
  readonly place: string;
  /** The version of remit that writes. */
  readonly version: string;
  /** For how many days texts of values are kept with the records, where there is a key; none where it is left out. */
  readonly valuesFor?: number;
}

/** What was read, and the serial after which the first line of its journal was written. */
interface Opened {
  readonly contents: Contents;
  readonly since: number;
  /** The last line of the journal, as the next holder names it. */
  readonly last: string | null;
}

/**
 * The same store with every snapshot and every line encrypted and authenticated, where a key is given. Then it refuses
 * what was not written with one of the keys for this place. Without a key it refuses what is encrypted.
 */
export function withKeys(store: Store<Kept>, encryption: Encryption): Store {
  const { keys, version } = encryption;
  const place = placeOf(store.name, encryption);
  const [key] = keys;

  async function read(): Promise<Opened> {
    const { snapshot: kept, journal, ...rest } = await store.read();
    const opened = kept === null ? null : openSnapshot(kept, keys, place);
    const snapshot = opened?.snapshot ?? null;
    const belonging = { lineage: snapshot?.lineage ?? null, since: opened?.since ?? 0 };
    const { lines, since, last } = openLines(journal, belonging, keys, place);
    checkHeads(lines, store.name);
    return { contents: { snapshot, journal: lines, ...rest }, since: since ?? snapshot?.serial ?? 0, last };
  }

  function sealing(lock: Lock<Kept>, key: StateKey, { contents, since, last }: Opened): Lock {
    const { lineage = null, serial = 0 } = contents.snapshot ?? {};
    let kept: Omit<SegmentStart, "after"> = { lineage, serial };
    let oldest = since;
    let sealer: LineSealer = lineSealer(key, place, { ...kept, after: last });
    const sealed = (snapshot: Snapshot) => sealSnapshot({ snapshot, since: oldest }, key, place, version);
    function begin(): void {
      oldest = kept.serial;
      sealer = lineSealer(key, place, { ...kept, after: null });
    }
    return {
      ...lock,
      append: (record, without = null) =>
        lock.append(sealedRecord(record), without === null ? null : sealed(without)),
      async save(snapshot: Snapshot, isCleared = false) {
        await lock.save(sealed(snapshot), isCleared);
        kept = { lineage: snapshot.lineage, serial: snapshot.serial };
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
    isOwn: store.isOwn,
    isRemote: store.isRemote,
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
    valuesFor: valuesKeptFor(encryption),
    history: store.history,
  };
}

/** For how many days texts of values are kept with the records: 0 where nothing is encrypted. */
export function valuesKeptFor({ keys, valuesFor = 0 }: Pick<Encryption, "keys" | "valuesFor">): number {
  return keys.length === 0 ? 0 : valuesFor;
}

/** What snapshots and lines of a store are sealed for. */
export function placeOf(name: string, { place }: Encryption): SealedPlace {
  return { name, id: place };
}
