/// <reference path="./client.d.ts" />
import type { Client } from "pg";
import type { Clock } from "../../model/clock.js";
import type { Secret } from "../../model/secret.js";
import type { PostgresAddress } from "./address.js";
import { answered, isPassing, unreachable } from "./fault.js";

/** Whom a connection is made for; the password is read only when the server asks for it. */
export interface DatabaseLogin {
  readonly user: string;
  readonly password: Secret | null;
}

/** Rows that a statement returned or changed; none of several statements. */
interface DatabaseReply {
  readonly count: number;
  readonly rows: readonly Readonly<Record<string, unknown>>[];
}

/** A connection that is made again where it breaks. */
export interface Connection {
  /**
   * Sends one statement; sends it again where the connection broke, so it must be one that has an effect only once.
   * Throws a `StateError` where the server refuses it or stays away.
   */
  query(statement: string, values: readonly unknown[]): Promise<DatabaseReply>;
  close(): Promise<void>;
}

/** Milliseconds that one statement, and one attempt to connect, may take. */
const TIMEOUT = 20_000;
/** The client would take each of these from a variable of PostgreSQL where it is left out. */
const NOT_FROM_VARIABLES = { client_encoding: "utf8", sslnegotiation: "postgres" } as const;
/** Milliseconds between two attempts. */
const PAUSES = [100, 400, 1_600, 3_200];

/** Opens a connection when the first statement is sent. */
export function connectionTo(
  at: PostgresAddress,
  { user, password }: DatabaseLogin,
  clock: Clock,
): Connection {
  let client: Client | null = null;
  /** Statements that come at once wait for one connection: another one would never be closed. */
  let connecting: Promise<Client> | null = null;

  async function connected(): Promise<Client> {
    if (client !== null) return client;
    connecting ??= connect().finally(() => {
      connecting = null;
    });
    return connecting;
  }
  async function connect(): Promise<Client> {
    // Loaded when a database is used: the library exports this store beside all others.
    const { default: PgClient } = await import("pg/lib/client.js");
    const fresh = new PgClient({
      ...NOT_FROM_VARIABLES,
      host: at.host,
      port: at.port,
      database: at.database,
      user,
      // A function keeps the client from looking for a password in PGPASSWORD and in ~/.pgpass.
      password: async () => password?.reveal() ?? "",
      ssl: at.isEncrypted ? { rejectUnauthorized: true } : false,
      application_name: "remit",
      connectionTimeoutMillis: TIMEOUT,
      query_timeout: TIMEOUT,
    });
    // The first message to the server: the client would add PGOPTIONS and PGREPLICATION.
    const first = { user, database: at.database, application_name: "remit" };
    Object.assign(fresh, { getStartupConf: () => first });
    // A connection that breaks while nothing is asked is noticed by the next statement.
    fresh.on("error", () => drop(fresh));
    await fresh.connect();
    client = fresh;
    return fresh;
  }
  function drop(broken: Client): void {
    if (client === broken) client = null;
    broken.end().catch(() => undefined);
  }

  async function attempt(statement: string, values: readonly unknown[]): Promise<DatabaseReply> {
    const used = await connected();
    try {
      const { rowCount, rows } = await used.query(statement, [...values]);
      return { count: rowCount ?? 0, rows: rows ?? [] };
    } catch (error) {
      // After a timeout the reply to the last statement may still come.
      if (isPassing(error)) drop(used);
      throw error;
    }
  }

  async function answer(statement: string, values: readonly unknown[]): Promise<DatabaseReply> {
    for (const pause of [...PAUSES, null]) {
      try {
        return await attempt(statement, values);
      } catch (error) {
        if (!isPassing(error)) throw answered(at.shown, error);
        if (pause === null) throw unreachable(at.shown, error);
        await clock.sleep(pause);
      }
    }
    throw new Error("the last attempt has ended the loop");
  }

  /** A connection answers one statement after the other. */
  let last: Promise<unknown> = Promise.resolve();
  return {
    query(statement, values) {
      const answering = last.then(() => answer(statement, values));
      last = answering.catch(() => undefined);
      return answering;
    },
    async close() {
      await connecting?.catch(() => undefined);
      const open = client;
      client = null;
      await open?.end().catch(() => undefined);
    },
  };
}
