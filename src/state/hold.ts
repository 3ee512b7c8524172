import { randomUUID } from "node:crypto";
import { say } from "../words/say.js";
import { decode } from "./codec.js";
import { damaged, isDamage, replaceable } from "./fault.js";
import { FORMAT } from "./format.js";
import {
  decodeHead,
  encodeHead,
  freed,
  MARK,
  MARK_TEXT,
  recordName,
  type SnapshotName,
  type StateHead,
} from "./head.js";
import { holderOf, type TakenHead, writingOf } from "./holder.js";
import {
  HEAD,
  Hidden,
  type LockedObjects,
  type Objects,
  type StoreTraits,
  type UnderLock,
} from "./objects.js";
import { BY_LEASE } from "./owner.js";
import { takeOwn, unlockOwn } from "./ownLock.js";
import type { Kept } from "./snapshot.js";
import { type Contents, type Owner, StateError, type Store, type Trace, type Waiting } from "./store.js";
import { waitForLock } from "./waitForLock.js";
import { noSwap } from "./web/fault.js";

/** So often is the state read anew when another run saves it in between. */
const ATTEMPTS = 50;

/**
 * The store of a state that is kept as objects: all that is not the driver's. `open` gives the objects for one piece of
 * work. Reading needs `get` alone. `test/contracts/folder.ts` is a driver for a folder, which an afternoon is enough for.
 */
export function holdStore(
  open: (told?: Waiting["told"]) => Objects | LockedObjects,
  traits: StoreTraits,
): Store<Kept> {
  async function using<T>(work: (objects: Objects | LockedObjects) => Promise<T>): Promise<T> {
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
    isRemote: true,
    read: () => using((objects) => readState(objects, traits)),
    async lock(owner, waiting) {
      const objects = open(waiting.told);
      try {
        const token = randomUUID();
        const taken =
          "take" in objects
            ? await takeLocked(objects, traits, owner, waiting)
            : await take(objects, traits, token, owner, waiting);
        return holderOf({ traits, owner, token, ...taken, waiting });
      } catch (error) {
        await objects.close?.();
        throw error;
      }
    },
    unlock: () =>
      using((objects) =>
        "take" in objects
          ? unlockOwn(objects, traits, () => findHead(objects, traits.name))
          : unlock(objects, traits),
      ),
    history: traits.keepsHistory
      ? (work) =>
          using(({ get }) => work({ record: async (hash) => (await get(recordName(hash)))?.text ?? null }))
      : null,
  };
}

/** What reading needs. */
type Readable = Pick<Objects, "get">;

/** A head as it was read, and the tag to swap it by. */
interface FoundHead {
  readonly head: StateHead;
  readonly tag: string;
  readonly age: number | null;
  readonly saidAge: number | null;
  readonly isLeft: boolean;
}

async function findHead(objects: Readable, name: string): Promise<FoundHead | null> {
  const found = await objects.get(HEAD);
  return found === null
    ? null
    : {
        head: decodeHead(found.text, name),
        tag: found.tag,
        age: found.age ?? null,
        saidAge: found.saidAge ?? null,
        isLeft: found.isLeft === true,
      };
}

/** After so long a holder that showed no life is dead, and so is its last request. */
function silenceOf({ lease, requestTimeout }: StoreTraits): number {
  return lease + requestTimeout;
}

async function readState(objects: Readable, traits: StoreTraits): Promise<Contents<Kept>> {
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
        snapshot: text === null ? null : await decoded(objects, text, name, before),
        trace: snapshot === null && head.isLost ? traceBy(name) : null,
        journal: [...batches.flatMap(linesIn), ...journal.lines],
        held: lock === null || (age ?? 0) > silenceOf(traits) ? null : { by: lock.owner },
      };
    }
    // A part is dropped once no head names it: then there is a newer head.
    found = await findHead(objects, name);
    if (found?.tag === tag) throw damaged(name, `the object ${missing.missing} is missing`);
  }
  if (found !== null) throw new StateError(say("state/changing", { name }));
  return { snapshot: null, trace: await traceOf(objects, name), journal: [], held: null };
}

async function textAt(
  objects: Readable,
  part: string,
): Promise<{ readonly text: string } | { readonly missing: string }> {
  return (await objects.get(part)) ?? { missing: part };
}

function linesIn(batch: string | null): readonly string[] {
  return (batch ?? "").split("\n").filter((line) => line !== "");
}

async function decoded(
  objects: Readable,
  text: string,
  name: string,
  before: SnapshotName | null,
): Promise<Kept> {
  try {
    return decode(text, name);
  } catch (error) {
    const isLeft = isDamage(error) && before !== null && (await objects.get(before.name)) !== null;
    throw isLeft ? replaceable(error, name, `${name}${before.name}`) : error;
  }
}

/** What shows that a state was here: its mark stays where its head is removed. */
async function traceOf(objects: Readable, name: string): Promise<Trace | null> {
  return (await objects.get(MARK)) === null ? null : traceBy(name);
}

function traceBy(name: string): Trace {
  const mark = `${name}${MARK}`;
  const remedy = `If the store keeps old versions, restore ${name} from one. To start without it, remove ${mark} and ${name}.`;
  return { what: mark, remedy };
}

/** A lock that was taken, and how its holder writes. */
type Taken = Pick<TakenHead, "head" | "tag" | "writing">;

/** Takes a lock of the store's own. Its first write names the holder in the head. */
async function takeLocked(
  objects: LockedObjects,
  traits: StoreTraits,
  owner: Owner,
  waiting: Waiting,
): Promise<Taken> {
  const lock = await takeOwn(objects, traits, owner, waiting);
  try {
    const found = await findHead(lock, traits.name);
    return { writing: writingOf(lock), ...(found ?? (await begin(lock, traits))) };
  } catch (error) {
    await lock.free().catch(() => undefined);
    throw error;
  }
}

/** Writes the first head, under a lock that the server has proved to keep. */
async function begin(lock: UnderLock, traits: StoreTraits): Promise<Pick<Taken, "head" | "tag">> {
  const head = { ...firstHead(traits, false), turn: 1 };
  const text = encodeHead(head);
  await lock.prove(text);
  const tag = await lock.all(null, text, { put: new Map(), drop: [] });
  if (tag === null) throw noSwap(traits.name, "the holder of the lock in a write");
  return { head, tag };
}

/** Swaps the head for one that names the taker; waits while another run shows life. */
async function take(
  objects: Objects,
  traits: StoreTraits,
  token: string,
  owner: Owner,
  waiting: Waiting,
): Promise<Taken> {
  const { name, clock, lease, poll, version, place, conditions } = traits;
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
    const { tag, age, head, saidAge } = found;
    const said = age ?? (saidAge === null ? null : Math.abs(saidAge));
    // Without a clock, only the next version of a lock shows that its holder lives.
    const seemsSilent = () => waiting.timeout > 0 && (said === null ? versions === 1 : said > lease);
    return { tag, by: head.lock?.owner ?? null, isGone: age !== null && age > silence, seemsSilent };
  }
  async function takeSeen() {
    if (conditions !== null && seen?.head.proved !== place)
      await probeSwaps(objects, name, conditions, token);
    const isLost = seen === null && (await traceOf(objects, name)) !== null;
    const { head: kept = firstHead(traits, isLost), tag: before = null } = seen ?? {};
    const head = { ...kept, writtenBy: version, turn: kept.turn + 1, proved: place, lock };
    await objects.ready?.();
    const tag = await objects.swap(HEAD, before, encodeHead(head));
    // There is a head that this user may not read.
    if (tag === null && hidden !== null) throw hidden;
    if (tag === null) return null;
    try {
      if (head.snapshot === null) await objects.put(MARK, MARK_TEXT);
    } catch (error) {
      await objects.swap(HEAD, tag, encodeHead(freed(head, version))).catch(() => null);
      throw error;
    }
    return { head, tag, writing: writingOf(objects) };
  }
  /** What a lock is acquired from by the first write: it is free, and its last holder left nothing to settle. */
  async function freeNow(): Promise<Taken | null> {
    if ((await look()) !== null || seen?.isLeft === true) return null;
    const { head = firstHead(traits, false), tag = null } = seen ?? {};
    const isSettled = head.journal.batches.length + head.journal.lines.length === 0;
    return isSettled ? { head, tag, writing: writingOf(objects) } : null;
  }
  const free = traits.isLazy && waiting.isLazy === true ? await freeNow() : null;
  if (free !== null) return free;
  return waitForLock({ name, clock, silence, poll, next: BY_LEASE, look, take: takeSeen }, waiting);
}

/** The head of a state before its first version. */
function firstHead({ version, place }: StoreTraits, isLost: boolean): StateHead {
  const journal = { batches: [], lines: [] };
  const head = { formatVersion: FORMAT, writtenBy: version, turn: 0, proved: place } as const;
  return { ...head, snapshot: null, before: null, isLost, journal, lock: null };
}

async function unlock(objects: Objects, { name, version }: StoreTraits): Promise<Owner | null> {
  for (;;) {
    const found = await findHead(objects, name);
    if (found === null || found.head.lock === null) return null;
    const { head, tag } = found;
    if ((await objects.swap(HEAD, tag, encodeHead(freed(head, version)))) !== null)
      return found.head.lock.owner;
  }
}

/**
 * Proves that a store swaps: of each pair of writes that want the same, one may succeed. Throws the `StateError`
 * `state/no-swap`, which says what was ignored.
 */
async function probeSwaps(
  objects: Objects,
  name: string,
  { create, replace }: NonNullable<StoreTraits["conditions"]>,
  token: string,
): Promise<void> {
  const object = `.journal/probe-${token}`;
  const expect = (isRefused: boolean, ignored: string) => {
    if (!isRefused) throw noSwap(name, ignored);
  };
  try {
    const [tag, ...others] = await pair((text) => objects.swap(object, null, text));
    expect(tag !== undefined && others.length === 0, create);
    const known = tag ?? "";
    expect((await pair((text) => objects.swap(object, known, `${text} again`))).length < 2, replace);
    expect((await objects.swap(object, known, "late")) === null, replace);
    expect((await objects.swap(object, null, "late")) === null, create);
  } finally {
    await objects.drop([object]).catch(() => undefined);
  }
}

/** The tags of those of two writes at once that succeeded. */
async function pair(write: (text: string) => Promise<string | null>): Promise<readonly string[]> {
  const tags = await Promise.all(["one", "two"].map(write));
  return tags.filter((tag) => tag !== null);
}
