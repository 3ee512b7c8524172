import { randomBytes } from "node:crypto";
import { isCount, isMap, isText, type Members } from "../../model/expectation.js";
import { isObject, type Json, type JsonObject, parseJson } from "../../model/json.js";
import { say } from "../../words/say.js";
import { damaged } from "../fault.js";
import { checkFormat, FORMAT, isOfRemit, NOT_OURS } from "../format.js";
import { decodeHead, encodeHead, SNAPSHOTS } from "../head.js";
import { holdStore } from "../hold.js";
import {
  HEAD,
  type LockedObjects,
  type Objects,
  type Parts,
  type Tagged,
  type UnderLock,
} from "../objects.js";
import type { Kept } from "../snapshot.js";
import { type Owner, type Rhythm, StateError, type Store } from "../store.js";
import { misfitOf } from "../validity.js";
import { noSwap } from "../web/fault.js";
import { lockIdOf, type StateServer, type StateServerOptions, stateServer } from "./server.js";

/** Everything that the server keeps: one document, which each write replaces. */
interface StateDocument {
  readonly head: string;
  /** What the head names: a snapshot as JSON, lines as text. */
  readonly parts: JsonObject;
}

/** The largest document, in bytes: the server gets and keeps all of it with each write. */
const LARGEST = 10_000_000;

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

/** An object of the document. Its head is its tag. */
function objectIn(document: StateDocument | null, object: string): Tagged | null {
  if (document === null) return null;
  const { head, parts } = document;
  if (object === HEAD) return { text: head, tag: head };
  const part = Object.hasOwn(parts, object) ? parts[object] : undefined;
  if (part === undefined) return null;
  return { text: typeof part === "string" ? part : JSON.stringify(part), tag: head };
}

/** The document after a write. The server keeps earlier versions, so this one has only the newest snapshot. */
function withParts(
  before: StateDocument | null,
  name: string,
  head: string,
  { put, drop }: Parts,
): StateDocument {
  const former = decodeHead(head, name).before?.name;
  const gone = new Set([...drop, former]);
  const kept = Object.entries(before?.parts ?? {}).filter(([object]) => !gone.has(object));
  const more = [...put].map(([object, text]): [string, Json] => [
    object,
    (object.startsWith(SNAPSHOTS) ? parseJson(text) : undefined) ?? text,
  ]);
  return { head, parts: Object.fromEntries([...kept, ...more]) };
}

/** The document as text. Throws a `StateError` for one that is too large to be sent again and again. */
export function encodeDocument(name: string, { head, parts }: StateDocument, version: string): string {
  const { turn, snapshot } = decodeHead(head, name);
  const marks = { serial: turn, lineage: snapshot?.lineage ?? "", formatVersion: FORMAT, writtenBy: version };
  const text = JSON.stringify({ ...marks, head: parseJson(head) ?? null, parts });
  const size = new TextEncoder().encode(text).length;
  if (size <= LARGEST) return text;
  throw new StateError(say("state/too-large", { size: (size / 1e6).toFixed(1), name }));
}

/** Reads a document. Throws a `StateError` for one that remit has not written. */
export function decodeDocument(text: string, name: string): StateDocument {
  const document = parseJson(text);
  if (!isObject(document) || !isOfRemit(document)) throw damaged(name, NOT_OURS);
  checkFormat(document, name, misfitOf(document, MEMBERS));
  const { head, parts } = document as unknown as { readonly head: JsonObject; readonly parts: JsonObject };
  return { head: encodeHead(decodeHead(JSON.stringify(head), name)), parts };
}

const MEMBERS: Members = { writtenBy: isText, serial: isCount, head: isMap, parts: isMap };
