import type { Clock } from "../../model/clock.js";
import { say } from "../../words/say.js";
import { decode } from "../codec.js";
import { decodeHead, encodeHead, RECORDS, SNAPSHOTS, type StateHead } from "../head.js";
import { HEAD, type Objects, type Parts, type Tagged } from "../objects.js";
import { isMoved, isSealed } from "../snapshot.js";
import { type Owner, StateError, type Waiting } from "../store.js";
import { CADENCE, type Cadence, makePacer } from "./cadence.js";
import { filesOf, HISTORY, headIn, objectIn, recordPath } from "./document.js";
import { foreignLock, isRolledBack, lostRef, notTaken, rolledBack } from "./fault.js";
import { authorOf, lockDraft, lockIn, trailers } from "./held.js";
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

/** So often is read anew what does not fit together, after a pause in milliseconds: one ref may have moved before the other. */
const READS = 2;
const PAUSE = 500;
/** A push that was not taken, while the refs stayed where they were, is made so often. */
const ATTEMPTS = 3;

/**
 * The objects of a state in a repository. The ref of the state leads to a commit that has them as files. The ref of the
 * lock leads to one that says who holds it, and which commit of the state goes with it. One push moves both. With `isAnew`, the
 * commit of a run that gives the lock up has no parent, and everything that is kept.
 */
export function commitsOf(options: GitStoreOptions, told: Waiting["told"], isAnew = false): Objects {
  const { name, refs, clock, cadence = CADENCE } = options;
  const pacer = makePacer(clock, cadence, told);
  let opened: Promise<Repository> | null = null;
  const repository = () => (opened ??= openRepository(options));
  /** The commit that was read or pushed last, with its head, and all records. */
  let last: { readonly commit: string; readonly head: StateHead } | null = null;
  let records: Promise<ReadonlyMap<string, string>> | null = null;
  let owner: Owner | null = null;

  async function head(): Promise<Tagged | null> {
    const opened = await repository();
    for (let left = READS; ; left -= 1) {
      const heads = await opened.bring();
      try {
        return await headAt(opened, heads);
      } catch (error) {
        if (left === 0 || !isRolledBack(error)) throw error;
        await clock.sleep(PAUSE);
      }
    }
  }
  async function headAt({ files }: Repository, { state, lock }: Heads): Promise<Tagged | null> {
    const held = lock === null ? null : lockIn(await files(lock));
    if (lock !== null && held === null) throw foreignLock(name, refs.lock);
    if (held !== null && held.at !== state)
      throw state === null ? lostRef(name, refs.state, held.at) : rolledBack(name, refs.state, held.at);
    if (state === null) return null;
    const free = headIn(await files(state), name, refs.state);
    last = { commit: state, head: free };
    const tag = tagOf({ state, lock });
    if (held === null) return { text: encodeHead(free), tag };
    const { writtenBy, turn, time } = held;
    return {
      text: encodeHead({ ...free, writtenBy, turn, lock: held.lock }),
      tag,
      saidAge: clock.now() - time,
      isLeft: held.lock === null,
    };
  }

  async function get(object: string): Promise<Tagged | null> {
    if (object === HEAD) return head();
    const opened = await repository();
    if (object.startsWith(RECORDS)) {
      records ??= pastRecords(opened);
      const text = (await records).get(recordPath(object));
      return text === undefined ? null : { text, tag: object };
    }
    if (last === null) return null;
    const { commit: tag } = last;
    const text = objectIn(await opened.files(tag), object, last.head);
    return text === null ? null : { text, tag };
  }

  async function pastRecords({ heads, past }: Repository): Promise<ReadonlyMap<string, string>> {
    return (await heads()).state === null ? new Map() : past("state", HISTORY);
  }

  async function all(tag: string | null, text: string, parts: Parts): Promise<string | null> {
    const opened = await repository();
    const from = headsOf(tag);
    const next = decodeHead(text, name);
    owner = next.lock?.owner ?? owner;
    const rivals = await rivalsFor(opened, from, next, await stateFor(opened, from, next, parts));
    for (let place = 1; ; place += 1) {
      if (place > 1) await pacer.ready();
      const { won, there, pushed } = await contend(opened, name, from, rivals);
      if (won !== null) {
        if (won.state !== null) last = { commit: won.state, head: { ...next, lock: null } };
        return tagOf(won);
      }
      if (from.lock !== null && there.lock === from.lock && there.state !== from.state)
        throw new StateError(say("state/changed#rewritten", { ref: refs.state, name }));
      if (!isSame(there, from)) return null;
      const error = notTaken(pushed, name, refs.state);
      // A remote may also refuse because another run had the lock until now.
      const isFinal = error.refusal === "never" || (pushed.isRejected && from.lock !== null);
      if (isFinal || place === ATTEMPTS) throw error;
    }
  }

  /** The commit of a version of the state: the one before, where only its lock is another. */
  async function stateFor(
    opened: Repository,
    { state: parent }: Heads,
    next: StateHead,
    parts: Parts,
  ): Promise<string> {
    const isKept = parent !== null && parent === last?.commit && isAlike(next, last.head);
    if (isKept && parts.put.size + parts.drop.length === 0 && !(isAnew && next.lock === null)) return parent;
    const by = { author: authorOf(owner), at: seconds(clock) };
    const draft = { ...by, parent, message: messageOf(next, parts, owner, name), ...filesOf(next, parts) };
    const [made = ""] = await opened.commit([draft]);
    if (!isAnew || next.lock !== null || parent === null) return made;
    // The records of runs are in the commits that go.
    const files = await opened.past("state", HISTORY);
    const [whole = made] = await opened.commit([{ ...draft, parent: made, removed: [], files }]);
    return opened.root(whole, { ...by, message: `Begin a new history\n\n${trailers(owner)}` });
  }

  /**
   * Where a push moves the refs to. Two commits of a run want a free lock where the remote has kept no snapshot yet: a
   * remote that swaps takes one of them, and any other is refused.
   */
  async function rivalsFor(
    opened: Repository,
    from: Heads,
    { writtenBy, turn, lock, snapshot }: StateHead,
    state: string,
  ): Promise<readonly [Heads, ...Heads[]]> {
    if (lock === null) return [{ state, lock: null }];
    const isProved = from.lock !== null || (snapshot !== null && from.state !== null);
    const file = { writtenBy, turn, lock, at: state, time: Math.floor(clock.now()) };
    const drafts = Array.from({ length: isProved ? 1 : 2 }, () => lockDraft(file, owner, from.lock));
    const [first = null, ...others] = await opened.commit(drafts);
    return [{ state, lock: first }, ...others.map((other) => ({ state, lock: other }))];
  }

  /** Moves the ref of the lock alone, wherever that of the state is: it still names the commit that went with the lock. */
  async function leave(tag: string): Promise<void> {
    const opened = await repository();
    const { state: at, lock: parent } = headsOf(tag);
    const there = await opened.heads();
    if (last === null || at === null || there.lock !== parent) return;
    const { writtenBy, turn } = last.head;
    const file = { writtenBy, turn, lock: null, at, time: Math.floor(clock.now()) };
    const [left = null] = await opened.commit([lockDraft(file, owner, parent)]);
    await opened.push(there, { ...there, lock: left });
  }

  return {
    get,
    all,
    leave,
    swap: (_, tag, text) => all(tag, text, { put: new Map(), drop: [] }),
    // The mark of a state: what a lock names shows that it was removed.
    put: async () => undefined,
    drop: async () => undefined,
    ready: pacer.ready,
    close: async () => (await opened?.catch(() => null))?.close(),
  };
}

function tagOf({ state, lock }: Heads): string {
  return `${state ?? ""} ${lock ?? ""}`;
}

function headsOf(tag: string | null): Heads {
  const [state = "", lock = ""] = (tag ?? " ").split(" ");
  return { state: state === "" ? null : state, lock: lock === "" ? null : lock };
}

function seconds(clock: Clock): number {
  return Math.floor(clock.now() / 1000);
}

/** Whether two versions differ only in what a sign of life changes. */
function isAlike(one: StateHead, other: StateHead): boolean {
  const rest = (head: StateHead) => encodeHead({ ...head, writtenBy: "", turn: 0, lock: null });
  return rest(one) === rest(other);
}

/** The message of a commit of the state: what it is for, the plan, the run and the user. */
function messageOf(head: StateHead, { put }: Parts, owner: Owner | null, name: string): string {
  const [, saved = null] = [...put].find(([object]) => object.startsWith(SNAPSHOTS)) ?? [];
  const effect = saved === null ? null : effectIn(saved, name);
  const { batches, lines } = head.journal;
  const isBegun = batches.length + lines.length > 0;
  const subject =
    saved !== null
      ? `Save serial ${head.snapshot?.serial}`
      : head.lock === null
        ? "End the run"
        : isBegun
          ? "Record lines"
          : "Begin the state";
  return `${subject}\n\n${effect === null ? "" : `Plan: ${effect}\n`}${trailers(owner)}`;
}

/** The effect of the plan that a snapshot was saved by; null where it is not known. */
function effectIn(text: string, name: string): string | null {
  const kept = decode(text, name);
  if (isSealed(kept)) return kept.effect;
  return isMoved(kept) ? null : (kept.applying?.effect ?? null);
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
async function contend(
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
