import { randomUUID } from "node:crypto";
import type { Clock } from "../../model/clock.js";
import type { Transmit } from "../../model/exchange.js";
import { decode } from "../codec.js";
import { damaged, isDamage, keepsChanging, replaceable } from "../fault.js";
import { BY_LEASE, lockedBy } from "../owner.js";
import { PROMPT } from "../rhythm.js";
import type { Kept } from "../snapshot.js";
import type { Contents, Store, Trace, Waiting } from "../store.js";
import type { StoredState } from "../stored.js";
import { refused } from "../web/fault.js";
import type { BucketAddress } from "./address.js";
import { type Bucket, openBucket } from "./bucket.js";
import { type KeySource, keyRing } from "./keys.js";
import { listBucketStates } from "./list.js";
import { LEASE, lockOf } from "./lock.js";
import { fenceLog, readLog } from "./log.js";
import {
  decodePointer,
  encodePointer,
  type Pointer,
  READABLE,
  READABLE_TEXT,
  recordName,
} from "./pointer.js";
import { probeBucket } from "./probe.js";

/** Where and as whom a state is kept in a bucket. */
export interface S3StoreOptions {
  readonly at: BucketAddress;
  readonly region: string;
  /** The URL of a server that is not AWS. */
  readonly endpoint: string | null;
  readonly keys: KeySource;
  readonly transmit: Transmit;
  /** The version of remit that writes. */
  readonly version: string;
  readonly clock: Clock;
  /** Milliseconds that a request of a dead holder may be under way: a taker waits for it after the lease. */
  readonly requestTimeout: number;
  /** The least milliseconds from one write of a run to its next; 50 where it is left out. */
  readonly pace?: number;
}

/** The pointer, and the tag to swap it by. */
interface TaggedPointer {
  readonly pointer: Pointer;
  readonly tag: string;
}

/** A version of a held lock, and when this run first saw it. */
interface Seen {
  readonly tag: string;
  readonly at: number;
  /** How many versions of it came before. */
  readonly beats: number;
}

const EMPTY: Contents<Kept> = { snapshot: null, trace: null, journal: [], held: null };
const PAUSE = 1_000;
/** What comes in this time shares one object. */
const PACE = 50;
/** So often is the state read anew when another run saves it in between. */
const ATTEMPTS = 50;

/** Keeps the state in a bucket of S3 or of a server that speaks as S3 does. Reading needs Get alone. */
export function s3Store(options: S3StoreOptions): Store<Kept> {
  const { at, version, clock, requestTimeout, transmit, pace = PACE } = options;
  const name = at.shown;
  const keys = keyRing(options.keys, name, transmit, clock);
  const bucket = openBucket({ ...options, keys });
  const silence = LEASE + requestTimeout;
  const probedAt = `${options.endpoint ?? `https://s3.${options.region}.amazonaws.com`}/${at.bucket}`;

  async function pointerNow(): Promise<TaggedPointer | null | "hidden"> {
    const stored = await bucket.get("");
    if (stored === null || stored === "hidden") return stored;
    return { pointer: decodePointer(stored.text, name), tag: stored.tag };
  }
  /** Without the right to list, a missing state looks like one that may not be read. */
  async function visiblePointer(): Promise<TaggedPointer | null> {
    const found = await pointerNow();
    if (found !== "hidden") return found;
    throw refused(
      name,
      "it does not exist, or this user may not read it (AccessDenied)",
      "Give this user s3:GetObject on every object whose name begins with this key. Where no state exists yet, the first apply makes it; a plan before that needs s3:ListBucket, too.",
    );
  }

  async function read(): Promise<Contents<Kept>> {
    let found = await visiblePointer();
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      if (found === null) return { ...EMPTY, trace: (await hasJournal(bucket)) ? traceOf(name) : null };
      const { pointer } = found;
      const [snapshot, { lines }] = await Promise.all([
        snapshotOf(bucket, name, pointer),
        readLog(bucket, name, pointer.journal),
      ]);
      const after = await visiblePointer();
      const isGone = snapshot === "gone";
      if (isGone && after?.pointer.snapshot?.name === pointer.snapshot?.name)
        throw damaged(name, `the object ${pointer.snapshot?.name} is missing`);
      if (!isGone && after !== null && isSameJournal(pointer, after.pointer)) {
        const { lock } = after.pointer;
        const held = lock === null ? null : { by: lock.owner };
        const trace = pointer.snapshot === null && pointer.isLost === true ? traceOf(name) : null;
        return { snapshot: readSnapshot(snapshot, pointer), trace, journal: lines, held };
      }
      found = after;
    }
    throw keepsChanging(name);
  }
  function readSnapshot(text: string | null, { before }: Pointer): Kept | null {
    try {
      return text === null ? null : decode(text, name);
    } catch (error) {
      if (isDamage(error) && before !== null) throw replaceable(error, name, `${name}${before.name}`);
      throw error;
    }
  }

  /** A state that is locked from its first version on. */
  async function firstPointer(lock: Pointer["lock"], life: string): Promise<Pointer> {
    const journal = { life, serial: 0, from: 0, next: 0 };
    const probed = new Date(clock.now()).toISOString();
    const nothing = { snapshot: null, before: null, isLost: await hasJournal(bucket) };
    return {
      formatVersion: 1,
      writtenBy: version,
      turn: 1,
      probed,
      probedAt,
      ...nothing,
      journal,
      lock,
      isClean: true,
    };
  }

  /** Swaps the pointer for one that names the taker; waits while another run shows life. */
  async function take(
    lock: NonNullable<Pointer["lock"]>,
    { timeout, signal }: Waiting,
  ): Promise<TaggedPointer> {
    const began = clock.elapsed();
    let seen = null as Seen | null;
    for (;;) {
      signal?.throwIfAborted();
      const asked = clock.elapsed();
      const found = await pointerNow();
      if (found === null || found === "hidden") {
        await probeBucket(bucket, name, lock.token);
        const pointer = await firstPointer(lock, lock.token);
        const tag = await bucket.create("", encodePointer(pointer));
        if (tag !== null) return { pointer, tag };
        // There is a pointer that this user may not read.
        if (found === "hidden") await visiblePointer();
        continue;
      }
      const { pointer, tag } = found;
      const isSilent = seen?.tag === tag && asked - seen.at >= silence;
      if (pointer.lock === null || isSilent) {
        if (pointer.probedAt !== probedAt) await probeBucket(bucket, name, lock.token);
        const isClean = pointer.lock === null && pointer.isClean;
        const taken = { writtenBy: version, turn: pointer.turn + 1, probedAt, lock, isClean };
        const wanted: Pointer = { ...pointer, ...taken };
        const swapped = await bucket.swap("", tag, encodePointer(wanted));
        if (swapped !== null) return { pointer: wanted, tag: swapped };
        continue;
      }
      // The lease is timed by this clock, from when this run first saw that version.
      if (seen?.tag !== tag) seen = { tag, at: clock.elapsed(), beats: (seen?.beats ?? -1) + 1 };
      const isUp = clock.elapsed() - began >= timeout;
      if (isUp && (seen.beats > 0 || timeout === 0))
        throw lockedBy(name, pointer.lock.owner, timeout, BY_LEASE);
      await clock.sleep(PAUSE, signal);
    }
  }

  return {
    name,
    rhythm: { ...PROMPT, trip: 50 },
    openTo: "everyone who may write to the bucket",
    isOwn: false,
    read,
    async lock(owner, waiting) {
      const token = randomUUID();
      const { pointer, tag } = await take({ token, owner }, waiting);
      try {
        if (pointer.snapshot === null) await bucket.create(READABLE, READABLE_TEXT);
        const { next, fences } = pointer.isClean
          ? { next: pointer.journal.next, fences: [] }
          : await fenceLog(bucket, name, pointer.journal, token);
        return lockOf({
          bucket,
          owner,
          token,
          name,
          version,
          clock,
          pointer,
          tag,
          next,
          fences,
          pace,
          waiting,
        });
      } catch (error) {
        const free = encodePointer({ ...pointer, turn: pointer.turn + 1, lock: null, isClean: false });
        await bucket.swap("", tag, free).catch(() => undefined);
        throw error;
      }
    },
    async unlock() {
      for (;;) {
        const found = await visiblePointer();
        const lock = found?.pointer.lock ?? null;
        if (found === null || lock === null) return null;
        const { pointer, tag } = found;
        const wanted: Pointer = {
          ...pointer,
          writtenBy: version,
          turn: pointer.turn + 1,
          lock: null,
          isClean: false,
        };
        if ((await bucket.swap("", tag, encodePointer(wanted))) === null) continue;
        await fenceLog(bucket, name, pointer.journal, randomUUID());
        return lock.owner;
      }
    },
    history: (work) =>
      work({
        async record(hash) {
          const stored = await bucket.get(recordName(hash));
          return stored === null || stored === "hidden" ? null : stored.text;
        },
      }),
  };
}

/** The states of the bucket that a store is in. */
export function listS3States(
  options: Omit<S3StoreOptions, "version" | "requestTimeout">,
): Promise<readonly StoredState[]> {
  const { at, clock, transmit } = options;
  const keys = keyRing(options.keys, at.shown, transmit, clock);
  const addressOf = (key: string) => `s3://${at.bucket}/${key}`;
  const open = (key: string) => openBucket({ ...options, keys, at: { ...at, key, shown: addressOf(key) } });
  return listBucketStates({ names: open("").keys, open, addressOf });
}

/** The snapshot's text; null before the first, "gone" where it was replaced while it was looked for. */
async function snapshotOf(
  bucket: Bucket,
  name: string,
  { snapshot }: Pointer,
): Promise<string | null | "gone"> {
  if (snapshot === null) return null;
  const stored = await bucket.get(snapshot.name);
  if (stored === null) return "gone";
  if (stored !== "hidden") return stored.text;
  throw refused(
    name,
    "this user may not read its snapshot (AccessDenied)",
    "It needs s3:GetObject on every object whose name begins with the key of the state.",
  );
}

/** Whether a state was here: what its first run wrote beside its journal stays when its pointer is removed. */
async function hasJournal(bucket: Bucket): Promise<boolean> {
  const stored = await bucket.get(READABLE);
  return stored !== null && stored !== "hidden";
}

function traceOf(name: string): Trace {
  const mark = `${name}${READABLE}`;
  const remedy = `If the bucket keeps old versions, restore ${name} from one. To start without it, remove ${mark} and ${name}.`;
  return { what: mark, remedy };
}

/**
 * Whether a journal was in place all the time. A snapshot that was replaced meanwhile is one version with it as well: its
 * lines are still there.
 */
function isSameJournal({ journal: one }: Pointer, { journal: other }: Pointer): boolean {
  return one.life === other.life && one.from === other.from;
}
