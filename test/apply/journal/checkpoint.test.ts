import { describe, expect, it } from "vitest";
import type { Event } from "../../../src/apply/event.js";
import { makeCheckpoint } from "../../../src/apply/journal/checkpoint.js";
import { memoryContents, memoryStore } from "../../../src/state/memory.js";
import { newSnapshot, type Snapshot } from "../../../src/state/snapshot.js";
import { PROMPT } from "../../../src/state/store.js";
import { failure, owner } from "../../contracts/store.js";
import { handClock } from "../../fakes/handClock.js";

const START = newSnapshot("lineage", "server");

function ended(number: number, more: Partial<Extract<Event, { type: "step finished" }>> = {}): Event {
  return {
    type: "step finished",
    address: { kind: "K", name: `n${number}` },
    action: "update",
    outcome: "done",
    step: null,
    key: [String(number)],
    record: { applied: { number }, answered: null, rewritten: [], protected: false },
    diagnostics: [],
    ...more,
  };
}

function scene() {
  const clock = handClock();
  const contents = memoryContents();
  const locked = memoryStore(contents, clock).lock(owner("run"), { timeout: 0 });
  const saved: Snapshot[] = [];
  const save = async (snapshot: Snapshot) => {
    await (await locked).save(snapshot);
    saved.push(snapshot);
  };
  const made = makeCheckpoint({ save }, START, clock, PROMPT);
  /** Keeps the last snapshot, as the release of a lock does. */
  async function finish(): Promise<Snapshot> {
    const { snapshot, isOpen } = await made.finish();
    if (isOpen) await save(snapshot);
    return snapshot;
  }
  return { clock, contents, saved, checkpoint: { record: made.record, finish } };
}

describe("a checkpoint", () => {
  it("keeps at the end what was not yet kept, under one serial", async () => {
    const { checkpoint, saved } = scene();
    for (let number = 0; number < 100; number += 1) await checkpoint.record(ended(number));
    const kept = await checkpoint.finish();
    expect(saved.map(({ serial }) => serial)).toEqual([1]);
    expect(Object.keys(kept.entries)).toHaveLength(100);
  });

  it("keeps now and then while the run goes on", async () => {
    const { checkpoint, saved, clock } = scene();
    for (let number = 0; number < 60; number += 1) {
      clock.advance(1000);
      await checkpoint.record(ended(number));
    }
    await checkpoint.finish();
    expect(saved.length).toBeGreaterThan(3);
    expect(saved.length).toBeLessThan(9);
    expect(saved.map(({ serial }) => serial)).toEqual(saved.map((_, place) => place + 1));
  });

  it("keeps how the service showed an object to exist, until the state has a record of the object", async () => {
    const [shown, applied] = [scene().checkpoint, scene().checkpoint];
    const existing = "answered 409";
    for (const checkpoint of [shown, applied]) {
      await checkpoint.record(ended(1, { action: "create", outcome: "failed", record: null, existing }));
      await checkpoint.record(ended(2, { action: "create", outcome: "failed", record: null }));
    }
    const kept = await shown.finish();
    expect(Object.keys(kept.entries)).toEqual([]);
    expect(Object.values(kept.existing)).toMatchObject([{ why: existing }]);
    await applied.record(ended(1));
    expect((await applied.finish()).existing).toEqual({});
  });

  it("keeps nothing for a run that changed nothing", async () => {
    const { checkpoint, saved } = scene();
    await checkpoint.record(ended(1, { outcome: "failed", record: null }));
    expect(await checkpoint.finish()).toEqual(START);
    expect(saved).toEqual([]);
  });

  it("refuses to write over what another run has kept meanwhile", async () => {
    const { checkpoint, contents } = scene();
    await checkpoint.record(ended(1));
    contents.snapshot = { ...START, serial: 7 };
    expect((await failure(checkpoint.finish())).diagnostic.code).toBe("state/changed");
    expect(contents.snapshot.serial).toBe(7);
  });
});

describe("what is remembered of a step", () => {
  async function rememberedAfter(...events: readonly Event[]): Promise<Snapshot> {
    const { checkpoint } = scene();
    for (const event of events) await checkpoint.record(event);
    return checkpoint.finish();
  }
  const unknown = ended(1, {
    action: "create",
    outcome: "uncertain",
    key: null,
    diagnostics: [{ code: "apply/uncertain", severity: "error", message: "no reply came" }],
  });

  it("that wrote is what it applied, by its key", async () => {
    const { entries } = await rememberedAfter(ended(1));
    expect(entries["K:1"]).toMatchObject({ address: { kind: "K", name: "n1" }, applied: { number: 1 } });
  });

  it("that deleted or forgot is nothing", async () => {
    for (const action of ["delete", "forget"] as const) {
      expect((await rememberedAfter(ended(1), ended(1, { action, record: null }))).entries).toEqual({});
    }
  });

  it("that failed to delete is what it was", async () => {
    const failed = ended(1, { action: "delete", outcome: "failed", record: null });
    expect(Object.keys((await rememberedAfter(ended(1), failed)).entries)).toEqual(["K:1"]);
  });

  it("whose create is uncertain is that, and why, until it is known", async () => {
    expect((await rememberedAfter(unknown)).uncertain).toMatchObject({
      "K/n1": { key: null, why: "no reply came" },
    });
    expect((await rememberedAfter(unknown, ended(1))).uncertain).toEqual({});
    expect((await rememberedAfter(unknown, ended(1, { action: "forget", record: null }))).uncertain).toEqual(
      {},
    );
  });
});
