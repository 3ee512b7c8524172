import { say } from "../words/say.js";
import { checkProject, type Renaming, renamed } from "./belonging.js";
import { encode } from "./codec.js";
import { sealedRecord } from "./encryption/record.js";
import { openSnapshot, sealMove, sealSnapshot } from "./encryption/snapshot.js";
import { type Encryption, placeOf, withKeys } from "./encryption/store.js";
import { joined, newSecret } from "./record.js";
import { isMoved, type Kept, type MovedSnapshot, type Snapshot } from "./snapshot.js";
import { type StateRecording, unrecorded } from "./stateRecording.js";
import type { Contents, Lock, Owner, Store, Waiting } from "./store.js";
import { StateError } from "./store.js";
import { walkHistory } from "./walkHistory.js";

/** A store, and how what it keeps is encrypted. */
export interface MovingStore {
  readonly kept: Store<Kept>;
  readonly encryption: Encryption;
}

/**
 * Moves a state to another store under both locks, reads it back there, and marks the first store, so that no run
 * continues with it. Gives the snapshot that was moved. A move that was cut off is completed by another. Throws a
 * `StateError` where a run is not settled yet, where the other store keeps another state, and where it is not of the
 * project that `whose` names.
 */
export async function moveState(
  from: MovingStore,
  to: MovingStore,
  owner: Owner,
  waiting: Waiting,
  whose: Whose = { as: "anyone's" },
  recording: StateRecording = unrecorded,
): Promise<Snapshot> {
  const source = await from.kept.lock(owner, waiting);
  try {
    const target = await to.kept.lock(owner, waiting);
    try {
      return await moveLocked({ from, source, to, target, whose, recording });
    } finally {
      await target.release();
    }
  } finally {
    await source.release();
  }
}

/** Which project a state may belong to that is moved. */
type Whose =
  | { readonly as: "anyone's" }
  | { readonly as: "own"; readonly project: string | null }
  /** It is given from one project to another. */
  | ({ readonly as: "given" } & Renaming);

/** A move under both locks. */
interface Move {
  readonly from: MovingStore;
  readonly source: Lock<Kept>;
  readonly to: MovingStore;
  readonly target: Lock<Kept>;
  readonly whose: Whose;
  readonly recording: StateRecording;
}

async function moveLocked({ from, source, to, target, whose, recording }: Move): Promise<Snapshot> {
  const found = await movable(from);
  if (whose.as === "own") checkProject(from.kept.name, found.project, whose.project);
  const given = whose.as === "given" ? renamed(from.kept.name, found, whose) : found;
  const moving = to.encryption.keys.length === 0 ? withoutTexts(given) : given;
  await copyHistory(from, to, target, moving);
  const there = await to.kept.read();
  const snapshot = await placed(to, target, moving, there, recording);
  await verify(to, snapshot);
  await source.save(
    markOf(from, { lineage: moving.lineage, serial: moving.serial + 1, movedTo: to.kept.name }),
  );
  const left = (await from.kept.read()).snapshot;
  if (left === null || !isMoved(left)) throw new StateError(say("state/not-moved", { name: from.kept.name }));
  return snapshot;
}

/** Writes the records of the history to the other store; it keeps none where that store keeps none. */
async function copyHistory(
  from: MovingStore,
  { kept, encryption }: MovingStore,
  target: Lock<Kept>,
  { history: last }: Snapshot,
): Promise<void> {
  if (kept.history === null) return;
  const [newest = newSecret()] = last?.keys ?? [];
  await walkHistory(withKeys(from.kept, from.encryption), last, async ({ hash, record, texts }) => {
    const bare = { hash, key: newest, text: record };
    const isSealed = encryption.keys.length > 0;
    void target.append(isSealed ? sealedRecord({ ...bare, text: joined({ record, texts }) }) : bare);
    return true;
  });
}

/** The mark of the move, which the key of the first store seals where it has one. */
function markOf({ kept, encryption }: MovingStore, mark: MovedSnapshot): MovedSnapshot {
  const [key] = encryption.keys;
  return key === undefined ? mark : sealMove(mark, key, placeOf(kept.name, encryption));
}

async function movable({ kept, encryption }: MovingStore): Promise<Snapshot> {
  const { snapshot, journal } = await kept.read();
  if (snapshot === null) throw new StateError(say("state/unknown#noState", { name: kept.name }));
  if (journal.length > 0) throw new StateError(say("state/unsettled", { name: kept.name }));
  return openSnapshot(snapshot, encryption.keys, placeOf(kept.name, encryption)).snapshot;
}

/** Writes the snapshot, unless an earlier move has; gives it as it is there. */
async function placed(
  { kept, encryption }: MovingStore,
  target: Lock<Kept>,
  moving: Snapshot,
  { snapshot: there, trace, journal }: Contents<Kept>,
  recording: StateRecording,
): Promise<Snapshot> {
  const { keys, version } = encryption;
  const place = placeOf(kept.name, encryption);
  if (trace !== null || journal.length > 0) throw new StateError(say("state/occupied", { name: kept.name }));
  if (there !== null && !isMoved(there)) {
    const { snapshot } = openSnapshot(there, keys, place);
    const { serial, history } = moving;
    if (!isSame(withHistory({ ...snapshot, serial }, history), moving))
      throw new StateError(say("state/occupied", { name: kept.name }));
    return snapshot;
  }
  if (there !== null && there.lineage !== moving.lineage)
    throw new StateError(say("state/occupied", { name: kept.name }));
  const { snapshot, record } = recording(there === null ? moving : { ...moving, serial: there.serial + 1 });
  const [key] = keys;
  const since = snapshot.serial;
  if (record !== null) void target.append(key === undefined ? record : sealedRecord(record));
  await target.save(key === undefined ? snapshot : sealSnapshot({ snapshot, since }, key, place, version));
  return snapshot;
}

async function verify({ kept, encryption }: MovingStore, snapshot: Snapshot): Promise<void> {
  const read = (await withKeys(kept, encryption).read()).snapshot;
  if (read === null || !isSame(read, snapshot))
    throw new StateError(say("state/not-moved", { name: kept.name }));
}

/** Without a key, texts of values are not kept. */
function withoutTexts(snapshot: Snapshot): Snapshot {
  if (snapshot.history === undefined) return snapshot;
  const { texts: _, ...history } = snapshot.history;
  return { ...snapshot, history };
}

/** The same state with another history: a move adds to it. */
function withHistory({ history: _, ...snapshot }: Snapshot, history: Snapshot["history"]): Snapshot {
  return { ...snapshot, ...(history !== undefined && { history }) };
}

function isSame(one: Snapshot, other: Snapshot): boolean {
  return [...encode(one, "")].join("") === [...encode(other, "")].join("");
}
