import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { fileStore, listFileStates } from "../../src/state/file.js";
import { newSnapshot } from "../../src/state/snapshot.js";
import { following, owner } from "../contracts/store.js";
import { handClock } from "../fakes/handClock.js";

it("the states of a folder are listed: whose each is, and who holds its lock", async () => {
  const folder = mkdtempSync(join(tmpdir(), "remit-list-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const world = { clock: handClock(), isDead: () => false };
  const lockOf = async (name: string, project?: string) => {
    const store = fileStore({ path: join(folder, name), name, version: "0.1.0", ...world });
    const lock = await store.lock(owner(name), { timeout: 0 });
    const first = following(newSnapshot("lineage", "server"), ["one"]);
    await lock.save(project === undefined ? first : { ...first, project });
    return lock;
  };
  const held = await lockOf("prod.json", "acme/one");
  await (await lockOf("test.json")).release();
  writeFileSync(join(folder, "plan.json"), '{ "formatVersion": 2 }');
  expect(
    await listFileStates(join(folder, "prod.json"), (file) => file.slice(folder.length + 1), world),
  ).toEqual([
    { address: "prod.json", project: "acme/one", serial: 1, held: { by: owner("prod.json") } },
    { address: "test.json", project: null, serial: 1, held: null },
  ]);
  await held.release();
});
