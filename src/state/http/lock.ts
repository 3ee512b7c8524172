import type { Clock } from "../../model/clock.js";
import type { StateChange } from "../change.js";
import { lockRemoved } from "../fault.js";
import { holdLease } from "../lease.js";
import type { Kept } from "../snapshot.js";
import type { Lock, Owner, Waiting } from "../store.js";
import { checkSuccession } from "../succession.js";
import { heldLock, type Writer } from "../writes.js";
import type { StateDocument } from "./document.js";
import { refusedNow, type StateServer } from "./server.js";

/** Milliseconds after which a holder asks whether it still has the lock, before it sends anything. */
const LEASE = 60_000;
/** Milliseconds between two such questions of a quiet holder. */
const BEAT = 5_000;

/** A lock that was taken under an ID that no other run has. */
export interface TakenDocument {
  readonly server: StateServer;
  readonly owner: Owner;
  readonly lockId: string;
  /** The store, as messages name it. */
  readonly name: string;
  readonly clock: Clock;
  readonly document: StateDocument;
  /** The least milliseconds between two batches of the journal. */
  readonly pace: number;
  readonly waiting: Waiting;
}

/** The lock of one state. Its writes go one after the other, each with the next serial. */
export function lockOf({
  server,
  owner,
  lockId,
  name,
  clock,
  pace,
  waiting,
  ...taken
}: TakenDocument): Lock<Kept> {
  let { document } = taken;
  /** Whether the server may have a write that got no answer. */
  let isUnsure = false;
  let written = Number.NEGATIVE_INFINITY;
  const lease = holdLease({ name, clock, length: LEASE, beat: BEAT, renew });

  /** No run takes this lock over, but a person may have removed it. */
  function isHeld(): Promise<boolean> {
    return server.isHeldBy(lockId, owner);
  }
  async function renew(): Promise<boolean> {
    const isMine = await isHeld();
    if (!isMine) lease.lose(lockRemoved(name));
    return isMine;
  }
  async function put(change: Partial<StateDocument>): Promise<void> {
    lease.lost.throwIfAborted();
    const counted = isUnsure ? ((await server.get())?.serial ?? 0) : 0;
    const serial = Math.max(document.serial, counted) + 1;
    const changed = { ...document, ...change, serial, writer: `${lockId} ${serial}` };
    const next = { ...changed, holder: changed.journal.length === 0 ? null : changed.holder };
    isUnsure = true;
    const isWritten = await server.put(next, lockId);
    isUnsure = false;
    if (!isWritten) {
      if (await renew()) throw refusedNow(name);
      throw lockRemoved(name);
    }
    document = next;
  }
  async function write(
    { snapshot, isCleared, lines }: StateChange<Kept>,
    holder: Owner | null,
  ): Promise<void> {
    if (snapshot !== null) checkSuccession(name, document.snapshot, snapshot);
    const before = isCleared ? [] : document.journal;
    await put({ snapshot: snapshot ?? document.snapshot, journal: [...before, ...lines], holder });
    if (lines.length > 0) written = clock.elapsed();
  }

  const writer: Writer<Kept> = {
    // Each write sends the whole document.
    isAtomic: true,
    linger: null,
    ready() {
      const rest = written + pace - clock.elapsed();
      return rest > 0 ? clock.sleep(rest) : null;
    },
    write: (change) => write(change, owner),
    async release(last) {
      if (last !== null) await write(last, null);
      else if (document.holder !== null) await put({ holder: null }).catch(() => undefined);
      await lease.close();
      // A lock that looked lost may still be this run's, and no other run would ever free it.
      const isMine = !lease.lost.aborted || (await isHeld().catch(() => false));
      if (isMine) await server.unlock(lockId).catch(() => undefined);
    },
    close: async () => undefined,
  };
  return heldLock({ name, owner, clock, writer, lease, waiting }).lock;
}
