import type { Clock } from "../../model/clock.js";
import { say } from "../../words/say.js";
import { BY_LEASE } from "../owner.js";
import type { Contents, Owner, Trace, Waiting } from "../store.js";
import { StateError } from "../store.js";
import { waitForLock } from "../waitForLock.js";
import { CADENCE, type Cadence, makePacer, type Pacer } from "./cadence.js";
import { journalIn, readStateFiles, type StateFiles } from "./document.js";
import { lostRef, notTaken, rolledBack } from "./fault.js";
import { holderIn, isLeftIn, isLock, lockDraft, stateIn, witnessIn } from "./held.js";
import {
  type Heads,
  openRepository,
  type Pushed,
  type Repository,
  type RepositoryOptions,
} from "./repository.js";

/** Where a state is kept in a repository, and how. */
export interface GitStoreOptions extends RepositoryOptions {
  /** The version of remit that writes. */
  readonly version: string;
  /** Milliseconds that a request of a dead holder may be under way: a taker waits for it after the lease. */
  readonly requestTimeout: number;
  readonly cadence?: Cadence;
}

/** A lock that was just taken: the ref of the lock is at a commit of this run, or is free and acquired by the first push. */
export interface TakenRef {
  readonly repository: Repository;
  readonly owner: Owner;
  /** Where the refs are. Without a lock, the first push acquires it from there. */
  readonly heads: Heads;
  readonly state: Omit<StateFiles, "files">;
  /** The store, and the ref of the state, as messages name them. */
  readonly name: string;
  readonly ref: string;
  readonly version: string;
  readonly clock: Clock;
  readonly cadence: Cadence;
  readonly pacer: Pacer;
}

/** Where the refs are, and what the commit of the state is. */
type Taken = Pick<TakenRef, "heads" | "state">;

const NONE: Omit<StateFiles, "files"> = { version: null, batches: 0 };
/** A push that was not taken, while the lock stayed where it was, is made so often. */
const ATTEMPTS = 3;

/** Waits for the lock of a state, and takes it over from a holder that was silent for a lease and a request. */
export async function takeLock(options: GitStoreOptions, owner: Owner, waiting: Waiting): Promise<TakenRef> {
  const { name, refs, version, clock, cadence = CADENCE } = options;
  const repository = await openRepository(options);
  const pacer = makePacer(clock, cadence, waiting.told);
  try {
    const free = waiting.isLazy === true ? await freeHeads(options, repository) : null;
    const mine = free ?? (await wait({ ...options, cadence }, repository, pacer, owner, waiting));
    const { heads, state } = mine;
    return { repository, owner, heads, state, name, ref: refs.state, version, clock, cadence, pacer };
  } catch (error) {
    await repository.close();
    throw error;
  }
}

/** Where the refs are of a lock that the first push may acquire: it is free, and its last holder left nothing to settle. */
async function freeHeads({ name, refs }: GitStoreOptions, repository: Repository): Promise<Taken | null> {
  const heads = await repository.bring();
  if (heads.lock !== null) return null;
  if (heads.state === null) return { heads, state: NONE };
  const files = readStateFiles(await repository.files(heads.state), name, refs.state);
  return journalIn(files).length === 0 ? { heads, state: files } : null;
}

/**
 * How many commits of this run want a free lock: two where the remote has kept no snapshot yet. A remote that swaps takes
 * one of them, and any other is refused.
 */
export function rivalsFor({ lock }: Heads, { version }: TakenRef["state"]): number {
  return lock === null && version === null ? 2 : 1;
}

/** What came of a push, or of several that want the same refs. */
interface Contest {
  /** Where the refs are by the one that was taken; null where none was. */
  readonly won: Heads | null;
  /** Where the remote has them. */
  readonly there: Heads;
  readonly pushed: Pushed;
}

/** Pushes at once what wants the same refs; throws a `StateError` where the remote took more than one. */
export async function contend(
  repository: Repository,
  name: string,
  from: Heads,
  rivals: readonly [Heads, ...Heads[]],
): Promise<Contest> {
  const [first] = rivals;
  const pushes = await Promise.all(rivals.map((to) => repository.push(from, to)));
  if (pushes.filter(({ isTaken }) => isTaken).length > 1) {
    const there = await repository.heads();
    const state = there.state === first.state ? from.state : there.state;
    await repository.push(there, { state, lock: from.lock });
    throw new StateError(say("state/no-swap#pushes", { name }));
  }
  const pushed = pushes.find(({ isDone }) => isDone) ?? pushes[0];
  if (pushed === undefined) throw new Error("a contest needs a push");
  const won = rivals[pushes.indexOf(pushed)];
  if (pushed.isDone && won !== undefined) return { won, there: won, pushed };
  // One of several may have been taken after another was looked for.
  const there = pushes.length === 1 ? pushed.reply : await repository.heads();
  return { won: rivals.find((to) => isSame(to, there)) ?? null, there, pushed };
}

function isSame(one: Heads, other: Heads): boolean {
  return one.state === other.state && one.lock === other.lock;
}

/** Who holds the lock by a commit of it that was fetched; null where it is free, or was left. */
export async function heldAt(repository: Repository, lock: string | null): Promise<Contents["held"]> {
  if (lock === null) return null;
  return heldIn(await repository.files(lock).catch(() => new Map()));
}

/** The same by the files of that commit. */
export function heldIn(files: ReadonlyMap<string, string>): Contents["held"] {
  return isLeftIn(files) ? null : { by: holderIn(files) };
}

/** What shows that a ref was removed under a lock: the lock names a commit of the state that is gone. */
export async function traceAt(
  repository: Repository,
  { state, lock }: Heads,
  ref: string,
): Promise<Trace | null> {
  if (state !== null || lock === null) return null;
  const commit = stateIn(await repository.files(lock).catch(() => new Map()));
  if (commit === null) return null;
  const remedy = `Push that commit, or the last one that a clone has, to ${ref} again. To start without it, run \`remit state unlock\`.`;
  return { what: `its lock, which names commit ${commit},`, remedy };
}

/**
 * Throws a `StateError` where the ref of the lock is not a lock of remit, and where the state is not at the commit that
 * its lock names.
 */
export async function checkWitness(
  repository: Repository,
  { state, lock }: Heads,
  name: string,
  refs: RepositoryOptions["refs"],
): Promise<void> {
  if (lock === null) return;
  const files = await repository.files(lock);
  if (!isLock(files)) throw new StateError(say("state/foreign-lock", { lock: refs.lock, name }));
  const witness = witnessIn(files);
  if (state !== null && witness !== state) throw rolledBack(name, refs.state, witness);
}

async function stateAt(
  repository: Repository,
  { state }: Heads,
  name: string,
  refs: RepositoryOptions["refs"],
): Promise<TakenRef["state"]> {
  return state === null ? NONE : readStateFiles(await repository.files(state), name, refs.state);
}

function wait(
  options: GitStoreOptions & { readonly cadence: Cadence },
  repository: Repository,
  pacer: Pacer,
  owner: Owner,
  waiting: Waiting,
): Promise<Taken> {
  const { name, refs, clock, cadence, requestTimeout } = options;
  let there: Heads = { state: null, lock: null };
  return waitForLock(
    {
      ...{ name, clock, poll: cadence.poll, silence: cadence.lease + requestTimeout, next: BY_LEASE },
      async look() {
        there = await repository.bring();
        const { lock } = there;
        // A ref that is not a lock is not waited for.
        if (lock === null || (await isLeft(repository, name, refs.lock, lock))) return null;
        const by = (await heldAt(repository, lock))?.by ?? null;
        // The date of a commit may be wrong.
        const seemsSilent = async () => Math.abs(clock.now() - (await repository.time(lock))) > cadence.lease;
        return { tag: lock, by, isGone: false, seemsSilent };
      },
      take: () => attempt(options, repository, pacer, owner, there),
    },
    waiting,
  );
}

/**
 * Whether the ref of a lock has none, or one that its holder gave up. Throws a `StateError` where it has something else
 * than a lock of remit.
 */
export async function isLeft(
  repository: Repository,
  name: string,
  ref: string,
  lock: string | null,
): Promise<boolean> {
  if (lock === null) return true;
  const files = await repository.files(lock);
  if (!isLock(files)) throw new StateError(say("state/foreign-lock", { lock: ref, name }));
  return isLeftIn(files);
}

/** Makes the lock this run's own, from where it was seen; null where another run was faster. */
async function attempt(
  { name, refs, clock }: GitStoreOptions,
  repository: Repository,
  pacer: Pacer,
  owner: Owner,
  from: Heads,
): Promise<Taken | null> {
  const state = await stateAt(repository, from, name, refs);
  await checkWitness(repository, from, name, refs);
  // The next lock would not name the commit, and a later run would take the state for a new one.
  const trace = await traceAt(repository, from, refs.state);
  if (trace !== null) throw lostRef(name, trace);
  for (let place = 1; ; place += 1) {
    await pacer.ready();
    const drafts = Array.from({ length: rivalsFor(from, state) }, () =>
      lockDraft(owner, from, from.state, clock.now()),
    );
    const commits = await repository.commit(drafts);
    const [first = from, ...others] = commits.map((lock) => ({ ...from, lock }));
    const { won, there, pushed } = await contend(repository, name, from, [first, ...others]);
    if (won !== null) return { heads: won, state };
    if (there.lock !== from.lock || there.state !== from.state) return null;
    // A remote may also refuse because another run had the lock until now.
    const error = notTaken(pushed, name, refs.lock);
    if (place === ATTEMPTS || error.refusal === "never") throw error;
  }
}
