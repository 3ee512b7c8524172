import { noSwap } from "../web/fault.js";
import type { Bucket } from "./bucket.js";

/**
 * Proves that the store carries out conditional writes: of each pair that wants the same, one may succeed. Throws the
 * `StateError` `state/no-swap`, which names the condition that was ignored.
 */
export async function probeBucket(bucket: Bucket, name: string, token: string): Promise<void> {
  const object = `.journal/probe-${token}`;
  try {
    const made = await pair((writer) => bucket.create(object, writer));
    if (made.length > 1) throw noSwap(name, "the condition If-None-Match of a write");
    const [tag] = made;
    // Another attempt of the one that succeeded was refused, and says so.
    const known = tag ?? (await tagOf(bucket, object));
    if (known === null) throw noSwap(name, "a write with the condition If-None-Match");
    const swapped = await pair((writer) => bucket.swap(object, known, `${writer} again`));
    if (swapped.length > 1) throw noSwap(name, "the condition If-Match of a write");
    if ((await bucket.swap(object, known, "late")) !== null)
      throw noSwap(name, "the condition If-Match of a write");
    if ((await bucket.create(object, "late")) !== null)
      throw noSwap(name, "the condition If-None-Match of a write");
  } finally {
    await bucket.remove(object).catch(() => undefined);
  }
}

/** The tags of those of two writes at once that succeeded. */
async function pair(write: (writer: string) => Promise<string | null>): Promise<readonly string[]> {
  const tags = await Promise.all(["one", "two"].map(write));
  return tags.filter((tag) => tag !== null);
}

async function tagOf(bucket: Bucket, object: string): Promise<string | null> {
  const stored = await bucket.get(object);
  return stored === null || stored === "hidden" ? null : stored.tag;
}
