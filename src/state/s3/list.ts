import { decodeHead, MARK } from "../head.js";
import { HEAD } from "../objects.js";
import type { StoredState } from "../stored.js";
import type { Bucket } from "./bucket.js";

/** Where the states of a bucket are listed. */
interface BucketListing {
  /** Names the objects of the bucket. */
  readonly names: () => AsyncIterable<string>;
  /** The objects of the state of one key. */
  readonly open: (key: string) => Bucket;
  /** As `state:` names the state of a key. */
  readonly addressOf: (key: string) => string;
}

/** The states of a bucket: each has an object beside its journal that only remit writes. */
export async function listBucketStates({
  names,
  open,
  addressOf,
}: BucketListing): Promise<readonly StoredState[]> {
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
