import type { Clock } from "../../model/clock.js";
import type { Transmit } from "../../model/exchange.js";
import { holdStore } from "../hold.js";
import { PROMPT } from "../rhythm.js";
import type { Kept } from "../snapshot.js";
import type { Store } from "../store.js";
import type { StoredState } from "../stored.js";
import type { BucketAddress } from "./address.js";
import { openBucket } from "./bucket.js";
import { type KeySource, keyRing } from "./keys.js";
import { listBucketStates } from "./list.js";

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
