import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Clock } from "../../src/model/clock.js";
import type { Answer, Message, Transmit } from "../../src/model/exchange.js";
import { Secret } from "../../src/model/secret.js";
import { bucketAddress } from "../../src/state/s3/address.js";
import { openBucket } from "../../src/state/s3/bucket.js";
import { type KeySource, keyRing } from "../../src/state/s3/keys.js";
import { listS3States, s3Store } from "../../src/state/s3/s3.js";
import { type Kept, newSnapshot } from "../../src/state/snapshot.js";
import type { Store } from "../../src/state/store.js";
import { makeTransport, type Transport } from "../../src/tenant/client/transport.js";
import { counted } from "../contracts/counted.js";
import { expectMoves } from "../contracts/moves.js";
import { AT_ONCE, expectTurns } from "../contracts/races.js";
import { MANY_ROWS } from "../contracts/rows.js";
import { failure, following, owner, passing, storeContract } from "../contracts/store.js";
import { fakeClock } from "../fakes/clock.js";
import { type HandClock, handClock, until } from "../fakes/handClock.js";
import { inTheClear } from "../fakes/inTheClear.js";
import { missingS3, NO_LENDER, type S3Server, startS3 } from "../fakes/s3.js";

const KEYS: KeySource = { as: "keys", id: "AKIDEXAMPLE", secret: new Secret("open-sesame"), session: null };
const missing = missingS3();
let server: S3Server;
let transport: Transport;
let bucket: string;
let states = 0;
beforeAll(async () => {
  if (missing !== null) return;
  server = await startS3();
  transport = makeTransport({
    width: 8,
    requestTimeout: 20_000,
    largestReply: 2 ** 30,
    proxy: null,
    clock: fakeClock(),
  });
  bucket = await server.bucket();
}, 60_000);
afterAll(async () => {
  transport?.close();
  await server?.close();
});

type Around = (transmit: Transmit) => Transmit;

interface Opening {
  readonly clock: Clock;
  readonly around?: Around;
  readonly keys?: KeySource;
}

function storeAt(key: string, opening: Opening): Store {
  return inTheClear(keptAt(key, opening));
}

function keptAt(key: string, { clock, around = (same) => same, keys = KEYS }: Opening): Store<Kept> {
  const at = bucketAddress(`s3://${bucket}/${key}`);
  const transmit = around((message, signal) => transport.transmit(message, signal));
  const options = { at, region: server.region, endpoint: server.url, keys, transmit, clock };
  return s3Store({ ...options, version: "0.1.0", requestTimeout: 60_000, pace: 0 });
}

function objectsAt(key: string) {
  const clock = still();
  const keys = keyRing(KEYS, "the bucket", transport.transmit, clock);
  const at = bucketAddress(`s3://${bucket}/${key}`);
  const { transmit } = transport;
  return openBucket({ at, region: server.region, endpoint: server.url, keys, transmit, clock });
}

/** A clock that stands still at an instant at which the server accepts signatures. */
function still(): HandClock {
  return handClock(server.start);
}

/** The same, and each wait takes no time. */
function quick(): Clock {
  return { ...still(), sleep: () => new Promise((resolve) => setTimeout(resolve, 1)) };
}

const isOfHead = ({ url }: Message) => !/\.(state|journal|history)\//.test(url);

/** A line for which the head has no room. */
const long = (line: string) => line.repeat(70_000);

function newKey(): string {
  states += 1;
  return `remit/state ${states}+ä`;
}

if (missing !== null) it.skip(missing);
else
  storeContract(
    "a bucket",
    async (clock) => {
      const key = newKey();
      const opening = counted((onWrite) =>
        storeAt(key, {
          clock,
          around: (transmit) => (message, signal) => {
            if (isOfHead(message) && message.method === "PUT") onWrite();
            return transmit(message, signal);
          },
        }),
      );
      return { ...opening, close: async () => undefined };
    },
    () => server.start,
  );

describe.skipIf(missing !== null)("a state in a bucket", () => {
  it("proves again that it swaps where its objects were copied to another server or bucket", async () => {
    const key = newKey();
    const clock = still();
    let probes = 0;
    const around: Around = (transmit) => (message, signal) => {
      if (message.url.includes("probe-")) probes += 1;
      return transmit(message, signal);
    };
    const lockOnce = async () =>
      (await storeAt(key, { clock, around }).lock(owner("one"), { timeout: 0 })).release();
    await lockOnce();
    const made = probes;
    expect(made).toBeGreaterThan(0);
    await lockOnce();
    expect(probes).toBe(made);
    const stored = await objectsAt(key).get("");
    if (stored === null) throw new Error("the head is missing");
    const copied = JSON.stringify({
      ...JSON.parse(stored.text),
      proved: "https://elsewhere.example/bucket",
    });
    await objectsAt(key).swap("", stored.tag, copied);
    await lockOnce();
    expect(probes).toBe(2 * made);
    await lockOnce();
    expect(probes).toBe(2 * made);
  });

  it("is not called absent where its bucket is too large to be listed to its end", async () => {
    const body = new TextEncoder().encode("<NextContinuationToken>more</NextContinuationToken>");
    const { diagnostic } = await failure(
      listS3States({
        at: bucketAddress(`s3://${bucket}/state`),
        region: server.region,
        endpoint: server.url,
        keys: KEYS,
        transmit: async () => ({ as: "reply", status: 200, headers: {}, body, took: 0 }),
        clock: still(),
      }),
    );
    expect(diagnostic).toMatchObject({ code: "state/refused", message: expect.stringContaining("too many") });
  });

  it("is listed with the others of its bucket: whose it is, and who holds its lock", async () => {
    const clock = still();
    const folder = newKey();
    const [prod, test] = ["prod & co", "test"].map((name) => `${folder}/${name}`) as [string, string];
    const first = following(newSnapshot("lineage", "server"), ["one"]);
    const held = await storeAt(prod, { clock }).lock(owner("one"), { timeout: 0 });
    await held.save({ ...first, project: "acme/one" });
    const lock = await storeAt(test, { clock }).lock(owner("two"), { timeout: 0 });
    await lock.save(first);
    await lock.release();
    const at = bucketAddress(`s3://${bucket}/${test}`);
    const { transmit } = transport;
    const found = await listS3States({
      at,
      region: server.region,
      endpoint: server.url,
      keys: KEYS,
      transmit,
      clock,
    });
    expect(found.filter(({ address }) => address.includes(folder))).toEqual([
      { address: `s3://${bucket}/${prod}`, project: "acme/one", serial: 1, held: { by: owner("one") } },
      { address: `s3://${bucket}/${test}`, project: null, serial: 1, held: null },
    ]);
    await held.release();
  });

  const first = following(newSnapshot("lineage", "server"), ["one"]);

  /** The server does what is asked, and its reply to every write is lost the first time. */
  const losing: Around = (transmit) => {
    const answered = new Set<string>();
    return async (message, signal) => {
      const answer = await transmit(message, signal);
      const request = `${message.method} ${message.url} ${message.body}`;
      if (message.method === "GET" || answered.has(request)) return answer;
      answered.add(request);
      return { as: "lost", sent: true, untrusted: false, code: "ETIMEDOUT" };
    };
  };

  it("has each write once where its reply was lost", async () => {
    const key = newKey();
    const store = storeAt(key, { clock: quick(), around: losing });
    const lock = await store.lock(owner("one"), { timeout: 0 });
    await lock.journal.append("one");
    await lock.save(first);
    await lock.journal.append("two");
    await lock.confirm();
    expect(await store.read()).toMatchObject({ snapshot: first, journal: ["one", "two"] });
    await lock.journal.clear();
    expect((await store.read()).journal).toEqual([]);
    await lock.release();
    expect((await store.read()).held).toBeNull();
  });

  it("is not lost to its holder when the server was silent for a while after it had done a change", async () => {
    const key = newKey();
    const clock = still();
    let isSilent = false;
    const silent: Around = (transmit) => async (message, signal) => {
      const answer = await transmit(message, signal);
      return isSilent ? { as: "lost", sent: true, untrusted: false, code: "ETIMEDOUT" } : answer;
    };
    const store = storeAt(key, { clock, around: silent });
    const lock = await store.lock(owner("one"), { timeout: 0 });
    isSilent = true;
    const { diagnostic } = await passing(clock, failure(lock.save(first)));
    expect(diagnostic.code).toBe("state/unreachable");
    isSilent = false;
    clock.jump(25_000);
    await passing(clock, lock.confirm());
    await passing(clock, lock.save(first));
    expect((await store.read()).snapshot).toEqual(first);
    await passing(clock, lock.release());
  });

  it.each([true, false])(
    "keeps the end of a run and gives its lock up by one swap, and removes all batches (by one request: %s)",
    async (knowsMany) => {
      const key = newKey();
      const sent: string[] = [];
      const listening: Around = (transmit) => async (message, signal) => {
        sent.push(message.method);
        if (message.method === "POST" && !knowsMany) return reply(501, "NotImplemented");
        return transmit(message, signal);
      };
      const store = storeAt(key, { clock: quick(), around: listening });
      const lock = await store.lock(owner("one"), { timeout: 0 });
      for (const line of ["one", "two", "three"]) await lock.journal.append(long(line));
      lock.journal.note("an outcome that the snapshot has");
      sent.length = 0;
      expect(await lock.release({ snapshot: first, isCleared: true })).toBeNull();
      const removing = knowsMany ? ["POST"] : ["POST", "DELETE", "DELETE", "DELETE"];
      expect(sent).toEqual(["PUT", "PUT", ...removing]);
      expect(await store.read()).toEqual({ snapshot: first, trace: null, journal: [], held: null });
      const kept = (await server.keys(bucket, key)).map((name) => name.slice(key.length));
      expect(kept.filter((name) => name.startsWith(".journal/"))).toEqual([".journal/readable"]);
    },
  );

  it.each([false, true])(
    "knows that its last write was done while the server was silent (another run has the lock since: %s)",
    async (isTakenSince) => {
      const key = newKey();
      let isSilent = false;
      const silent: Around = (transmit) => async (message, signal) => {
        const answer = await transmit(message, signal);
        const isPointer = !/\.(state|journal)\//.test(message.url);
        return isSilent && isPointer
          ? { as: "lost", sent: true, untrusted: false, code: "ETIMEDOUT" }
          : answer;
      };
      const waits: string[] = [];
      const told = ({ as }: { readonly as: string }) => waits.push(as);
      const store = storeAt(key, { clock: quick(), around: silent });
      const lock = await store.lock(owner("one"), { timeout: 0, patience: 300_000, told });
      await lock.journal.append("one");
      isSilent = true;
      const releasing = lock.release({ snapshot: first, isCleared: true });
      await until(() => waits.length > 0);
      const other = storeAt(key, { clock: quick() });
      const next = isTakenSince ? await other.lock(owner("two"), { timeout: 0 }) : null;
      isSilent = false;
      expect(await releasing).toBeNull();
      await next?.journal.append("of the next run");
      expect((await store.read()).journal).toEqual(isTakenSince ? ["of the next run"] : []);
      await next?.release();
      expect(await store.read()).toMatchObject({ snapshot: first, held: null });
    },
  );

  it.each([
    { status: 507, code: "XMinioStorageFull", says: "its disk or its quota is full (XMinioStorageFull)" },
    { status: 507, code: "", says: "its disk or its quota is full (status 507)" },
    { status: 403, code: "AccessDenied", says: "this user lacks a right (AccessDenied)" },
  ])("names why no write is ever taken: $says", async ({ status, code, says }) => {
    let isRefusing = false;
    const refusing: Around = (transmit) => (message, signal) =>
      isRefusing && message.method === "PUT"
        ? Promise.resolve(reply(status, code))
        : transmit(message, signal);
    const lock = await storeAt(newKey(), { clock: quick(), around: refusing }).lock(owner("one"), {
      timeout: 0,
    });
    isRefusing = true;
    const { diagnostic, refusal } = await failure(lock.journal.append("an intent"));
    expect([diagnostic.message, refusal]).toEqual([expect.stringContaining(says), "never"]);
    isRefusing = false;
    await lock.release();
  });

  it("goes on after replies that say that the server is busy", async () => {
    const busy: Around = (transmit) => {
      let asked = 0;
      return (message, signal) => {
        asked += 1;
        return asked % 2 === 1 ? Promise.resolve(reply(503, "SlowDown")) : transmit(message, signal);
      };
    };
    const store = storeAt(newKey(), { clock: quick(), around: busy });
    const lock = await store.lock(owner("one"), { timeout: 0 });
    await lock.journal.append("one");
    await lock.save(first);
    expect(await store.read()).toMatchObject({ snapshot: first, journal: ["one"] });
    await lock.release();
  });

  it("is taken over from a holder that showed no life for a lease and a request, by the taker's own clock", async () => {
    const key = newKey();
    const [deadClock, clock] = [still(), still()];
    const dead = await storeAt(key, { clock: deadClock }).lock(owner("dead"), { timeout: 0 });
    await dead.journal.append("an intent");
    const next = storeAt(key, { clock });
    expect((await next.read()).held?.by?.id).toBe("dead");
    // Without a sign of life in between, it waits longer than its time.
    const lock = await passing(clock, next.lock(owner("next"), { timeout: 1_000 }));
    expect(clock.elapsed()).toBeGreaterThanOrEqual(90_000);
    expect(clock.elapsed()).toBeLessThan(150_000);
    deadClock.jump(25_000);
    expect((await failure(dead.confirm())).diagnostic.code).toBe("state/lock-lost");
    expect((await failure(dead.journal.append("late"))).diagnostic.code).toBe("state/lock-lost");
    expect((await next.read()).journal).toEqual(["an intent"]);
    await dead.release();
    await lock.confirm();
    await lock.release();
    expect((await next.read()).held).toBeNull();
  });

  it("has no line of a holder that was taken over, however late its write comes", async () => {
    const key = newKey();
    const clock = still();
    let heldBack: (() => Promise<Answer>) | undefined;
    let isSlow = false;
    const slow: Around = (transmit) => (message, signal) => {
      if (!isSlow || message.method !== "PUT" || !isOfHead(message)) return transmit(message, signal);
      heldBack = () => transmit(message, signal);
      return new Promise(() => undefined);
    };
    const dead = await storeAt(key, { clock, around: slow }).lock(owner("dead"), { timeout: 0 });
    isSlow = true;
    dead.journal.append("late").catch(() => undefined);
    const next = storeAt(key, { clock });
    await next.unlock();
    const lock = await next.lock(owner("next"), { timeout: 0 });
    await lock.journal.append("next");
    expect(await heldBack?.()).toMatchObject({ status: 412 });
    expect((await next.read()).journal).toEqual(["next"]);
    await lock.release();
  });

  it("is read by a user who may only get objects, and who gets 403 for those that are missing", async () => {
    const key = newKey();
    const methods: string[] = [];
    const reader: Around = (transmit) => async (message, signal) => {
      methods.push(message.method);
      const answer = await transmit(message, signal);
      const isDenied = message.method !== "GET" || (answer.as === "reply" && answer.status === 404);
      return isDenied ? reply(403, "AccessDenied") : answer;
    };
    const store = storeAt(key, { clock: quick(), around: reader });
    const { diagnostic } = await failure(store.read());
    expect(diagnostic).toMatchObject({
      code: "state/refused",
      hint: expect.stringContaining("s3:GetObject"),
    });
    const lock = await storeAt(key, { clock: quick() }).lock(owner("one"), { timeout: 0 });
    await lock.save(first);
    await lock.journal.append("one");
    expect(await store.read()).toMatchObject({
      snapshot: first,
      journal: ["one"],
      held: { by: { id: "one" } },
    });
    await lock.release();
    expect(new Set(methods)).toEqual(new Set(["GET"]));
    expect((await failure(store.lock(owner("two"), { timeout: 0 }))).diagnostic).toMatchObject({
      code: "state/refused",
      hint: expect.stringContaining("s3:PutObject"),
    });
  });

  it("hides no journal from a user who may read the state and not the journal", async () => {
    const key = newKey();
    const lock = await storeAt(key, { clock: quick() }).lock(owner("one"), { timeout: 0 });
    await lock.journal.append(long("one"));
    const blind: Around = (transmit) => (message, signal) =>
      message.url.includes(".journal/")
        ? Promise.resolve(reply(403, "AccessDenied"))
        : transmit(message, signal);
    const { diagnostic } = await failure(storeAt(key, { clock: quick(), around: blind }).read());
    expect(diagnostic).toMatchObject({ code: "state/refused", message: expect.stringContaining("journal") });
    await lock.release();
  });

  it.each([
    { ignored: "If-None-Match", header: "if-none-match" },
    { ignored: "If-Match", header: "if-match" },
  ])(
    "is refused by the probe where the server ignores $ignored, before anything is written",
    async ({ ignored, header }) => {
      const key = newKey();
      // What a server that ignores a condition would refuse by it, it takes.
      const ignoring: Around = (transmit) => async (message, signal) => {
        const answer = await transmit(message, signal);
        const isRefused = answer.as === "reply" && answer.status === 412 && header in message.headers;
        return isRefused ? { ...answer, status: 200, headers: { etag: '"other"' } } : answer;
      };
      const { diagnostic } = await failure(
        storeAt(key, { clock: quick(), around: ignoring }).lock(owner("one"), { timeout: 0 }),
      );
      expect(diagnostic.code).toBe("state/no-swap");
      expect(diagnostic.message).toContain(`ignores the condition ${ignored} of a write`);
      expect(await storeAt(key, { clock: quick() }).read()).toMatchObject({ snapshot: null, trace: null });
    },
  );

  it("is moved there, back, and there again", () => expectMoves(keptAt(newKey(), { clock: quick() })));

  it("is probed once, before its first write", async () => {
    const key = newKey();
    const puts: string[] = [];
    const listening: Around = (transmit) => (message, signal) => {
      if (message.method === "PUT") puts.push(message.url);
      return transmit(message, signal);
    };
    const store = storeAt(key, { clock: quick(), around: listening });
    await (await store.lock(owner("one"), { timeout: 0 })).release();
    expect(puts[0]).toContain(".journal/probe-");
    puts.length = 0;
    await (await store.lock(owner("two"), { timeout: 0 })).release();
    expect(puts.filter((url) => url.includes("probe"))).toEqual([]);
  });

  it("shows that a state was here where its object was removed and its journal was not", async () => {
    const key = "removed";
    const store = storeAt(key, { clock: quick() });
    const lock = await store.lock(owner("one"), { timeout: 0 });
    await lock.journal.append("of the state before");
    await lock.release();
    await objectsAt(key).drop([""]);
    const what = expect.stringContaining(".journal/");
    expect(await store.read()).toMatchObject({ snapshot: null, trace: { what } });
    const next = await store.lock(owner("two"), { timeout: 0 });
    await next.journal.append("of the new state");
    expect((await store.read()).journal).toEqual(["of the new state"]);
    await next.release();
  });

  it("is still lost for the run that locks it, until that run saves a state", async () => {
    const key = newKey();
    const store = storeAt(key, { clock: quick() });
    const lost = { snapshot: null, trace: expect.objectContaining({ what: expect.any(String) }) };
    await (await store.lock(owner("one"), { timeout: 0 })).release();
    await objectsAt(key).drop([""]);
    const lock = await store.lock(owner("two"), { timeout: 0 });
    expect(await store.read()).toMatchObject(lost);
    await lock.release();
    expect(await store.read()).toMatchObject(lost);
    const next = await store.lock(owner("three"), { timeout: 0 });
    await next.save(first);
    expect(await store.read()).toMatchObject({ snapshot: first, trace: null });
    await next.release();
  });

  it(`is held by one of ${AT_ONCE} that start at once on a new state`, async () => {
    const key = newKey();
    // Those that wait ask so seldom that the server works for the one that holds the lock.
    const clock: Clock = { ...still(), sleep: () => new Promise((resolve) => setTimeout(resolve, 100)) };
    await expectTurns(() => storeAt(key, { clock }), AT_ONCE);
  }, 60_000);

  it(`takes a state of ${MANY_ROWS.words}, and leaves no more than one snapshot behind`, async () => {
    const key = newKey();
    const names = Array.from({ length: MANY_ROWS.count }, (_, place) => `row-${place}`);
    const large = following(first, names);
    const store = storeAt(key, { clock: quick() });
    const lock = await store.lock(owner("one"), { timeout: 0 });
    await lock.save(first);
    await lock.save(large);
    await lock.save({ ...first, serial: 3 });
    await lock.save({ ...large, serial: 4 });
    await lock.journal.append("one");
    await lock.journal.clear();
    await lock.release();
    expect(Object.keys((await store.read()).snapshot?.entries ?? {})).toHaveLength(MANY_ROWS.count);
    const kept = (await server.keys(bucket, key)).map((name) => name.slice(key.length));
    expect(kept.filter((name) => name.startsWith(".state/"))).toHaveLength(2);
    expect(kept.filter((name) => name.startsWith(".journal/"))).toEqual([".journal/readable"]);
  });

  it("signs by the server's time where the clock of this machine is wrong", async () => {
    const skewed: Around = (transmit) => (message, signal) => {
      const [, ...parts] =
        /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(message.headers["x-amz-date"] ?? "") ?? [];
      const [year = 0, month = 0, ...rest] = parts.map(Number);
      const isWrong = Math.abs(Date.UTC(year, month - 1, ...rest) - server.start) > 900_000;
      const date = new Date(server.start).toUTCString();
      return isWrong
        ? Promise.resolve(reply(403, "RequestTimeTooSkewed", { date }))
        : transmit(message, signal);
    };
    const clock = quick();
    const now = () => clock.now() - 86_400_000;
    const store = storeAt(newKey(), { clock: { ...clock, now }, around: skewed });
    const lock = await store.lock(owner("one"), { timeout: 0 });
    await lock.save(first);
    expect((await store.read()).snapshot).toEqual(first);
    await lock.release();
  });

  it.skipIf(NO_LENDER !== null)(
    "is reached with keys that AWS lends to a pipeline's identity, and asks for others when they end",
    async () => {
      const asked: string[] = [];
      let isEnded = false;
      const listening: Around = (transmit) => (message, signal) => {
        if (message.body?.includes("AssumeRoleWithWebIdentity") === true) asked.push(message.body);
        const isOwn = message.method === "GET" && isEnded;
        if (isOwn) isEnded = false;
        return isOwn ? Promise.resolve(reply(400, "ExpiredToken")) : transmit(message, signal);
      };
      const keys: KeySource = {
        as: "web identity",
        role: "arn:aws:iam::123456789012:role/remit",
        sessionName: "remit",
        readToken: async () => new Secret("the-token"),
        lender: server.url,
      };
      const store = storeAt(newKey(), { clock: quick(), around: listening, keys });
      const lock = await store.lock(owner("one"), { timeout: 0 });
      await lock.save(first);
      expect(asked).toHaveLength(1);
      expect(asked[0]).toContain("WebIdentityToken=the-token");
      isEnded = true;
      expect((await store.read()).snapshot).toEqual(first);
      expect(asked).toHaveLength(2);
      await lock.release();
    },
  );

  it.each([
    { what: "a bucket that is not there", status: 404, code: "NoSuchBucket", says: "does not exist" },
    {
      what: "keys that the server does not know",
      status: 403,
      code: "InvalidAccessKeyId",
      says: "does not accept these keys",
    },
    {
      what: "a bucket of another region",
      status: 301,
      code: "PermanentRedirect",
      says: "sends requests for it elsewhere",
    },
    { what: "a server that stays away", status: 503, code: "ServiceUnavailable", says: "did not answer" },
  ])("names $what, and never a key", async ({ status, code, says }) => {
    const urls: string[] = [];
    const answering: Around =
      () =>
      async ({ url }) => {
        urls.push(new URL(url).origin);
        return reply(status, code, {
          location: "https://elsewhere.example/",
          "x-amz-bucket-region": "eu-west-1",
        });
      };
    const { diagnostic } = await failure(storeAt("key", { clock: quick(), around: answering }).read());
    expect(diagnostic.message).toContain(says);
    expect(JSON.stringify(diagnostic)).not.toMatch(/open-sesame|AKIDEXAMPLE/);
    expect(new Set(urls)).toEqual(new Set([server.url]));
  });
});

function reply(status: number, code: string, headers: Record<string, string> = {}): Answer {
  const body = new TextEncoder().encode(`<Error><Code>${code}</Code></Error>`);
  return { as: "reply", status, headers, body, took: 0 };
}
