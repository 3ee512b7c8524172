import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type HeldFile, SILENCE, takeLock } from "../../src/state/lock.js";
import type { Owner } from "../../src/state/store.js";
import { failure, owner, passing } from "../contracts/store.js";
import { type HandClock, handClock, until } from "../fakes/handClock.js";

let folder: string;
let path: string;
let clock: HandClock;
const dead = new Set<number>();

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "remit-lock-"));
  path = join(folder, "state.json.lock");
  clock = handClock();
  dead.clear();
});
afterEach(() => rm(folder, { recursive: true }));

function take(by: Owner, timeout = 0): Promise<HeldFile> {
  return takeLock(
    path,
    by,
    { timeout },
    { clock, isDead: ({ host, pid }) => host === "here" && dead.has(pid) },
  );
}

/** A lock whose holder was killed: the file stays untouched. */
async function leave(by: Owner): Promise<void> {
  await writeFile(path, JSON.stringify(by));
}

async function holder(): Promise<string> {
  return JSON.parse(await readFile(path, "utf8")).id;
}

describe("a lock file in another format", () => {
  const whole = owner("one");
  it.each([
    ["with a format", { formatVersion: 2, ...whole }],
    ["with a text as its format", { formatVersion: "1", ...whole }],
    ["without a member", { ...whole, job: undefined }],
    ["without any member", {}],
    ["that is a list", []],
  ])("%s is the lock of another run", async (_, content) => {
    await writeFile(path, JSON.stringify(content));
    clock.jump(Date.now() - clock.now());
    expect((await failure(take(owner("next")))).diagnostic.code).toBe("state/locked");
    expect(await readFile(path, "utf8")).toBe(JSON.stringify(content));
  });
});

it("a lock that cannot be written is not left, and no draft of it", async () => {
  const broken = {
    ...clock,
    now: () => {
      throw new Error("the disk is full");
    },
  };
  const taking = takeLock(path, owner("one"), { timeout: 0 }, { clock: broken, isDead: () => false });
  await expect(taking).rejects.toThrow("the disk is full");
  expect(await readdir(folder)).toEqual([]);
});

describe("the lock of a dead holder", () => {
  it("is taken over at once when its process on this machine is gone", async () => {
    await leave(owner("killed", { pid: 77 }));
    dead.add(77);
    const lock = await take(owner("next"));
    expect(await holder()).toBe("next");
    await lock.release();
    expect(await readdir(folder)).toEqual([]);
  });

  it("on another machine is taken over after a silence, though no one would wait so long", async () => {
    await leave(owner("killed", { host: "elsewhere", pid: 77 }));
    dead.add(77);
    clock.jump(Date.now() + SILENCE * 2 - clock.now());
    const lock = await passing(clock, take(owner("next")));
    expect(clock.elapsed()).toBeGreaterThanOrEqual(SILENCE);
    expect(await holder()).toBe("next");
    await lock.release();
  });

  it("is taken over after a silence when another process has its number now", async () => {
    await leave(owner("killed", { pid: 77 }));
    const lock = await passing(clock, take(owner("next"), SILENCE * 2));
    expect(await holder()).toBe("next");
    await lock.release();
  });

  it("falls to one alone of many takers", async () => {
    for (let round = 0; round < 20; round += 1) {
      await leave(owner("killed", { pid: 77 }));
      dead.add(77);
      const ids = ["a", "b", "c", "d", "e", "f"];
      const takers = ids.map((id) => take(owner(id)).catch(() => null));
      const locks = (await passing(clock, Promise.all(takers))).filter((lock) => lock !== null);
      expect(locks.map((lock) => lock.owner.id)).toEqual([await holder()]);
      await locks[0]?.release();
    }
    expect(await readdir(folder)).toEqual([]);
  });

  it("is taken over though an earlier taker was killed half way", async () => {
    await leave(owner("killed", { pid: 77 }));
    await writeFile(`${path}.killed.claim`, JSON.stringify(owner("taker", { pid: 78 })));
    dead.add(77).add(78);
    const lock = await take(owner("next"));
    expect(await holder()).toBe("next");
    await lock.release();
    expect(await readdir(folder)).toEqual([]);
  });

  it("is taken over after a silence though the first look at it took a second", async () => {
    await leave(owner("killed", { host: "elsewhere" }));
    clock.jump(Date.now() + SILENCE * 2 - clock.now());
    const taking = take(owner("next"));
    clock.advance(1_000);
    const lock = await passing(clock, taking);
    expect(await holder()).toBe("next");
    await lock.release();
  });

  it("is taken over after a silence when its file does not say whose it was", async () => {
    await writeFile(path, "");
    const lock = await passing(clock, take(owner("next"), SILENCE * 2));
    expect(await holder()).toBe("next");
    await lock.release();
  });
});

describe("the lock of a living holder", () => {
  it("is not taken, however long it is held", async () => {
    const held = await take(owner("holder"));
    const error = await passing(clock, failure(take(owner("next"), SILENCE * 4)));
    expect(error.diagnostic.code).toBe("state/locked");
    expect(held.lost.aborted).toBe(false);
    await held.release();
  });

  const jumps = [
    { where: "a day forward", by: 86_400_000 },
    { where: "a day back", by: -86_400_000 },
  ];
  it.each(jumps)("is not taken when the wall's time jumps $where", async ({ by }) => {
    const held = await take(owner("holder"));
    clock.jump(by);
    await passing(clock, failure(take(owner("next"), SILENCE * 2)));
    expect(held.lost.aborted).toBe(false);
    expect(await holder()).toBe("holder");
    await held.release();
  });

  it("that slept too long learns it at its next beat, and its touch does not reach the next holder's file", async () => {
    const slept = await take(owner("slept"));
    await leave(owner("thief"));
    await rm(path);
    const thief = await take(owner("thief"));
    await passing(
      clock,
      until(() => slept.lost.aborted),
    );
    expect(slept.lost.reason.diagnostic.code).toBe("state/lock-lost");
    await slept.release();
    expect(await holder()).toBe("thief");
    expect(thief.lost.aborted).toBe(false);
    await thief.release();
  });
});
