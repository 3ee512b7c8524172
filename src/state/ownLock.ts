import { encodeHead, freed, type StateHead } from "./head.js";
import type { LockedObjects, OwnHolder, StoreTraits, UnderLock } from "./objects.js";
import type { Owner, Waiting } from "./store.js";
import { waitForLock } from "./waitForLock.js";

/** How the lock becomes free. */
const BY_A_PERSON =
  "remit never takes this lock over, because its server cannot show whether the holder lives. If that job is dead, `remit state unlock` frees it.";

/** Waits for a lock of the store's own. Nothing takes it over: its server does not say whether the holder lives. */
export function takeOwn(
  objects: LockedObjects,
  { name, clock, poll }: StoreTraits,
  owner: Owner,
  waiting: Waiting,
): Promise<UnderLock> {
  let answer: UnderLock | OwnHolder | null = null;
  return waitForLock(
    {
      ...{ name, clock, poll, silence: Number.POSITIVE_INFINITY, next: BY_A_PERSON },
      async look() {
        answer = await objects.take(owner);
        return "id" in answer
          ? { tag: answer.id, by: answer.by, isGone: false, seemsSilent: () => false }
          : null;
      },
      take: async () => (answer !== null && "free" in answer ? answer : null),
    },
    waiting,
  );
}

/** Removes the lock of any holder, and gives that holder. */
export async function unlockOwn(
  objects: LockedObjects,
  traits: StoreTraits,
  find: () => Promise<{ readonly head: StateHead; readonly tag: string } | null>,
): Promise<Owner | null> {
  const { clock, version } = traits;
  const remover: Owner = { ...REMOVER, since: new Date(clock.now()).toISOString() };
  const holder = await objects.take(remover);
  if ("id" in holder) await objects.remove(holder.id);
  const lock = "id" in holder ? await takeOwn(objects, traits, remover, { timeout: 0 }) : holder;
  const found = await find();
  // Also without a holder: a run that still lives finds out by it that a person removed its lock.
  if (found !== null && ("id" in holder || found.head.lock !== null)) {
    await lock.all(found.tag, encodeHead(freed(found.head, version)), { put: new Map(), drop: [] });
  }
  await lock.free();
  return "id" in holder ? holder.by : null;
}

/** Who removes a lock. */
const REMOVER: Omit<Owner, "since"> = {
  id: "unlock",
  host: "this machine",
  pid: 0,
  command: "remit state unlock",
  job: null,
  user: null,
};
