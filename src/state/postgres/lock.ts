import type { Clock } from "../../model/clock.js";
import type { StateChange } from "../change.js";
import { encode } from "../codec.js";
import { lockLost } from "../fault.js";
import { holdLease } from "../lease.js";
import type { Kept } from "../snapshot.js";
import type { Lock, Owner, Waiting } from "../store.js";
import { checkSuccession } from "../succession.js";
import { heldLock, type Writer } from "../writes.js";
import type { Connection } from "./connection.js";
import { notKept } from "./fault.js";
import { withTables } from "./probe.js";
import {
  APPEND,
  CLEAR,
  LAST_WRITE,
  NOTE,
  RELEASE,
  REMEMBER,
  RENEW,
  SAVE,
  SAVE_AND_RELEASE,
  SAVE_RECORDED,
  SAVE_RECORDED_AND_RELEASE,
  STANDING,
} from "./statements.js";

/** Milliseconds after which the lock of a silent holder may be taken over. */
export const LEASE = 30_000;
/** Milliseconds between two renewals of a quiet holder. */
const BEAT = 5_000;

/** An outcome may wait so many milliseconds for the next intent, and shares its statement. */
const LINGER = 50;

/** A lock that was taken under a token that no other run has. */
export interface TakenRow {
  readonly connection: Connection;
  readonly owner: Owner;
  readonly token: string;
  /** The store, as messages name it. */
  readonly name: string;
  /** Which state of the database. */
  readonly state: string;
  readonly version: string;
  readonly clock: Clock;
  /** The least milliseconds from one write to the next. */
  readonly pace: number;
  readonly waiting: Waiting;
}

/** So often is a snapshot sent whose row was removed, or did not change. */
const ATTEMPTS = 3;

/** The lock of one state. Its writes go one after the other, each with the next number. */
export function lockOf({
  connection,
  owner,
  token,
  name,
  state,
  version,
  clock,
  pace,
  waiting,
}: TakenRow): Lock<Kept> {
  let began = Number.NEGATIVE_INFINITY;
  /** A lock that is being given up is not lost to its holder. */
  let isEnding = false;
  const renew = async () => (await connection.query(RENEW, [state, token])).count === 1 || isEnding;
  const lease = holdLease({ name, clock, length: LEASE, beat: BEAT, renew });
  let turn = 0;
  /** Writes since the last durable one: a crash of the server takes them back, with their turns. */
  let unsure: readonly { readonly number: number; readonly lines: string }[] = [];

  /** Null where the write changed a row; else what is kept, where the write or an earlier attempt of it had its turn. */
  async function change(statement: string, values: readonly unknown[]): Promise<Standing | null> {
    if (lease.lost.aborted) throw lockLost(name);
    const number = turn + 1;
    const before = lease.instant();
    const { count } = await connection.query(statement, [state, token, number, ...values]);
    if (count === 0) {
      const standing = await standingNow();
      if (standing === null) lease.lose();
      if (standing !== null && isTakenBack(standing)) return again(standing, statement, values);
      if (standing?.turn !== number) throw lockLost(name);
      turn = number;
      return standing;
    }
    // Each write sets the beat, too.
    lease.renewed(before);
    turn = number;
    return null;
  }
  /** Whether the server has lost exactly writes that nothing waited for. */
  function isTakenBack(standing: Standing): boolean {
    return standing.turn < turn && standing.turn >= turn - unsure.length;
  }
  /** Writes anew what a crash of the server took back, and then the write that found it. */
  async function again(standing: Standing, statement: string, values: readonly unknown[]) {
    const lost = unsure.filter(({ number }) => number > standing.turn).map(({ lines }) => lines);
    [turn, unsure] = [standing.turn, []];
    await change(APPEND, [lost.join("\n")]);
    return change(statement, values);
  }
  async function standingNow(): Promise<Standing | null> {
    const { rows } = await connection.query(STANDING, [state, token]);
    return (rows[0] as unknown as Standing | undefined) ?? null;
  }

  async function write(
    { records, snapshot, isCleared, lines }: StateChange<Kept>,
    isDurable: boolean,
  ): Promise<void> {
    const text = lines.length === 0 ? null : lines.join("\n");
    if (snapshot !== null) await save({ records, snapshot, isCleared, lines });
    else if (isCleared) await change(CLEAR, [text]);
    else if (text !== null) await change(isDurable ? APPEND : NOTE, [text]);
    // The server writes its log in order: what is durable makes everything before it durable.
    const isSure = isDurable || isCleared || snapshot !== null;
    if (isSure) unsure = [];
    else if (text !== null) unsure = [...unsure, { number: turn, lines: text }];
  }
  async function save(saving: Saving): Promise<void> {
    const { snapshot } = saving;
    for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
      const { values, by, isRecorded } = saved(saving);
      const kept = await withTables(connection, () => change(isRecorded ? SAVE_RECORDED : SAVE, values));
      // The reply to an attempt that succeeded may have been lost.
      if (kept === null || kept.writer === by) return;
      const found = versionIn(kept);
      checkSuccession(name, found, snapshot);
      // The row was removed under the lock, and this run has all that was in it.
      if (found === null) await connection.query(REMEMBER, [state]);
    }
    throw notKept(name);
  }
  function saved({ records, snapshot, isCleared, lines }: Saving) {
    const by = `${token} ${turn + 1}`;
    const text = [...encode(snapshot, version)].join("");
    const journal = lines.length === 0 ? null : lines.join("\n");
    const isRecorded = records.length > 0;
    const kept = isRecorded ? [records.map(({ hash }) => hash), records.map((record) => record.text)] : [];
    const values = [snapshot.lineage, snapshot.serial, text, by, isCleared, journal, ...kept];
    return { by, isRecorded, values };
  }
  /** Keeps the last snapshot and gives the lock up in one statement; false where that is for two to do. */
  async function end({ snapshot, ...change }: StateChange<Kept>): Promise<boolean> {
    if (snapshot === null) return false;
    const { by, isRecorded, values } = saved({ ...change, snapshot });
    const statement = isRecorded ? SAVE_RECORDED_AND_RELEASE : SAVE_AND_RELEASE;
    const send = () => connection.query(statement, [state, token, turn + 1, ...values]);
    if ((await withTables(connection, send)).count === 1) return true;
    if ((await standingNow()) !== null) return false;
    const { rows } = await connection.query(LAST_WRITE, [state]);
    // The reply to an attempt that succeeded may have been lost.
    if (rows[0]?.writer === by) return true;
    if (rows[0]?.held === false) throw notKept(name);
    lease.lose();
    throw lockLost(name);
  }

  const writer: Writer<Kept> = {
    isAtomic: true,
    linger: LINGER,
    ready() {
      const rest = began + pace - clock.elapsed();
      return rest > 0 ? clock.sleep(rest) : null;
    },
    write(change, isDurable) {
      began = clock.elapsed();
      return write(change, isDurable);
    },
    async release(last) {
      isEnding = true;
      if (last !== null) {
        if (await end(last)) return lease.close();
        // The release waits for the disk, and the server writes its log in order.
        await write(last, false);
      }
      await lease.close();
      // A lock that cannot be given up becomes free when its lease has passed.
      await connection.query(RELEASE, [state, token]).catch(() => undefined);
    },
    close: connection.close,
  };
  return heldLock({ name, owner, clock, writer, lease, waiting }).lock;
}

/** A change with a snapshot. */
type Saving = Omit<StateChange<Kept>, "without"> & { readonly snapshot: Kept };

/** The row of the lock, and which snapshot is kept. */
interface Standing {
  readonly turn: number;
  readonly lineage: string | null;
  readonly serial: number | null;
  /** Which write the snapshot is of. */
  readonly writer: string | null;
}

function versionIn({ lineage, serial }: Standing) {
  return lineage === null || serial === null ? null : { lineage, serial };
}
