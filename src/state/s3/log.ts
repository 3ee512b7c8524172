import { isObject, parseJson } from "../../model/json.js";
import { damaged } from "../fault.js";
import { refused } from "../web/fault.js";
import type { Bucket } from "./bucket.js";
import { type BatchPlace, batchName, READABLE } from "./pointer.js";

/** What one object of a journal contains. */
interface Batch {
  readonly life: string;
  /** The lock under which it was written. */
  readonly token: string;
  readonly lines: readonly string[];
}

/** A journal as it was read. */
export interface Log {
  readonly lines: readonly string[];
  /** The number of the first batch that is not there. */
  readonly next: number;
  /** The numbers of batches without lines: each keeps a place from a holder that may write late. */
  readonly fences: readonly number[];
}

/** So many batches are read at once, at most. */
const WIDTH = 16;

/** Reads the batches in order up to the first that is missing; nothing is listed. */
export async function readLog(bucket: Bucket, name: string, place: BatchPlace): Promise<Log> {
  const lines: string[] = [];
  const fences: number[] = [];
  let next = place.from;
  for (let width = 1; ; width = Math.min(WIDTH, width * 2)) {
    const numbers = Array.from({ length: width }, (_, at) => next + at);
    const batches = await Promise.all(numbers.map((number) => readBatch(bucket, name, place, number)));
    for (const batch of batches) {
      if (batch === null) return { lines, next, fences };
      if (batch.lines.length === 0) fences.push(next);
      lines.push(...batch.lines);
      next += 1;
    }
  }
}

/** Null where the batch is not there, or belongs to an earlier state at this address. */
async function readBatch(
  bucket: Bucket,
  name: string,
  place: BatchPlace,
  number: number,
): Promise<Batch | null> {
  const stored = await bucket.get(batchName(place, number));
  if (stored === "hidden") {
    await checkReadable(bucket, name);
    return null;
  }
  if (stored === null) return null;
  const batch = batchIn(stored.text);
  if (batch === null)
    throw damaged(name, `the batch ${batchName(place, number)} of its journal cannot be read`);
  return batch.life === place.life ? batch : null;
}

/** Where this user may read the journal, a hidden batch is a missing one. */
async function checkReadable(bucket: Bucket, name: string): Promise<void> {
  if ((await bucket.get(READABLE)) !== "hidden") return;
  throw refused(
    name,
    "this user may not read its journal (AccessDenied)",
    "It needs s3:GetObject on every object whose name begins with the key of the state.",
  );
}

/** Closes a journal for every earlier holder: its next batch has no place. */
export async function fenceLog(
  bucket: Bucket,
  name: string,
  place: BatchPlace,
  token: string,
): Promise<Pick<Log, "next" | "fences">> {
  for (;;) {
    const { next, fences } = await readLog(bucket, name, place);
    if (await writeBatch(bucket, place, next, token, []))
      return { next: next + 1, fences: [...fences, next] };
  }
}

/**
 * Writes a batch that no other run has written; gives whether this run has. A batch of a state that was removed gives
 * way.
 */
export async function writeBatch(
  bucket: Bucket,
  place: BatchPlace,
  number: number,
  token: string,
  lines: readonly string[],
): Promise<boolean> {
  const object = batchName(place, number);
  const text = JSON.stringify({ life: place.life, token, lines } satisfies Batch);
  for (;;) {
    if ((await bucket.create(object, text)) !== null) return true;
    const other = await bucket.get(object);
    // The answer to an earlier attempt was lost.
    if (other !== null && other !== "hidden" && other.text === text) return true;
    if (other !== null && (other === "hidden" || batchIn(other.text)?.life === place.life)) return false;
    if (other !== null) await bucket.remove(object);
  }
}

function batchIn(text: string): Batch | null {
  const batch = parseJson(text);
  if (!isObject(batch) || typeof batch.life !== "string" || !Array.isArray(batch.lines)) return null;
  return batch as unknown as Batch;
}
