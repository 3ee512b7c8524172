import type { Clock } from "../../model/clock.js";
import type { Transmit } from "../../model/exchange.js";
import { decodeHead, MARK } from "../head.js";
import { holdStore } from "../hold.js";
import { HEAD } from "../objects.js";
import type { Kept } from "../snapshot.js";
import { PROMPT, type Store } from "../store.js";
import type { StoredState } from "../stores.js";
import type { BucketAddress } from "./address.js";
import { type Bucket, openBucket } from "./bucket.js";
import { type KeySource, keyRing } from "./keys.js";

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

/** Milliseconds after which the lock of a silent holder may be taken over. */
const LEASE = 30_000;

/** Milliseconds between two renewals of a quiet holder. */
const BEAT = 5_000;

const POLL = 1_000;

/** What comes in this time shares one object. */
const PACE = 50;

/** Where the states of a bucket are listed. */
interface BucketListing {
  /** Names the objects of the bucket. */
  readonly names: () => AsyncIterable<string>;
  /** The objects of the state of one key. */
  readonly open: (key: string) => Bucket;
  /** As `state:` names the state of a key. */
  readonly addressOf: (key: string) => string;
}

/** Keeps the state in a bucket of S3 or of a server that speaks as S3 does. */
export function s3Store(options: S3StoreOptions): Store<Kept> {
  const { at, region, endpoint, version, clock, requestTimeout, transmit, pace = PACE } = options;
  const bucket = openBucket({ ...options, keys: keyRing(options.keys, at.shown, transmit, clock) });
  return holdStore(() => bucket, {
    ...{ name: at.shown, clock, version, requestTimeout, pace },
    rhythm: { ...PROMPT, trip: 50 },
    openTo: "everyone who may write to the bucket",
    keepsHistory: true,
    lease: LEASE,
    beat: BEAT,
    poll: POLL,
    // Every object is durable.
    linger: null,
    place: `${endpoint ?? `https://s3.${region}.amazonaws.com`}/${at.bucket}`,
    conditions: {
      create: "the condition If-None-Match of a write",
      replace: "the condition If-Match of a write",
    },
  });
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

/** The states of a bucket: each has an object beside its journal that only remit writes. */
async function listBucketStates({ names, open, addressOf }: BucketListing): Promise<readonly StoredState[]> {
  const states: StoredState[] = [];
  for await (const name of names()) {
    if (!name.endsWith(MARK)) continue;
    const key = name.slice(0, -MARK.length);
    const stored = key === "" ? null : await open(key).get(HEAD);
    if (stored === null) continue;
    const { snapshot, lock } = decodeHead(stored.text, addressOf(key));
    states.push({
      address: addressOf(key),
      project: snapshot?.project ?? null,
      serial: snapshot?.serial ?? null,
      held: lock === null ? null : { by: lock.owner },
    });
  }
  return states;
}
