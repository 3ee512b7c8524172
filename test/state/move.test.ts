import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { Secret } from "../../src/model/secret.js";
import { readStateKeys } from "../../src/state/encryption/key.js";
import { withKeys } from "../../src/state/encryption/store.js";
import { fileStore } from "../../src/state/file.js";
import { methodsFor, webAddress } from "../../src/state/http/address.js";
import { httpStore } from "../../src/state/http/http.js";
import { type MemoryContents, memoryContents, memoryStore } from "../../src/state/memory.js";
import { type MovingStore, moveState } from "../../src/state/move.js";
import { isSealed, type Kept, newSnapshot } from "../../src/state/snapshot.js";
import type { Store } from "../../src/state/store.js";
import { expectMoves, movingStore } from "../contracts/moves.js";
import { failure, following, owner } from "../contracts/store.js";
import { gitlabState } from "../fakes/gitlabState.js";
import { handClock } from "../fakes/handClock.js";

const folder = mkdtempSync(join(tmpdir(), "remit-move-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const clock = handClock();
const first = following(newSnapshot("lineage", "server"), ["one", "two"]);
const wait = { timeout: 0 };

function memory(snapshot: Kept | null = null) {
  const contents: MemoryContents<Kept> = { ...memoryContents(), snapshot };
  return { contents, place: movingStore(memoryStore(contents, clock)) };
}
const refusal = async (from: MovingStore, to: MovingStore) =>
  (await failure(moveState(from, to, owner("mover"), wait))).diagnostic;

describe("moving a state", () => {
  it("takes it from a file and back", () =>
    expectMoves(
      fileStore({
        path: join(folder, "state.json"),
        name: "state.json",
        version: "0.1.0",
        clock,
        isDead: () => false,
      }),
    ));

  it("takes it from a state of GitLab (substitute) and back", () => {
    const gitlab = gitlabState({ "ada:open-sesame": "Maintainer" });
    const address = webAddress("https://gitlab.example.com/api/v4/projects/7/terraform/state/remit");
    return expectMoves(
      httpStore({
        methods: methodsFor(address, {}),
        user: "ada",
        password: new Secret("open-sesame"),
        transmit: async (message) => gitlab.answer(message),
        clock,
        version: "0.1.0",
      }),
    );
  });

  it("encrypts it where the other store has a key, for its new place", async () => {
    const keys = readStateKeys(new Secret(Buffer.alloc(32, 1).toString("base64")));
    const [here, there] = [memory(first), memory()];
    const encryption = { keys, place: "there", version: "0.1.0" };
    await moveState(here.place, { kept: there.place.kept, encryption }, owner("mover"), wait);
    expect(there.contents.snapshot !== null && isSealed(there.contents.snapshot)).toBe(true);
    expect((await withKeys(there.place.kept, encryption).read()).snapshot).toEqual(first);
  });

  it("is refused while a run is not settled, and where the other store keeps a state or traces of one", async () => {
    const cutOff = memory(first);
    cutOff.contents.journal.push("an intent");
    expect((await refusal(cutOff.place, memory().place)).code).toBe("state/unsettled");
    const other = memory(following(newSnapshot("other", "server"), ["one"]));
    expect((await refusal(memory(first).place, other.place)).code).toBe("state/occupied");
    const traces = memory();
    traces.contents.journal.push("a line");
    expect((await refusal(memory(first).place, traces.place)).code).toBe("state/occupied");
    expect((await refusal(memory().place, memory().place)).code).toBe("state/unknown");
    const left = memory({ lineage: "other", serial: 7, movedTo: "elsewhere" });
    expect((await refusal(memory(first).place, left.place)).code).toBe("state/occupied");
    expect(left.contents.lock).toBeNull();
  });

  it("needs both locks, and gives both up", async () => {
    const [here, there] = [memory(first), memory()];
    const lock = await there.place.kept.lock(owner("other"), wait);
    expect((await refusal(here.place, there.place)).code).toBe("state/locked");
    expect(here.contents).toMatchObject({ lock: null, snapshot: first });
    await lock.release();
    await moveState(here.place, there.place, owner("mover"), wait);
    expect([here.contents.lock, there.contents.lock]).toEqual([null, null]);
  });

  it("is completed by another where it was cut off before the first store was marked", async () => {
    const [here, there] = [memory(first), memory()];
    const broken: Store<Kept> = {
      ...here.place.kept,
      async lock(by, waiting) {
        const lock = await here.place.kept.lock(by, waiting);
        return { ...lock, save: () => Promise.reject(new Error("the machine is gone")) };
      },
    };
    await expect(moveState(movingStore(broken), there.place, owner("mover"), wait)).rejects.toThrow("gone");
    expect(here.contents.snapshot).toEqual(first);
    await moveState(here.place, there.place, owner("mover"), wait);
    expect(here.contents.snapshot).toMatchObject({ movedTo: "the state in memory" });
  });

  it("leaves the first store as it is where the other does not show what was written", async () => {
    const [here, there] = [memory(first), memory()];
    const forgetful: Store<Kept> = {
      ...there.place.kept,
      async lock(by, waiting) {
        const lock = await there.place.kept.lock(by, waiting);
        return { ...lock, save: async () => undefined };
      },
    };
    expect((await refusal(here.place, movingStore(forgetful))).code).toBe("state/not-moved");
    expect(here.contents.snapshot).toEqual(first);
  });
});
