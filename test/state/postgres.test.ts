import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Clock } from "../../src/model/clock.js";
import { Secret } from "../../src/model/secret.js";
import type { PostgresAddress } from "../../src/state/postgres/address.js";
import { type Connection, connectionTo } from "../../src/state/postgres/connection.js";
import { listPostgresStates, postgresStore, TABLES } from "../../src/state/postgres/postgres.js";
import { type Kept, newSnapshot } from "../../src/state/snapshot.js";
import type { Store } from "../../src/state/store.js";
import { readStateAddress } from "../../src/state/stores.js";
import { counted } from "../contracts/counted.js";
import { expectMoves } from "../contracts/moves.js";
import { AT_ONCE, expectTurns } from "../contracts/races.js";
import { expectManyRows, MANY_ROWS } from "../contracts/rows.js";
import { failure, following, keptRecord, owner, storeContract } from "../contracts/store.js";
import { handClock } from "../fakes/handClock.js";
import { inTheClear } from "../fakes/inTheClear.js";
import { missingPooler, type Pooler, startPooler } from "../fakes/pgbouncer.js";
import { missingPostgres, type PostgresServer, startPostgres } from "../fakes/postgres.js";

let server: PostgresServer;
/** One database for the contract: each opening is another state of it, as several projects share one. */
let shared: string;
/** The same database through a pooler. */
let pooled: string;
let pooler: Pooler;
let states = 0;
const missing = missingPostgres();
beforeAll(async () => {
  if (missing !== null) return;
  server = await startPostgres();
  shared = await server.database();
  if (missingPooler() !== null) return;
  pooler = await startPooler(shared);
  pooled = pooler.through(shared);
});
afterAll(async () => {
  await pooler?.close();
  await server?.close();
});

type Around = (connection: Connection) => Connection;

function storeAt(address: string, clock: Clock, around?: Around): Store {
  return inTheClear(keptAt(address, clock, around));
}

function keptAt(
  address: string,
  clock: Clock,
  around: Around = (connection) => connection,
  project: string | null = null,
): Store<Kept> {
  const at = readStateAddress(address) as PostgresAddress;
  const password = at.password === null ? null : new Secret(at.password);
  const credentials = { user: at.user ?? "remit", password };
  const connect = () => around(connectionTo(at, credentials, clock));
  const options = {
    at,
    credentials,
    version: "0.1.0",
    clock,
    requestTimeout: 30_000,
    project,
    connect,
    pace: 0,
  };
  return postgresStore(options);
}

function contractAt(what: string, sharedNow: () => string): void {
  storeContract(what, async (clock) => {
    states += 1;
    const address = `${sharedNow()}?state=s${states}`;
    const opening = counted((onWrite) =>
      storeAt(address, clock, (connection) => ({
        ...connection,
        query(statement, values) {
          if (statement.startsWith("WITH head")) onWrite();
          return connection.query(statement, values);
        },
      })),
    );
    return { ...opening, close: async () => undefined };
  });
}

if (missing !== null) it.skip(missing);
else contractAt("a PostgreSQL database", () => shared);

const lacking = missing ?? missingPooler();
if (lacking !== null) it.skip(lacking);
else contractAt("a PostgreSQL database behind PgBouncer in transaction mode", () => pooled);

describe.skipIf(missing !== null)("a state in PostgreSQL", () => {
  it("has one connection, however many statements come before it is open, and none once it is closed", async () => {
    const address = await server.database();
    const at = readStateAddress(address) as PostgresAddress;
    const login = { user: at.user ?? "remit", password: new Secret(at.password ?? "") };
    const ours = async () => {
      const rows = await server.run(address, "SELECT FROM pg_stat_activity WHERE application_name = 'remit'");
      return rows.length;
    };
    const before = await ours();
    const connection = connectionTo(at, login, handClock());
    await Promise.all(Array.from({ length: 5 }, () => connection.query("SELECT 1", [])));
    expect((await ours()) - before).toBe(1);
    await connection.close();
    await expect.poll(ours).toBe(before);
  });

  const first = following(newSnapshot("lineage", "server"), ["one"]);

  it("is read without writing, also where the database has no tables", async () => {
    const address = await server.database();
    const store = storeAt(address, handClock());
    expect(await store.read()).toEqual({ snapshot: null, trace: null, journal: [], held: null });
    expect(await store.unlock()).toBeNull();
    expect(await server.run(address, "SELECT * FROM pg_tables WHERE tablename LIKE 'remit%'")).toEqual([]);
  });

  it("without a name is named by the project, and stays where the database keeps one without a name", async () => {
    const address = await server.database();
    const named = (project: string) => inTheClear(keptAt(address, handClock(), undefined, project));
    const save = async (store: Store) => {
      const lock = await store.lock(owner("one"), { timeout: 0 });
      await lock.journal.append("an intent");
      await lock.save(first);
      await lock.release();
    };
    await save(named("acme/one"));
    expect((await named("acme/two").read()).snapshot).toBeNull();
    expect(await server.run(address, "SELECT state FROM remit_state")).toEqual([{ state: "acme/one" }]);
    await save(storeAt(address, handClock()));
    expect((await named("acme/two").read()).snapshot).toEqual(first);
    expect((await named("acme/one").read()).journal).toEqual(["an intent"]);
    await server.run(address, "DELETE FROM remit_state WHERE state = 'acme/one'");
    expect((await named("acme/one").read()).snapshot).toEqual(first);
  });

  it("is listed with the others of its database: whose it is, and who holds its lock", async () => {
    const address = await server.database();
    const list = () => {
      const at = readStateAddress(address) as PostgresAddress;
      const credentials = { user: "remit", password: new Secret("open-sesame") };
      const clock = handClock();
      return listPostgresStates({ at, credentials, version: "0.1.0", clock, requestTimeout: 30_000 });
    };
    expect(await list()).toEqual([]);
    const [prod, test] = ["prod", "te st"].map((state) =>
      storeAt(`${address}?state=${encodeURIComponent(state)}`, handClock()),
    );
    const held = await prod?.lock(owner("one"), { timeout: 0 });
    await held?.save({ ...first, project: 'acme/"one"' });
    const lock = await test?.lock(owner("two"), { timeout: 0 });
    await lock?.save(first);
    await lock?.release();
    const base = address.replace("remit:open-sesame@", "");
    expect(await list()).toEqual([
      { address: `${base}?state=prod`, project: 'acme/"one"', serial: 1, held: { by: owner("one") } },
      { address: `${base}?state=te%20st`, project: null, serial: 1, held: null },
    ]);
    await held?.release();
  });

  it("has every line that it took, also one that nothing waited for, where the server is killed", async () => {
    const own = await startPostgres();
    try {
      const address = await own.database();
      const clock: Clock = {
        ...handClock(),
        sleep: () => new Promise((resolve) => setTimeout(resolve, 100)),
      };
      const lock = await storeAt(address, clock).lock(owner("one"), { timeout: 0 });
      await lock.journal.append("an intent");
      lock.journal.note("an outcome");
      const lines = async () => (await storeAt(address, clock).read()).journal;
      for (let tries = 0; (await lines()).length < 2 && tries < 200; tries += 1)
        await new Promise(setImmediate);
      await own.crash();
      expect(await lines()).toEqual(["an intent", "an outcome"]);
      await lock.confirm();
      await lock.journal.append("another intent");
      expect(await lines()).toEqual(["an intent", "an outcome", "another intent"]);
      expect(await lock.release({ snapshot: first, isCleared: true })).toBeNull();
      expect(await storeAt(address, clock).read()).toMatchObject({
        snapshot: first,
        journal: [],
        held: null,
      });
    } finally {
      await own.close();
    }
  }, 120_000);

  it("is read by a role that may only read, which cannot lock", async () => {
    const address = await server.database();
    const lock = await storeAt(address, handClock()).lock(owner("one"), { timeout: 0 });
    await lock.save(first);
    await lock.release();
    await server.run(
      address,
      "CREATE ROLE reader LOGIN PASSWORD 'reader'; GRANT SELECT ON remit_state, remit_part TO reader",
    );
    const reader = storeAt(address.replace("remit:open-sesame", "reader:reader"), handClock());
    expect((await reader.read()).snapshot).toEqual(first);
    const { diagnostic } = await failure(reader.lock(owner("two"), { timeout: 0 }));
    expect(diagnostic.code).toBe("state/refused");
    expect(diagnostic.message).toContain("42501");
  });

  it("is taken over from a holder that was silent for a lease and a request, by the server's clock", async () => {
    const address = await server.database();
    const clock = handClock();
    const dead = await storeAt(address, clock).lock(owner("dead"), { timeout: 0 });
    await dead.journal.append("an intent");
    const next = storeAt(address, clock);
    await server.run(address, "UPDATE remit_state SET written = written - interval '55 seconds'");
    expect((await next.read()).held?.by?.id).toBe("dead");
    expect((await failure(next.lock(owner("next"), { timeout: 0 }))).diagnostic.code).toBe("state/locked");
    await server.run(address, "UPDATE remit_state SET written = written - interval '6 seconds'");
    expect((await next.read()).held).toBeNull();
    const lock = await next.lock(owner("next"), { timeout: 0 });
    clock.jump(20_000);
    expect((await failure(dead.confirm())).diagnostic.code).toBe("state/lock-lost");
    expect((await failure(dead.journal.append("late"))).diagnostic.code).toBe("state/lock-lost");
    expect((await next.read()).journal).toEqual(["an intent"]);
    await dead.release();
    await lock.confirm();
    await lock.release();
  });

  it("has each write once where its reply was lost, and every write is sent again", async () => {
    const address = await server.database();
    const twice: Around = (connection) => ({
      ...connection,
      async query(statement, values) {
        await connection.query(statement, values);
        return connection.query(statement, values);
      },
    });
    // The probe has to see each reply.
    await (await storeAt(address, handClock()).lock(owner("zero"), { timeout: 0 })).release();
    const store = storeAt(address, handClock(), twice);
    const lock = await store.lock(owner("one"), { timeout: 0 });
    await lock.journal.append("one");
    await lock.save(first);
    await lock.journal.append("two");
    expect(await store.read()).toMatchObject({ snapshot: first, journal: ["one", "two"] });
    await lock.journal.clear();
    expect((await store.read()).journal).toEqual([]);
    expect((await failure(lock.save(first))).diagnostic.code).toBe("state/changed");
    await lock.release();
  });

  it.each([1, 2])(
    "keeps the end of a run and gives its lock up in one statement, also if it is sent %i times",
    async (times) => {
      const address = await server.database();
      const sent: string[] = [];
      const counting: Around = (connection) => ({
        ...connection,
        async query(statement, values) {
          sent.push(statement);
          for (let more = times; more > 1; more -= 1) await connection.query(statement, values);
          return connection.query(statement, values);
        },
      });
      await (await storeAt(address, handClock()).lock(owner("zero"), { timeout: 0 })).release();
      const store = storeAt(address, handClock(), counting);
      const lock = await store.lock(owner("one"), { timeout: 0 });
      await lock.journal.append("an intent");
      lock.journal.note("its outcome");
      sent.length = 0;
      expect(await lock.release({ snapshot: first, isCleared: true })).toBeNull();
      if (times === 1) expect(sent).toHaveLength(1);
      expect(await store.read()).toEqual({ snapshot: first, trace: null, journal: [], held: null });
    },
  );

  it("is not saved by the end of a run whose lock another run has, or whose snapshot does not follow", async () => {
    const address = await server.database();
    const store = storeAt(address, handClock());
    const slept = await store.lock(owner("slept"), { timeout: 0 });
    await slept.journal.append("before");
    await store.unlock();
    const next = await store.lock(owner("next"), { timeout: 0 });
    const late = await slept.release({ snapshot: first, isCleared: true });
    expect(late?.diagnostic.code).toBe("state/lock-lost");
    const stranger = await next.release({ snapshot: { ...first, serial: 7 }, isCleared: true });
    expect(stranger).toBeNull();
    expect(await store.read()).toMatchObject({ snapshot: { serial: 7 }, journal: [], held: null });
    const last = await store.lock(owner("last"), { timeout: 0 });
    const refused = await last.release({ snapshot: first, isCleared: true });
    expect(refused?.diagnostic.code).toBe("state/changed");
    expect(await store.read()).toMatchObject({ snapshot: { serial: 7 }, held: null });
  });

  it("is written by a role that can remove neither a state nor a record, and change no record", async () => {
    const address = await server.database();
    await (await storeAt(address, handClock()).lock(owner("zero"), { timeout: 0 })).release();
    await server.run(
      address,
      "CREATE ROLE writer LOGIN PASSWORD 'writer'; GRANT SELECT, INSERT, UPDATE ON remit_state TO writer; GRANT SELECT, INSERT, UPDATE, DELETE ON remit_part TO writer; GRANT SELECT, INSERT ON remit_history TO writer",
    );
    const store = storeAt(address.replace("remit:open-sesame", "writer:writer"), handClock());
    const lock = await store.lock(owner("one"), { timeout: 0 });
    const record = keptRecord('{"number":1}');
    void lock.append(record);
    await lock.save(first);
    await lock.journal.append("an intent");
    await lock.journal.clear();
    await lock.release();
    expect(await store.read()).toMatchObject({ snapshot: first, journal: [], held: null });
    expect(await store.history?.(({ record: find }) => find(record.hash))).toBe(record.text);
  });

  it("is lost for its holder where its row is removed, and the next run knows that a state was here", async () => {
    const address = await server.database();
    const store = storeAt(address, handClock());
    const lock = await store.lock(owner("one"), { timeout: 0 });
    await lock.save(first);
    await server.run(address, "DELETE FROM remit_state");
    expect((await failure(lock.save(following(first, ["two"])))).diagnostic.code).toBe("state/lock-lost");
    expect(await store.read()).toMatchObject({ snapshot: null, trace: { what: expect.any(String) } });
    await lock.release();
  });

  it("is said to be damaged without a word of a backup, which only a file has", async () => {
    const address = await server.database();
    const store = storeAt(address, handClock());
    const lock = await store.lock(owner("one"), { timeout: 0 });
    await lock.save(first);
    await lock.release();
    await server.run(address, "UPDATE remit_part SET text = left(text, 20) WHERE name LIKE '.state/%'");
    const { diagnostic } = await failure(store.read());
    expect(diagnostic.code).toBe("state/damaged");
    expect(diagnostic.hint).not.toContain("backup");
  });

  it("is not called saved where the server changes no row of it", async () => {
    const address = await server.database();
    const lock = await storeAt(address, handClock()).lock(owner("one"), { timeout: 0 });
    await server.run(
      address,
      "CREATE FUNCTION held() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'; CREATE TRIGGER held BEFORE UPDATE ON remit_state FOR EACH ROW EXECUTE FUNCTION held()",
    );
    const { diagnostic } = await failure(lock.save(first));
    expect(diagnostic).toMatchObject({
      code: "state/refused",
      message: expect.stringContaining("changes no row"),
    });
    await lock.release();
  });

  it("says that the disk of its server is full, and keeps the line once there is room", async () => {
    const address = await server.database();
    const clock: Clock = { ...handClock(), sleep: () => new Promise((resolve) => setTimeout(resolve, 1)) };
    const lock = await storeAt(address, clock).lock(owner("one"), { timeout: 0 });
    await server.run(
      address,
      "CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS $$BEGIN RAISE EXCEPTION 'no room' USING ERRCODE = '53100'; END$$; CREATE TRIGGER full_disk BEFORE UPDATE ON remit_state FOR EACH ROW EXECUTE FUNCTION full_disk()",
    );
    const { diagnostic, refusal } = await failure(lock.journal.append("one"));
    expect(diagnostic.message).toContain("the disk of its server is full (53100)");
    expect(refusal).toBe("again");
    await server.run(address, "DROP TRIGGER full_disk ON remit_state");
    await lock.journal.append("two");
    await lock.release();
    expect((await storeAt(address, clock).read()).journal).toEqual(["one", "two"]);
  });

  it("goes on when the server ends its connection", async () => {
    const address = await server.database();
    const clock: Clock = { ...handClock(), sleep: () => new Promise((resolve) => setTimeout(resolve, 5)) };
    const store = storeAt(address, clock);
    const lock = await store.lock(owner("one"), { timeout: 0 });
    const ends =
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'remit' AND datname = current_database()";
    for (const line of ["one", "two", "three"]) {
      await server.run(address, ends);
      await lock.journal.append(line);
    }
    expect((await store.read()).journal).toEqual(["one", "two", "three"]);
    await lock.release();
  });

  it("is refused by the probe where the tables have no keys", async () => {
    const address = await server.database();
    for (const table of TABLES)
      await server.run(address, table.replace(/(,\s*)?PRIMARY KEY( \([^)]*\))?/, ""));
    const { diagnostic } = await failure(storeAt(address, handClock()).lock(owner("one"), { timeout: 0 }));
    expect(diagnostic.code).toBe("state/no-swap");
  });

  it.each(["takes", "writes"])(
    "is refused by the probe where %s do not look at what is there",
    async (which) => {
      const address = await server.database();
      const blind: Around = (connection) => ({
        ...connection,
        query: (statement, values) =>
          connection.query(
            which === "takes"
              ? statement.replace("DO NOTHING", "DO UPDATE SET text = excluded.text")
              : statement.replace("AND md5(text) = $4", "AND $4 <> ''"),
            values,
          ),
      });
      const store = storeAt(address, handClock(), blind);
      const { diagnostic } = await failure(store.lock(owner("one"), { timeout: 0 }));
      expect(diagnostic.code).toBe("state/no-swap");
      expect(await server.run(address, "SELECT * FROM remit_state")).toEqual([]);
    },
  );

  const noPooler = missingPooler();
  const ways = [
    { way: "directly", through: (address: string) => address },
    ...(noPooler === null
      ? [{ way: "through PgBouncer", through: (address: string) => pooler.through(address) }]
      : []),
  ];
  if (noPooler !== null)
    it.skip(`is held by one of ${AT_ONCE} that start at once through PgBouncer: ${noPooler}`);
  it.each(ways)(
    `is held by one of ${AT_ONCE} that start at once on a new database, $way`,
    async ({ through }) => {
      const address = through(await server.database());
      const clock: Clock = { ...handClock(), sleep: () => new Promise((resolve) => setTimeout(resolve, 50)) };
      await expectTurns(() => storeAt(address, clock), AT_ONCE);
    },
  );

  it("is moved there, back, and there again", async () =>
    expectMoves(keptAt(await server.database(), handClock())));

  it(`takes a state of ${MANY_ROWS.words}`, async () =>
    expectManyRows(storeAt(await server.database(), handClock())));

  it.each([
    { where: "a wrong password", change: "open-sesame", to: "guessed", code: "state/refused", why: "28P01" },
    { where: "an unknown database", change: /\/d\d+$/, to: "/none", code: "state/refused", why: "3D000" },
    {
      where: "a port without a server",
      change: /:\d+\//,
      to: ":1/",
      code: "state/unreachable",
      why: "ECONNREFUSED",
    },
  ])("names $where, and never the password", async ({ change, to, code, why }) => {
    const address = (await server.database()).replace(change, to);
    const clock: Clock = { ...handClock(), sleep: async () => undefined };
    const { diagnostic } = await failure(storeAt(address, clock).read());
    expect(diagnostic).toMatchObject({ code, message: expect.stringContaining(why) });
    expect(JSON.stringify(diagnostic)).not.toMatch(/open-sesame|guessed/);
  });
});
