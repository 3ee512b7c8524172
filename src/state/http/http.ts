import { randomBytes } from "node:crypto";
import { holdStore } from "../hold.js";
import { HEAD, type LockedObjects, type Objects, type UnderLock } from "../objects.js";
import type { Rhythm } from "../rhythm.js";
import type { Kept } from "../snapshot.js";
import type { Owner, Store } from "../store.js";
import { noSwap } from "../web/fault.js";
import { decodeDocument, encodeDocument, objectIn, type StateDocument, withParts } from "./document.js";
import { lockIdOf } from "./lockId.js";
import { type StateServer, type StateServerOptions, stateServer } from "./server.js";

/** Where and as whom a state is kept behind Terraform's HTTP protocol. */
export interface HttpStoreOptions extends StateServerOptions {
  /** The least milliseconds between two batches of the journal; 5 s where it is left out. */
  readonly pace?: number;
}

/** Milliseconds after which a holder asks whether it still has the lock, before it sends anything. */
const LEASE = 60_000;
/** Milliseconds between two such questions of a quiet holder. */
const BEAT = 5_000;
const POLL = 2_000;
const PACE = 5_000;
/** Each write sends the whole document. */
const RHYTHM: Rhythm = { saves: 60_000, ahead: 500, trip: 5_000, horizon: 30_000 };

/** Keeps the state behind Terraform's HTTP protocol, as GitLab speaks it. Reading needs no right to write. */
export function httpStore(options: HttpStoreOptions): Store<Kept> {
  const { clock, methods, version, pace = PACE } = options;
  const server = stateServer(options);
  return holdStore(() => documentObjects(server, methods.address, version), {
    ...{ name: methods.address, clock, version, pace },
    rhythm: RHYTHM,
    openTo: "everyone who may write to that address",
    keepsHistory: false,
    lease: LEASE,
    beat: BEAT,
    requestTimeout: 0,
    poll: POLL,
    linger: null,
    place: methods.address,
    conditions: {
      create: "that its lock is held: two runs got it",
      replace: "the ID of the lock in a write",
    },
  });
}

/** The objects of a state as one document, which is written under the server's lock. */
function documentObjects(server: StateServer, name: string, version: string): LockedObjects {
  let document: StateDocument | null = null;
  /** The head is asked for first; what it names is in the same document. */
  const get: Objects["get"] = async (object) => {
    if (object === HEAD) {
      const text = await server.get();
      document = text === null ? null : decodeDocument(text, name);
    }
    return objectIn(document, object);
  };

  function under(lockId: string, owner: Owner): UnderLock {
    return {
      get,
      async all(_, head, parts) {
        const next = withParts(document, name, head, parts);
        if (!(await server.put(encodeDocument(name, next, version), lockId))) return null;
        document = next;
        return head;
      },
      isHeld: () => server.isHeldBy(lockId, owner),
      free: () => server.unlock(lockId),
      async prove(head) {
        const other = lockIdOf(owner, token());
        if ((await server.lock(other, owner)) === null)
          throw noSwap(name, "that its lock is held: two runs got it");
        const first = encodeDocument(name, { head, parts: {} }, version);
        if (await server.put(first, other)) throw noSwap(name, "the ID of the lock in a write");
      },
    };
  }

  return {
    get,
    async take(owner) {
      const lockId = lockIdOf(owner, token());
      const holder = await server.lock(lockId, owner);
      return holder === null || holder.lockId === lockId
        ? under(lockId, owner)
        : { id: holder.lockId, by: holder.owner };
    },
    remove: server.unlock,
  };
}

function token(): string {
  return randomBytes(8).toString("hex");
}
