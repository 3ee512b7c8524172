import { randomBytes } from "node:crypto";
import { lockedBy } from "../owner.js";
import type { Rhythm } from "../rhythm.js";
import type { Kept } from "../snapshot.js";
import type { Contents, Owner, Store, Waiting } from "../store.js";
import { noSwap } from "../web/fault.js";
import type { StateDocument } from "./document.js";
import { lockOf } from "./lock.js";
import { lockIdOf } from "./lockId.js";
import { type LockHolder, type StateServerOptions, stateServer } from "./server.js";

/** Where and as whom a state is kept behind Terraform's HTTP protocol. */
export interface HttpStoreOptions extends StateServerOptions {
  /** The least milliseconds between two batches of the journal; 5 s where it is left out. */
  readonly pace?: number;
}

const EMPTY: Contents<Kept> = { snapshot: null, trace: null, journal: [], held: null };
const PAUSE = 2_000;
const PACE = 5_000;
/** Each write sends the whole document. */
const RHYTHM: Rhythm = { saves: 60_000, ahead: 500, trip: 5_000, horizon: 30_000 };
/** How the lock becomes free. */
const BY_A_PERSON =
  "remit never takes this lock over, because its server cannot show whether the holder lives. If that job is dead, `remit state unlock` frees it.";

/** Keeps the state behind Terraform's HTTP protocol, as GitLab speaks it. Reading needs no right to write. */
export function httpStore(options: HttpStoreOptions): Store<Kept> {
  const { clock, methods, pace = PACE } = options;
  const name = methods.address;
  const server = stateServer(options);

  async function take(lockId: string, owner: Owner, { timeout, signal }: Waiting): Promise<void> {
    const began = clock.elapsed();
    for (;;) {
      signal?.throwIfAborted();
      const holder = await server.lock(lockId, owner);
      if (holder === null || holder.lockId === lockId) return;
      if (clock.elapsed() - began >= timeout) throw lockedBy(name, holder.owner, timeout, BY_A_PERSON);
      await clock.sleep(PAUSE, signal);
    }
  }

  /** The first document, written under the lock once the server has refused a second lock and a write without it. */
  async function probed(lockId: string, owner: Owner): Promise<StateDocument> {
    const other = lockIdOf(owner, token());
    const second = await server.lock(other, owner);
    if (second === null) throw noSwap(name, "that its lock is held: two runs got it");
    const serial = 1;
    const nothing = { holder: null, snapshot: null, journal: [] };
    const proof = { serial, writer: other, probed: new Date(clock.now()).toISOString(), ...nothing };
    if (await server.put(proof, other)) throw noSwap(name, "the ID of the lock in a write");
    const document = { ...proof, writer: lockId };
    if (!(await server.put(document, lockId))) throw noSwap(name, "the holder of the lock in a write");
    return document;
  }

  return {
    name,
    rhythm: RHYTHM,
    openTo: "everyone who may write to that address",
    isOwn: false,
    async read() {
      const document = await server.get();
      if (document === null) return EMPTY;
      const { snapshot, journal, holder } = document;
      return { snapshot, trace: null, journal, held: holder === null ? null : { by: holder } };
    },
    async lock(owner, waiting) {
      const lockId = lockIdOf(owner, token());
      await take(lockId, owner, waiting);
      try {
        const document = (await server.get()) ?? (await probed(lockId, owner));
        return lockOf({ server, owner, lockId, name, clock, document, pace, waiting });
      } catch (error) {
        await server.unlock(lockId).catch(() => undefined);
        throw error;
      }
    },
    async unlock() {
      const owner: Owner = { ...REMOVER, since: new Date(clock.now()).toISOString() };
      const lockId = lockIdOf(owner, token());
      const holder: LockHolder | null = await server.lock(lockId, owner);
      if (holder !== null) {
        await server.unlock(holder.lockId);
        await take(lockId, owner, { timeout: 0 });
      }
      const document = await server.get();
      // Also without a holder: a run that still lives finds out by it that a person removed its lock.
      if (document !== null && (holder !== null || document.holder !== null)) {
        const serial = document.serial + 1;
        await server.put({ ...document, serial, holder: null, writer: `${lockId} ${serial}` }, lockId);
      }
      await server.unlock(lockId);
      return holder?.owner ?? null;
    },
    // Each write sends the whole document, which would grow with each run.
    history: null,
  };
}

/** Who removes a lock. */
const REMOVER: Omit<Owner, "since"> = {
  id: "unlock",
  host: "this machine",
  pid: 0,
  command: "remit state unlock",
  job: null,
  user: null,
};

function token(): string {
  return randomBytes(8).toString("hex");
}
