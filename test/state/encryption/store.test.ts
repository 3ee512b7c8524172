import { describe, expect, it } from "vitest";
import { Secret } from "../../../src/model/secret.js";
import { readStateKeys } from "../../../src/state/encryption/key.js";
import { recode } from "../../../src/state/encryption/recode.js";
import { withKeys } from "../../../src/state/encryption/store.js";
import { type MemoryContents, memoryContents, memoryStore } from "../../../src/state/memory.js";
import { moveState } from "../../../src/state/move.js";
import { hashOfRecord } from "../../../src/state/record.js";
import { isSealed, type Kept, newSnapshot } from "../../../src/state/snapshot.js";
import type { Store } from "../../../src/state/store.js";
import { walkHistory } from "../../../src/state/walkHistory.js";
import { failure, following, keptRecord, owner, storeContract } from "../../contracts/store.js";
import { handClock } from "../../fakes/handClock.js";
import { recordText } from "../../fakes/recordText.js";

const ONE = Buffer.alloc(32, 1).toString("base64");
const TWO = Buffer.alloc(32, 2).toString("hex");
const clock = handClock();
const first = following(newSnapshot("lineage", "https://tenant.example"), ["one", "two"]);
const second = following(first, ["secret-name"]);

function encryption(key: string | null, place = "here") {
  return { keys: key === null ? [] : readStateKeys(new Secret(key)), place, version: "0.1.0" };
}
function storeOf(contents: MemoryContents<Kept>, key: string | null = ONE, place = "here"): Store {
  return withKeys(memoryStore(contents, clock), encryption(key, place));
}
async function written(key: string | null = ONE, place = "here"): Promise<MemoryContents<Kept>> {
  const contents: MemoryContents<Kept> = memoryContents();
  const lock = await storeOf(contents, key, place).lock(owner("one"), { timeout: 0 });
  await lock.save(first);
  await lock.save(second);
  await lock.journal.append("an intent of secret-name");
  lock.journal.note("an outcome");
  await lock.journal.append("another intent");
  await lock.release();
  return contents;
}
const refusal = async (contents: MemoryContents<Kept>, key: string | null = ONE, place = "here") =>
  (await failure(storeOf(contents, key, place).read())).diagnostic;

storeContract("a store with a key", async (clock) => {
  const contents: MemoryContents<Kept> = memoryContents();
  return {
    open: () => withKeys(memoryStore(contents, clock), encryption(ONE)),
    durableWrites: () => contents.writes,
    close: async () => undefined,
  };
});

describe("an encrypted state", () => {
  it("is read with its key, and shows nothing of itself but lineage and serial", async () => {
    const contents = await written();
    expect(await storeOf(contents).read()).toMatchObject({
      snapshot: second,
      journal: ["an intent of secret-name", "an outcome", "another intent"],
    });
    const shown = JSON.stringify(contents);
    expect(shown).not.toContain("secret-name");
    expect(shown).not.toContain("tenant.example");
    expect(contents.snapshot).toMatchObject({ lineage: "lineage", serial: 2, sealed: expect.any(String) });
  });

  it("never has the same text twice", async () => {
    const [one, other] = [await written(), await written()];
    expect(JSON.stringify(one.snapshot)).not.toBe(JSON.stringify(other.snapshot));
  });

  it.each([
    ["without a key", null, "here", "state/encrypted", "REMIT_STATE_KEY is not set"],
    ["with another key", TWO, "here", "state/encrypted", "REMIT_STATE_KEY has"],
    ["at another place", ONE, "there", "state/unverified", "does not verify"],
  ])("is refused %s", async (_, key, place, code, message) => {
    const contents = await written();
    expect(await refusal(contents, key, place)).toMatchObject({
      code,
      message: expect.stringContaining(message),
    });
    const journalAlone = { ...contents, snapshot: null };
    expect(await refusal(journalAlone, key, place)).toMatchObject({ code });
  });

  const lines = ({ journal }: MemoryContents<Kept>) => journal;
  it.each<[string, (contents: MemoryContents<Kept>) => void]>([
    ["has another serial", (one) => Object.assign(one.snapshot ?? {}, { serial: 7 })],
    ["has another project", (one) => Object.assign(one.snapshot ?? {}, { project: "other" })],
    ["has another lineage", (one) => Object.assign(one.snapshot ?? {}, { lineage: "other" })],
    ["has one letter changed", (one) => Object.assign(one.snapshot ?? {}, { sealed: changed(one.snapshot) })],
    ["has a journal without its first line", (one) => lines(one).shift()],
    ["has a journal with a line left out", (one) => lines(one).splice(1, 1)],
    ["has a journal with a line twice", (one) => lines(one).push(lines(one).at(-1) ?? "")],
    ["has a journal in another order", (one) => lines(one).reverse()],
    ["has a journal with a changed line", (one) => lines(one).splice(1, 1, changedLine(lines(one)[1]))],
    ["has a journal with a line cut off in the middle", (one) => lines(one).splice(1, 1, "remit-line 1 ab")],
  ])("is refused where it %s", async (_, change) => {
    const contents = await written();
    change(contents);
    expect((await refusal(contents)).code).toBe("state/unverified");
  });

  it("is refused where it was replaced by one without encryption, or its journal was", async () => {
    expect((await refusal(await written(null))).code).toBe("state/not-encrypted");
    const contents = await written();
    contents.journal = ["an outcome that others made up"];
    expect((await refusal(contents)).code).toBe("state/not-encrypted");
  });

  it("refuses a journal that was written before its snapshot began", async () => {
    const contents = await written();
    const old = [...contents.journal];
    const next = await storeOf(contents).lock(owner("next"), { timeout: 0 });
    await next.journal.clear();
    await next.save(following(second, ["three"]));
    await next.release();
    contents.journal = old;
    expect((await refusal(contents)).code).toBe("state/unverified");
  });

  it("keeps the journal of a run that was cut off, whatever the next one saves before it clears", async () => {
    const contents = await written();
    const next = await storeOf(contents).lock(owner("next"), { timeout: 0 });
    await next.journal.append("of the next");
    await next.save(following(second, ["three"]));
    await next.release();
    expect((await storeOf(contents).read()).journal).toHaveLength(4);
    const last = await storeOf(contents).lock(owner("last"), { timeout: 0 });
    await last.journal.clear();
    await last.journal.append("new");
    expect((await storeOf(contents).read()).journal).toEqual(["new"]);
    await last.release();
  });

  it("takes a last line that a crash cut off, and goes on after it", async () => {
    const contents = await written();
    const [one = "", two = "", three = ""] = contents.journal;
    contents.journal = [one, two, three.slice(0, -9)];
    expect((await storeOf(contents).read()).journal.slice(0, 2)).toEqual([
      "an intent of secret-name",
      "an outcome",
    ]);
    const next = await storeOf(contents).lock(owner("next"), { timeout: 0 });
    await next.journal.append("of the next");
    await next.release();
    expect((await storeOf(contents).read()).journal.at(-1)).toBe("of the next");
  });
});

describe("the journal of an encrypted state", () => {
  /** Three holders after each other, each with two lines. */
  async function segments(contents: MemoryContents<Kept>): Promise<readonly (readonly string[])[]> {
    contents.journal = [];
    for (const holder of ["a", "b", "c"]) {
      const lock = await storeOf(contents).lock(owner(holder), { timeout: 0 });
      await lock.journal.append(`${holder}1`);
      await lock.journal.append(`${holder}2`);
      await lock.release();
    }
    return [contents.journal.slice(0, 2), contents.journal.slice(2, 4), contents.journal.slice(4)];
  }

  it("opens with its segments in the order in which they were written, and in no other", async () => {
    const contents = await written();
    const [a = [], b = [], c = []] = await segments(contents);
    expect((await storeOf(contents).read()).journal).toEqual(["a1", "a2", "b1", "b2", "c1", "c2"]);
    const others = [[a, c], [b, c], [b, a, c], [a, c, b], [a.slice(0, 1), b, c], [a, a, b], [c]];
    for (const other of others) {
      contents.journal = other.flat();
      expect((await refusal(contents)).code, JSON.stringify(other)).toBe("state/unverified");
    }
    contents.journal = [a, b].flat();
    expect((await storeOf(contents).read()).journal).toEqual(["a1", "a2", "b1", "b2"]);
  });

  it("of another state at a place of the same name is refused", async () => {
    const [one, other] = [await written(), memoryContents() as MemoryContents<Kept>];
    const lock = await storeOf(other).lock(owner("other"), { timeout: 0 });
    await lock.save(following(newSnapshot("another", "https://tenant.example"), ["one"]));
    await lock.save(following(following(newSnapshot("another", "https://tenant.example"), ["one"]), ["two"]));
    await lock.journal.clear();
    await lock.journal.append("an intent");
    await lock.release();
    one.journal = other.journal;
    expect(await refusal(one)).toMatchObject({
      code: "state/unverified",
      message: expect.stringContaining("another state"),
    });
  });
});

describe("the mark of an encrypted state that was moved", () => {
  async function moved(): Promise<MemoryContents<Kept>> {
    const contents = await written();
    contents.journal = [];
    const from = { kept: memoryStore(contents, clock), encryption: encryption(ONE) };
    const to = { kept: memoryStore<Kept>(memoryContents(), clock), encryption: encryption(ONE, "there") };
    await moveState(from, to, owner("mover"), { timeout: 0 });
    return contents;
  }

  it("says where to, with the key and without it", async () => {
    for (const key of [ONE, null]) {
      const { code, hint } = await refusal(await moved(), key);
      expect([code, hint]).toEqual(["state/moved", expect.stringContaining("Name the state in memory")]);
    }
  });

  it.each<[string, object]>([
    ["names another store", { movedTo: "s3://elsewhere/state" }],
    ["has another serial", { serial: 9 }],
    ["has no seal", { seal: undefined }],
    ["has a seal of another form", { seal: "remit-state 2 5ee06321 abc" }],
  ])("is refused where it %s", async (_, change) => {
    const contents = await moved();
    Object.assign(contents.snapshot ?? {}, change);
    expect((await refusal(contents)).code).toBe("state/unverified");
  });
});

describe("a key", () => {
  it.each(["", "short", `${"a".repeat(43)}!`, `${ONE},`, `${ONE},nonsense`])("is refused as %j", (text) => {
    expect(() => readStateKeys(new Secret(text))).toThrow("REMIT_STATE_KEY is not a key");
  });

  it("is changed by reading with both, and encrypting with the new one", async () => {
    const contents = await written();
    contents.journal = [];
    const both = `${TWO},${ONE}`;
    expect((await storeOf(contents, both).read()).snapshot).toEqual(second);
    const [key] = encryption(both).keys;
    await recode(memoryStore(contents, clock), encryption(both), key ?? null, owner("x"), { timeout: 0 });
    expect((await storeOf(contents, TWO).read()).snapshot).toEqual({ ...second, serial: 3 });
    expect((await refusal(contents, ONE)).code).toBe("state/encrypted");
  });

  it("is not needed for records that were kept before the state got another key, or none", async () => {
    const contents: MemoryContents<Kept> = memoryContents();
    const lock = await storeOf(contents, ONE).lock(owner("one"), { timeout: 0 });
    const texts = [recordText(1, null), ""];
    texts[1] = recordText(2, hashOfRecord(texts[0] ?? ""));
    const [one, two] = texts.map(keptRecord);
    if (one === undefined || two === undefined) throw new Error("two records");
    for (const record of [one, two]) void lock.append(record);
    const history = { number: 2, hash: two.hash, run: "two", secret: "secret", keys: [one.key] };
    await lock.save({ ...first, history });
    await lock.release();
    const walked = async (key: string | null) => {
      const store = storeOf(contents, key);
      const found: string[] = [];
      const { snapshot } = await store.read();
      await walkHistory(store, snapshot?.history, ({ record }) => found.push(record) > 0);
      return found.reverse();
    };
    const stored = JSON.stringify([...contents.records]);
    expect(stored).not.toContain("number");
    for (const [all, next] of [
      [`${TWO},${ONE}`, TWO],
      [TWO, null],
    ] as const) {
      const [to = null] = encryption(next).keys;
      await recode(memoryStore(contents, clock), encryption(all), to, owner("x"), { timeout: 0 });
      expect(await walked(next)).toEqual(texts);
    }
    expect(JSON.stringify([...contents.records])).toBe(stored);
  });

  it("opens no record that was kept after the state got another one", async () => {
    const contents = await written(ONE);
    const keys = [keptRecord("").key];
    const head = { number: 1, hash: hashOfRecord("one"), run: "one", secret: "secret", keys };
    const [to = null] = encryption(TWO).keys;
    const saved = { ...second, serial: second.serial + 1, history: head };
    const lock = await storeOf(contents).lock(owner("one"), { timeout: 0 });
    await lock.save(saved, true);
    await lock.release();
    const next = await recode(memoryStore(contents, clock), encryption(`${TWO},${ONE}`), to, owner("x"), {
      timeout: 0,
    });
    const [newest, ...older] = next?.history?.keys ?? [];
    expect([older, newest === undefined || keys.includes(newest)]).toEqual([keys, false]);
  });

  it("encrypts a readable state once it is asked to, and gives it up again", async () => {
    const contents: MemoryContents<Kept> = memoryContents(second);
    const change = async (key: string | null) => {
      const [to = null] = key === null ? [] : encryption(key).keys;
      await recode(memoryStore(contents, clock), encryption(ONE), to, owner("x"), { timeout: 0 });
    };
    await change(ONE);
    expect(contents.snapshot !== null && isSealed(contents.snapshot)).toBe(true);
    await change(null);
    expect(contents.snapshot).toEqual({ ...second, serial: 4 });
    contents.journal = ["an intent"];
    const { diagnostic } = await failure(change(ONE));
    expect(diagnostic.code).toBe("state/unsettled");
  });
});

function changed(snapshot: Kept | null): string {
  return snapshot !== null && isSealed(snapshot) ? changedLine(snapshot.sealed) : "";
}

/** One letter in the middle of what is sealed is another. */
function changedLine(line = ""): string {
  const at = line.length - 20;
  return `${line.slice(0, at)}${line[at] === "A" ? "B" : "A"}${line.slice(at + 1)}`;
}
