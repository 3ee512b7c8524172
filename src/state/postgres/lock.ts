import type { Clock } from "../../model/clock.js";
import { encode } from "../codec.js";
import { lockLost } from "../fault.js";
import { holdLease } from "../lease.js";
import type { Kept } from "../snapshot.js";
import type { Lock, Owner, Waiting } from "../store.js";
import { checkSuccession } from "../succession.js";
import { heldLock, partByPart, type Writer } from "../writes.js";
import type { Connection } from "./connection.js";
import { notKept } from "./fault.js";
import { APPEND, CLEAR, NOTE, RELEASE, REMEMBER, RENEW, SAVE, STANDING } from "./statements.js";

/** Milliseconds after which the lock of a silent holder may be taken over. */
export const LEASE = 30_000;
/** Milliseconds between two renewals of a quiet holder. */
const BEAT = 5_000;

/** A lock that was taken under a token that no other run has. */
export interface Taken {
  readonly connection: Connection;
  readonly owner: Owner;
  readonly token: string;
  /** The store, as messages name it. */
  readonly name: string;
  /** Which state of the database. */
  readonly state: string;
  readonly version: string;
  readonly clock: Clock;
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
  waiting,
}: Taken): Lock<Kept> {
  const renew = async () => (await connection.query(RENEW, [state, token])).count === 1;
  const lease = holdLease({ name, clock, length: LEASE, beat: BEAT, renew });
  let turn = 0;
  /** Writes since the last durable one: a crash of the server takes them back, with their turns. */
  let unsure: readonly { readonly number: number; readonly lines: string }[] = [];

  /** Null where the write changed a row; else what is kept, where the write or an earlier attempt of it had its turn. */
  async function change(statement: string, values: readonly unknown[]): Promise<Standing | null> {
    if (lease.lost.aborted) throw lockLost(name);
    const number = turn + 1;
    const { count } = await connection.query(statement, [state, token, number, ...values]);
    if (count === 0) {
      const standing = await standingNow();
      if (standing === null) lease.lose();
      if (standing !== null && isTakenBack(standing)) return again(standing, statement, values);
      if (standing?.turn !== number) throw lockLost(name);
      turn = number;
      return standing;
    }
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

  const write = partByPart<Kept>({
    async save(snapshot) {
      const text = [...encode(snapshot, version)].join("");
      const { lineage, serial } = snapshot;
      for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
        const by = `${token} ${turn + 1}`;
        const kept = await change(SAVE, [lineage, serial, text, by]);
        // The reply to an attempt that succeeded may have been lost.
        if (kept === null || kept.writer === by) {
          unsure = [];
          return;
        }
        const found = versionIn(kept);
        checkSuccession(name, found, snapshot);
        // The row was removed under the lock, and this run has all that was in it.
        if (found === null) await connection.query(REMEMBER, [state]);
      }
      throw notKept(name);
    },
    async clear() {
      await change(CLEAR, []);
      unsure = [];
    },
    async append(lines, isDurable) {
      const text = lines.join("\n");
      await change(isDurable ? APPEND : NOTE, [text]);
      // The server writes its log in order: what is durable makes everything before it durable.
      unsure = isDurable ? [] : [...unsure, { number: turn, lines: text }];
    },
  });
  const writer: Writer<Kept> = {
    isAtomic: false,
    isEager: true,
    ready: () => null,
    write,
    async release() {
      await lease.close();
      // A lock that cannot be given up becomes free when its lease has passed.
      await connection.query(RELEASE, [state, token]).catch(() => undefined);
    },
    close: connection.close,
  };
  return heldLock({ name, owner, clock, writer, lease, waiting }).lock;
}

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
