import { randomUUID } from "node:crypto";
import { decode } from "./codec.js";
import { damaged, isDamage, keepsChanging, replaceable } from "./fault.js";
import { FORMAT } from "./format.js";
import {
  decodeHead,
  encodeHead,
  MARK,
  MARK_TEXT,
  recordName,
  type SnapshotName,
  type StateHead,
} from "./head.js";
import { holderOf, type TakenHead } from "./holder.js";
import { HEAD, Hidden, type Objects, type StoreTraits } from "./objects.js";
import { BY_LEASE } from "./owner.js";
import { probeSwaps } from "./probe.js";
import type { Kept } from "./snapshot.js";
import type { Contents, Owner, Store, Trace, Waiting } from "./store.js";
import { waitForLock } from "./waitForLock.js";

/** So often is the state read anew when another run saves it in between. */
const ATTEMPTS = 50;

/**
 * The store of a state that is kept as objects: all that is not the driver's. `open` gives the objects for one piece of
 * work. Reading needs `get` alone. `test/contracts/folder.ts` is a driver for a folder, which an afternoon is enough for.
 */
export function holdStore(open: () => Objects, traits: StoreTraits): Store<Kept> {
  async function using<T>(work: (objects: Objects) => Promise<T>): Promise<T> {
    const objects = open();
    try {
      return await work(objects);
    } finally {
      await objects.close?.();
    }
  }
  return {
    name: traits.name,
    rhythm: traits.rhythm,
    openTo: traits.openTo,
    isOwn: false,
    read: () => using((objects) => readState(objects, traits)),
    async lock(owner, waiting) {
      const objects = open();
      try {
        const token = randomUUID();
        const taken = await take(objects, traits, token, owner, waiting);
        if (taken.head.snapshot === null) await objects.put(MARK, MARK_TEXT);
        return holderOf({ objects, traits, owner, token, ...taken, waiting });
      } catch (error) {
        await objects.close?.();
        throw error;
      }
    },
    unlock: () => using((objects) => unlock(objects, traits)),
    history: (work) =>
      using((objects) =>
        work({ record: async (hash) => (await objects.get(recordName(hash)))?.text ?? null }),
      ),
  };
}

/** A head as it was read, and the tag to swap it by. */
interface FoundHead {
  readonly head: StateHead;
  readonly tag: string;
  readonly age: number | null;
}

async function findHead(objects: Objects, name: string): Promise<FoundHead | null> {
  const found = await objects.get(HEAD);
  return found === null
    ? null
    : { head: decodeHead(found.text, name), tag: found.tag, age: found.age ?? null };
}

/** After so long a holder that showed no life is dead, and so is its last request. */
function silenceOf({ lease, requestTimeout }: StoreTraits): number {
  return lease + requestTimeout;
}

async function readState(objects: Objects, traits: StoreTraits): Promise<Contents<Kept>> {
  const { name } = traits;
  let found = await findHead(objects, name);
  for (let attempt = 0; attempt < ATTEMPTS && found !== null; attempt += 1) {
    const { head, tag, age } = found;
    const { snapshot, before, journal, lock } = head;
    const parts = await Promise.all([
      snapshot === null ? null : textAt(objects, snapshot.name),
      ...journal.batches.map((batch) => textAt(objects, batch)),
    ]);
    const missing = parts.find((part) => part !== null && "missing" in part);
    if (missing === undefined) {
      const [text = null, ...batches] = parts.map((part) =>
        part !== null && "text" in part ? part.text : null,
      );
      return {
        snapshot: text === null ? null : decoded(text, name, before),
        trace: snapshot === null && head.isLost ? traceBy(name) : null,
        journal: [...batches.flatMap(linesIn), ...journal.lines],
        held: lock === null || (age ?? 0) > silenceOf(traits) ? null : { by: lock.owner },
      };
    }
    // A part is dropped once no head names it: then there is a newer head.
    found = await findHead(objects, name);
    if (found?.tag === tag) throw damaged(name, `the object ${missing.missing} is missing`);
  }
  if (found !== null) throw keepsChanging(name);
  return { snapshot: null, trace: await traceOf(objects, name), journal: [], held: null };
}

async function textAt(
  objects: Objects,
  part: string,
): Promise<{ readonly text: string } | { readonly missing: string }> {
  return (await objects.get(part)) ?? { missing: part };
}

function linesIn(batch: string | null): readonly string[] {
  return (batch ?? "").split("\n").filter((line) => line !== "");
}

function decoded(text: string, name: string, before: SnapshotName | null): Kept {
  try {
    return decode(text, name);
  } catch (error) {
    if (isDamage(error) && before !== null) throw replaceable(error, name, `${name}${before.name}`);
    throw error;
  }
}

/** What shows that a state was here: its mark stays where its head is removed. */
async function traceOf(objects: Objects, name: string): Promise<Trace | null> {
  return (await objects.get(MARK)) === null ? null : traceBy(name);
}

function traceBy(name: string): Trace {
  const mark = `${name}${MARK}`;
  const remedy = `If the store keeps old versions, restore ${name} from one. To start without it, remove ${mark} and ${name}.`;
  return { what: mark, remedy };
}

/** Swaps the head for one that names the taker; waits while another run shows life. */
async function take(
  objects: Objects,
  traits: StoreTraits,
  token: string,
  owner: Owner,
  waiting: Waiting,
): Promise<Pick<TakenHead, "head" | "tag">> {
  const { name, clock, lease, poll, version, place } = traits;
  const silence = silenceOf(traits);
  const lock = { token, owner };
  let seen: FoundHead | null = null;
  let versions = 0;
  /** Why the head could not be read: it may be missing. */
  let hidden: Hidden | null = null;

  async function look() {
    const found = await findHead(objects, name).catch((error) => {
      if (!(error instanceof Hidden)) throw error;
      hidden = error;
      return null;
    });
    if (found?.tag !== seen?.tag) versions += 1;
    seen = found;
    if (found === null || found.head.lock === null) return null;
    const { tag, age, head } = found;
    // Where the store has no clock, only the next version of a lock shows that its holder lives.
    const seemsSilent = waiting.timeout > 0 && (age === null ? versions === 1 : age > lease);
    return { tag, by: head.lock?.owner ?? null, isGone: age !== null && age > silence, seemsSilent };
  }
  async function takeSeen() {
    if (seen?.head.proved !== place) await probeSwaps(objects, traits, token);
    const { head: kept = await firstHead(objects, traits), tag: before = null } = seen ?? {};
    const head = { ...kept, writtenBy: version, turn: kept.turn + 1, proved: place, lock };
    const tag = await objects.swap(HEAD, before, encodeHead(head));
    // There is a head that this user may not read.
    if (tag === null && hidden !== null) throw hidden;
    return tag === null ? null : { head, tag };
  }
  return waitForLock({ name, clock, silence, poll, next: BY_LEASE, look, take: takeSeen }, waiting);
}

/** The head of a state before its first version. */
async function firstHead(objects: Objects, { name, version, place }: StoreTraits): Promise<StateHead> {
  const head = { formatVersion: FORMAT, writtenBy: version, turn: 0, proved: place } as const;
  const isLost = (await traceOf(objects, name)) !== null;
  const journal = { batches: [], lines: [] };
  return { ...head, snapshot: null, before: null, isLost, journal, lock: null };
}

async function unlock(objects: Objects, { name, version }: StoreTraits): Promise<Owner | null> {
  for (;;) {
    const found = await findHead(objects, name);
    if (found === null || found.head.lock === null) return null;
    const { head, tag } = found;
    const free = { ...head, writtenBy: version, turn: head.turn + 1, lock: null };
    if ((await objects.swap(HEAD, tag, encodeHead(free))) !== null) return found.head.lock.owner;
  }
}
