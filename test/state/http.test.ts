import { describe, expect, it } from "vitest";
import type { Clock } from "../../src/model/clock.js";
import type { Answer, Message, Transmit } from "../../src/model/exchange.js";
import { Secret } from "../../src/model/secret.js";
import { methodsFor, webAddress } from "../../src/state/http/address.js";
import { httpStore } from "../../src/state/http/http.js";
import { lockIdOf, ownerIn } from "../../src/state/http/server.js";
import { newSnapshot } from "../../src/state/snapshot.js";
import type { Store } from "../../src/state/store.js";
import { counted } from "../contracts/counted.js";
import { expectTurns } from "../contracts/races.js";
import { failure, following, owner, passing, storeContract } from "../contracts/store.js";
import { type GitLabState, gitlabState } from "../fakes/gitlabState.js";
import { handClock, until } from "../fakes/handClock.js";
import { inTheClear } from "../fakes/inTheClear.js";

const PATH = "/api/v4/projects/7/terraform/state/remit";
const ADDRESS = `https://gitlab.example.com${PATH}`;
const USERS = {
  "ada:open-sesame": "Maintainer",
  "dev:open-sesame": "Developer",
  "eve:open-sesame": "Reporter",
} as const;

interface Opening {
  readonly clock?: Clock;
  readonly pace?: number;
  readonly user?: string;
  readonly around?: (transmit: Transmit) => Transmit;
}

function storeOn(
  gitlab: GitLabState,
  { clock = quick(), pace = 0, user = "ada", around }: Opening = {},
): Store {
  const transmit: Transmit = async (message) => {
    // A reply takes a while.
    await new Promise((resolve) => setImmediate(resolve));
    return gitlab.answer(message);
  };
  return inTheClear(
    httpStore({
      methods: methodsFor(webAddress(ADDRESS), {}),
      user,
      password: new Secret("open-sesame"),
      transmit: around === undefined ? transmit : around(transmit),
      clock,
      version: "0.1.0",
      pace,
    }),
  );
}

/** A clock that stands still, and on which each wait takes no time. */
function quick(): Clock {
  return { ...handClock(), sleep: () => new Promise((resolve) => setImmediate(resolve)) };
}

const isWrite = ({ method, url }: Message) => method === "POST" && !url.includes("/lock");

storeContract(
  "a state of GitLab (substitute)",
  async (clock) => {
    const gitlab = gitlabState(USERS);
    const opening = counted((onWrite) =>
      storeOn(gitlab, {
        clock,
        around: (transmit) => (message) => {
          if (isWrite(message)) onWrite();
          return transmit(message);
        },
      }),
    );
    return { ...opening, close: async () => undefined };
  },
  undefined,
  false,
);

describe("a state of GitLab (substitute)", () => {
  const first = following(newSnapshot("lineage", "server"), ["one"]);
  const last = (gitlab: GitLabState) => JSON.parse(gitlab.written(PATH).at(-1) ?? "null");

  it("is held by one of forty that start at once on a new state", async () => {
    const gitlab = gitlabState(USERS);
    await expectTurns(() => storeOn(gitlab));
  });

  it("is one document whose serial each write raises", async () => {
    const gitlab = gitlabState(USERS);
    const lock = await storeOn(gitlab).lock(owner("one"), { timeout: 0 });
    await lock.journal.append("an intent");
    await lock.save(first);
    expect(last(gitlab)).toMatchObject({
      serial: 3,
      lineage: "lineage",
      head: { journal: { lines: ["an intent"] }, lock: { owner: { id: "one" } } },
    });
    await lock.journal.clear();
    await lock.release();
    expect(gitlab.written(PATH).map((text) => JSON.parse(text).serial)).toEqual([1, 2, 3, 4, 5]);
    expect(last(gitlab)).toMatchObject({
      head: { lock: null, journal: { lines: [] }, snapshot: { serial: 1 } },
    });
    expect(Object.values(last(gitlab).parts)).toEqual([expect.objectContaining({ serial: 1 })]);
    expect(gitlab.lockOf(PATH)).toBeNull();
  });

  it("is unlocked at an address that has a query of its own, which names the lock beside it", async () => {
    const gitlab = gitlabState(USERS);
    const asked: string[] = [];
    const named = { unlockAddress: `${ADDRESS}/lock?ref=main` };
    const store = httpStore({
      methods: methodsFor(webAddress(ADDRESS), named),
      user: "ada",
      password: new Secret("open-sesame"),
      transmit: async (message) => {
        asked.push(`${message.method} ${message.url}`);
        return gitlab.answer({ ...message, url: message.url.replace("?ref=main&", "?") });
      },
      clock: quick(),
      version: "0.1.0",
      pace: 0,
    });
    await (await inTheClear(store).lock(owner("one"), { timeout: 0 })).release();
    const unlocks = asked.filter((one) => one.startsWith("DELETE "));
    expect(unlocks.every((one) => one.startsWith(`DELETE ${ADDRESS}/lock?ref=main&ID=`))).toBe(true);
    expect(unlocks).not.toEqual([]);
    expect(gitlab.lockOf(PATH)).toBeNull();
  });

  it("is written at most every five seconds for its journal, and each write has all lines that wait", async () => {
    const gitlab = gitlabState(USERS);
    const clock = handClock();
    const lock = await storeOn(gitlab, { clock, pace: 5_000 }).lock(owner("one"), { timeout: 0 });
    await lock.journal.append("one");
    const before = gitlab.written(PATH).length;
    const waiting = Promise.all([lock.journal.append("two"), lock.journal.append("three")]);
    await until(() => clock.sleepers() > 1);
    clock.advance(4_900);
    expect(gitlab.written(PATH)).toHaveLength(before);
    await passing(clock, waiting);
    expect(gitlab.written(PATH)).toHaveLength(before + 1);
    expect(last(gitlab).head.journal.lines).toEqual(["one", "two", "three"]);
    await passing(clock, lock.release());
  });

  it("is never taken over, and its journal is there when a person has removed the lock of a dead job", async () => {
    const gitlab = gitlabState(USERS);
    const clock = handClock();
    const job = "https://gitlab.example.com/acme/access/-/jobs/4711";
    const dead = await storeOn(gitlab, { clock }).lock(owner("dead", { job }), { timeout: 0 });
    await dead.journal.append("an intent");
    const next = storeOn(gitlab, { clock });
    clock.advance(86_400_000);
    const { diagnostic } = await passing(clock, failure(next.lock(owner("next"), { timeout: 60_000 })));
    expect(diagnostic.code).toBe("state/locked");
    expect(diagnostic.message).toContain(`remit apply dead (process 1 on here, ${job}, since 2026-01-01`);
    expect(diagnostic.hint).toContain("`remit state unlock`");
    expect((await next.read()).held?.by?.job).toBe(job);
    expect(await next.unlock()).toMatchObject({ id: "dead", job });
    expect(await next.read()).toMatchObject({ held: null, journal: ["an intent"] });
    const lock = await next.lock(owner("next"), { timeout: 0 });
    expect((await failure(dead.journal.append("late"))).diagnostic.code).toBe("state/lock-lost");
    await lock.release();
  });

  it("has each write once where its reply was lost", async () => {
    const gitlab = gitlabState(USERS);
    const lost = new Set<string>();
    const losing =
      (transmit: Transmit): Transmit =>
      async (message) => {
        const answer = await transmit(message);
        const request = `${message.method} ${message.url} ${message.body}`;
        if (message.method === "GET" || lost.has(request)) return answer;
        lost.add(request);
        return { as: "lost", sent: true, untrusted: false, code: "ETIMEDOUT" };
      };
    const store = storeOn(gitlab, { around: losing });
    const lock = await store.lock(owner("one"), { timeout: 0 });
    await lock.journal.append("one");
    await lock.save(first);
    await lock.journal.append("two");
    expect(await store.read()).toMatchObject({ snapshot: first, journal: ["one", "two"] });
    await lock.release();
    expect(gitlab.lockOf(PATH)).toBeNull();
  });

  it("finds a write again that the server had done before it went silent", async () => {
    const gitlab = gitlabState(USERS);
    let isSilent = false;
    const silent =
      (transmit: Transmit): Transmit =>
      async (message) => {
        const answer = await transmit(message);
        return isSilent && message.method !== "GET" ? failing(503) : answer;
      };
    const lock = await storeOn(gitlab, { around: silent }).lock(owner("one"), { timeout: 0 });
    isSilent = true;
    await lock.save(first);
    isSilent = false;
    await lock.save(following(first, ["two"]));
    await lock.release();
    expect((await storeOn(gitlab).read()).snapshot?.serial).toBe(2);
  });

  it("stays held on a server that grants a lock again to its holder, and is freed at the end", async () => {
    const gitlab = gitlabState(USERS);
    let mine = "";
    const around =
      (transmit: Transmit): Transmit =>
      async (message) => {
        const isLock = message.method === "POST" && message.url.endsWith("/lock");
        const asked = isLock ? String(JSON.parse(message.body ?? "{}").ID) : "";
        if (isLock && asked === gitlab.lockOf(PATH)) return reply(200, "{}");
        const answer = await transmit(message);
        if (isLock && answer.as === "reply" && answer.status === 200 && mine === "") mine = asked;
        return answer;
      };
    const clock = quick();
    let now = 0;
    const moving = { ...clock, now: () => now, elapsed: () => now };
    const lock = await storeOn(gitlab, { around, clock: moving }).lock(owner("one"), { timeout: 0 });
    now += 59_000;
    await lock.confirm();
    expect(gitlab.lockOf(PATH)).toBe(mine);
    await lock.save(first);
    await lock.release();
    expect(gitlab.lockOf(PATH)).toBeNull();
    expect((await storeOn(gitlab).read()).snapshot).toEqual(first);
  });

  it.each([409, 412, 423])(
    "counts a write that took effect as done, where a late %d says otherwise",
    async (status) => {
      const gitlab = gitlabState(USERS);
      let late = 0;
      const around =
        (transmit: Transmit): Transmit =>
        async (message) => {
          const answer = await transmit(message);
          if (!isWrite(message) || late === 0) return answer;
          late -= 1;
          return reply(status, "");
        };
      const lock = await storeOn(gitlab, { around }).lock(owner("one"), { timeout: 0 });
      late = 1;
      await lock.save(first);
      await lock.journal.append("an intent");
      expect(lock.lost.aborted).toBe(false);
      await lock.release();
      expect(gitlab.lockOf(PATH)).toBeNull();
      expect(await storeOn(gitlab).read()).toMatchObject({ snapshot: first, journal: ["an intent"] });
    },
  );

  it("tells a living run that a person removed its lock, also where it has written nothing yet", async () => {
    const gitlab = gitlabState(USERS);
    const living = await storeOn(gitlab).lock(owner("living"), { timeout: 0 });
    expect((await storeOn(gitlab).unlock())?.id).toBe("living");
    const { diagnostic } = await failure(living.save(first));
    expect(diagnostic.code).toBe("state/lock-lost");
    expect(diagnostic.message).toContain("a person removed the lock of this run");
    expect((await failure(living.confirm())).diagnostic).toEqual(diagnostic);
    expect((await living.release())?.diagnostic).toEqual(diagnostic);
    expect(gitlab.lockOf(PATH)).toBeNull();
    expect((await storeOn(gitlab).read()).snapshot).toBeNull();
  });

  it.each([
    { status: 507, says: "its disk or its quota is full (status 507)" },
    { status: 403, says: "this user may not have it written (status 403)" },
  ])("names why no write is ever taken: $says", async ({ status, says }) => {
    const gitlab = gitlabState(USERS);
    let isRefusing = false;
    const around =
      (transmit: Transmit): Transmit =>
      (message) =>
        isRefusing && isWrite(message) ? Promise.resolve(failing(status)) : transmit(message);
    const lock = await storeOn(gitlab, { around }).lock(owner("one"), { timeout: 0 });
    isRefusing = true;
    const { diagnostic, refusal } = await failure(lock.journal.append("an intent"));
    expect([diagnostic.message, refusal]).toEqual([expect.stringContaining(says), "never"]);
    isRefusing = false;
    await lock.release();
    expect(gitlab.lockOf(PATH)).toBeNull();
  });

  it("is read by a Developer, who cannot lock it: the refusal names the role that can", async () => {
    const gitlab = gitlabState(USERS);
    const lock = await storeOn(gitlab).lock(owner("one"), { timeout: 0 });
    await lock.save(first);
    await lock.release();
    const reader = storeOn(gitlab, { user: "dev" });
    expect((await reader.read()).snapshot).toEqual(first);
    const { diagnostic } = await failure(reader.lock(owner("two"), { timeout: 0 }));
    expect(diagnostic).toMatchObject({ code: "state/refused", message: expect.stringContaining("403") });
    expect(diagnostic.hint).toContain("Maintainer");
    expect((await failure(storeOn(gitlab, { user: "eve" }).read())).diagnostic.hint).toContain("Developer");
    expect((await failure(storeOn(gitlab, { user: "nobody" }).read())).diagnostic.message).toContain("401");
  });

  it.each([
    {
      ignores: "that its lock is held",
      around:
        (transmit: Transmit): Transmit =>
        async (message) => {
          const answer = await transmit(message);
          const isTaken = message.method === "POST" && message.url.endsWith("/lock");
          return isTaken && answer.as === "reply" && answer.status === 409
            ? { ...answer, status: 200 }
            : answer;
        },
    },
    {
      ignores: "the ID of the lock in a write",
      around:
        (transmit: Transmit): Transmit =>
        async (message) => {
          const answer = await transmit(message);
          const isRefused = isWrite(message) && answer.as === "reply" && answer.status === 409;
          return isRefused ? { ...answer, status: 200 } : answer;
        },
    },
  ])(
    "is refused where the server ignores $ignores, before anything is written",
    async ({ ignores, around }) => {
      const gitlab = gitlabState(USERS);
      const { diagnostic } = await failure(storeOn(gitlab, { around }).lock(owner("one"), { timeout: 0 }));
      expect(diagnostic.code).toBe("state/no-swap");
      expect(diagnostic.message).toContain(`ignores ${ignores}`);
      expect(gitlab.written(PATH)).toEqual([]);
    },
  );

  it("is refused with advice where it is larger than 10 MB, and keeps what it had", async () => {
    const gitlab = gitlabState(USERS);
    const lock = await storeOn(gitlab).lock(owner("one"), { timeout: 0 });
    await lock.save(first);
    const names = Array.from({ length: 50_000 }, (_, place) => `row-${place}`);
    const { diagnostic } = await failure(lock.save(following(first, names)));
    expect(diagnostic.code).toBe("state/too-large");
    expect(diagnostic.hint).toContain("remit state move");
    expect((await storeOn(gitlab).read()).snapshot).toEqual(first);
    await lock.save(following(first, ["two"]));
    await lock.release();
  });

  it("is refused where another program has written it", async () => {
    const foreign = async (): Promise<Answer> => ({
      as: "reply",
      status: 200,
      headers: {},
      body: new TextEncoder().encode('{"version":4,"terraform_version":"1.9.0","serial":3,"lineage":"x"}'),
      took: 0,
    });
    const store = storeOn(gitlabState(USERS), { around: () => foreign });
    expect((await failure(store.read())).diagnostic.message).toContain("not one that remit has written");
  });

  it("sends its credentials nowhere else, and prints them nowhere", async () => {
    const urls: string[] = [];
    const moved =
      (): Transmit =>
      async ({ url }) => {
        urls.push(new URL(url).origin);
        return { ...failing(302), headers: { location: "https://elsewhere.example/" } };
      };
    const { diagnostic } = await failure(storeOn(gitlabState(USERS), { around: moved }).read());
    expect(diagnostic.code).toBe("state/refused");
    expect(JSON.stringify(diagnostic)).not.toContain("sesame");
    expect(new Set(urls)).toEqual(new Set(["https://gitlab.example.com"]));
  });
});

describe("the ID of a lock", () => {
  it("names the command, the process, the host and the job", () => {
    const by = owner("q1w2e3", {
      host: "runner-7",
      pid: 4711,
      job: "https://gitlab.example.com/a/b/-/jobs/9",
    });
    const id = lockIdOf(by, "0123456789abcdef");
    expect(ownerIn(id, by.since)).toEqual({ ...by, user: null });
  });

  it.each([0, 40, 200, 400])("has at most 255 characters where the names are %d longer", (more) => {
    const long = "x".repeat(more);
    const by = owner("q1w2e3", {
      host: `host-${long}`,
      command: `remit ${long}`,
      job: `https://gitlab/${long}`,
    });
    const id = lockIdOf(by, "0123456789abcdef");
    expect(id.length).toBeLessThanOrEqual(255);
    expect(ownerIn(id, by.since)).toMatchObject({ id: "q1w2e3", pid: 1 });
  });

  it("of another program names no process", () => {
    expect(ownerIn("5d2b9c1a-0000-4000-8000-000000000000", "now")).toBeNull();
  });
});

function failing(status: number): Extract<Answer, { as: "reply" }> {
  return { as: "reply", status, headers: {}, body: new Uint8Array(), took: 0 };
}

function reply(status: number, text: string): Answer {
  return { as: "reply", status, headers: {}, body: new TextEncoder().encode(text), took: 0 };
}
