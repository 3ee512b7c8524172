import type { Clock } from "../../model/clock.js";
import { inBatches } from "../batches.js";
import { lockLost } from "../fault.js";
import { holdLease } from "../lease.js";
import type { Kept } from "../snapshot.js";
import type { Lock, Owner } from "../store.js";
import { checkSuccession } from "../succession.js";
import type { StateDocument } from "./document.js";
import type { StateServer } from "./server.js";

/** Milliseconds after which a holder asks whether it still has the lock, before it sends anything. */
const LEASE = 60_000;
/** Milliseconds between two such questions of a quiet holder. */
const BEAT = 5_000;

/** A lock that was taken under an ID that no other run has. */
export interface Taken {
  readonly server: StateServer;
  readonly owner: Owner;
  readonly lockId: string;
  /** The store, as messages name it. */
  readonly name: string;
  readonly clock: Clock;
  readonly document: StateDocument;
  /** The least milliseconds between two batches of the journal. */
  readonly pace: number;
}

/** The lock of one state. Its writes go one after the other, each with the next serial. */
export function lockOf({ server, owner, lockId, name, clock, pace, ...taken }: Taken): Lock<Kept> {
  let { document } = taken;
  let isReleased = false;
  let noted: readonly string[] = [];
  let last: Promise<unknown> = Promise.resolve();
  /** Whether the server may have a write that got no answer. */
  let isUnsure = false;
  let written = Number.NEGATIVE_INFINITY;
  const lease = holdLease({ name, clock, length: LEASE, beat: BEAT, renew: isHeld });

  /** No run takes this lock over, but a person may have removed it. */
  async function isHeld(): Promise<boolean> {
    const holder = await server.lock(lockId, owner);
    if (holder !== null) return holder.lockId === lockId;
    await server.unlock(lockId);
    return false;
  }
  function write(change: (document: StateDocument) => Partial<StateDocument>): Promise<void> {
    const writing = last.then(async () => {
      if (isReleased || lease.lost.aborted) throw lockLost(name);
      const counted = isUnsure ? ((await server.get())?.serial ?? 0) : 0;
      const serial = Math.max(document.serial, counted) + 1;
      const changed = { ...document, ...change(document), serial, writer: `${lockId} ${serial}` };
      const next = { ...changed, holder: changed.journal.length === 0 ? null : changed.holder };
      isUnsure = true;
      const isWritten = await server.put(next, lockId);
      isUnsure = false;
      if (!isWritten) {
        lease.lose();
        throw lockLost(name);
      }
      document = next;
    });
    last = writing.catch(() => undefined);
    return writing;
  }
  const withLines = (lines: readonly string[]) => (kept: StateDocument) => ({
    holder: owner,
    journal: [...kept.journal, ...lines],
  });

  // Each write sends the whole document, so noted lines wait for a batch that someone waits for.
  const batches = inBatches(async (lines, durable) => {
    const all = [...noted, ...lines];
    noted = [];
    if (!durable) {
      noted = all;
      return;
    }
    const rest = written + pace - clock.elapsed();
    if (rest > 0) await clock.sleep(rest);
    await write(withLines(all));
    written = clock.elapsed();
  });

  return {
    owner,
    lost: lease.lost,
    confirm: lease.confirm,
    save: (snapshot) =>
      write((kept) => {
        checkSuccession(name, kept.snapshot, snapshot);
        return { snapshot };
      }),
    journal: {
      append: batches.append,
      note: batches.note,
      async clear() {
        await batches.settled();
        noted = [];
        await write(() => ({ journal: [], holder: null }));
      },
    },
    async release() {
      if (isReleased) return;
      await batches.settled();
      const lines = noted;
      if (lines.length > 0 || document.holder !== null)
        await write((kept) => ({ ...withLines(lines)(kept), holder: null })).catch(() => undefined);
      isReleased = true;
      await lease.close();
      if (!lease.lost.aborted) await server.unlock(lockId).catch(() => undefined);
    },
  };
}
