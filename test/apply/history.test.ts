import { describe, expect, it } from "vitest";
import { historyOf, recordedCommand } from "../../src/apply/history.js";
import { readRescue } from "../../src/apply/rescue.js";
import { apply } from "../../src/apply/run.js";
import { rescue } from "../../src/commands/state/rescued.js";
import { Secret } from "../../src/model/secret.js";
import { readStateKeys } from "../../src/state/encryption/key.js";
import { withKeys } from "../../src/state/encryption/store.js";
import { type MemoryContents, memoryContents, memoryStore } from "../../src/state/memory.js";
import { moveState } from "../../src/state/move.js";
import type { Kept, Snapshot } from "../../src/state/snapshot.js";
import type { Store } from "../../src/state/store.js";
import { StateError } from "../../src/state/store.js";
import { failure, owner } from "../contracts/store.js";
import { automation, sessionScene } from "./sessionScene.js";

const ALL = { about: null, since: null };

/** A store that takes no record. */
function withoutRecords(store: Store): Store {
  return {
    ...store,
    async lock(by, waiting) {
      const lock = await store.lock(by, waiting);
      const refused = new StateError({
        code: "state/refused",
        severity: "error",
        message: "it keeps no record",
        hint: "Ask for the right.",
      });
      let instead: Snapshot | null = null;
      return {
        ...lock,
        append(_, without = null) {
          instead = without;
          return Promise.reject(refused);
        },
        release: (last = {}) => lock.release({ ...last, snapshot: instead ?? last.snapshot ?? null }),
      };
    },
  };
}

/** A store that tells the whole journal, at each line that is added. */
function watchedJournal(store: Store, tell: (lines: readonly string[]) => void): Store {
  const lines: string[] = [];
  const add = (line: string) => {
    lines.push(line);
    tell([...lines]);
    return line;
  };
  return {
    ...store,
    async lock(by, waiting) {
      const lock = await store.lock(by, waiting);
      const { journal } = lock;
      return {
        ...lock,
        journal: {
          ...journal,
          append: (line) => journal.append(add(line)),
          note: (line) => journal.note(add(line)),
        },
      };
    },
  };
}

async function twoRuns() {
  const scene = await sessionScene();
  const { session, order, request } = scene;
  await apply(order(request(automation("one")), { run: "first", expected: null }), session);
  await apply(order(request(automation("one", 'subject.department == "Sales"')), { run: "second" }), session);
  return scene;
}

describe("the history of a state", () => {
  it("has who, what and which fields of each run, and no value", async () => {
    const { session, contents } = await twoRuns();
    const found = await historyOf(session.store, contents.snapshot, ALL);
    expect(found.map(([{ run, number, as }]) => [run, number, as])).toEqual([
      ["second", 2, "apply"],
      ["first", 1, "apply"],
    ]);
    const [[second] = [], [first] = []] = found;
    expect(first?.steps.map(({ action, outcome }) => [action, outcome])).toEqual([["create", "done"]]);
    expect(second?.steps[0]?.fields.map(({ name }) => name)).toEqual(["cel"]);
    const after = first?.steps[0]?.fields.find(({ name }) => name === "cel")?.after;
    expect(second?.steps[0]?.fields[0]?.before).toBe(after);
    expect(second?.steps[0]?.fields[0]?.after).not.toBe(after);
    expect(second?.by).toEqual({ host: "here", user: null, job: null, command: expect.any(String) });
    expect(JSON.stringify(found)).not.toMatch(/Sales|Engineering|department/);
    expect(JSON.stringify(found)).not.toContain(contents.snapshot?.history?.secret);
  });

  it("names each field once, however much of it changed", async () => {
    const { session, order, request, contents } = await sessionScene();
    await apply(order(request(automation("one")), { run: "first" }), session);
    const texts = automation("one").replace("displayName: one", "displayName: other");
    const both = texts.replace('"Engineering"', '"Sales"');
    await apply(order(request(both), { run: "second" }), session);
    const [[second] = []] = await historyOf(session.store, contents.snapshot, ALL);
    const names = second?.steps[0]?.fields.map(({ name }) => name) ?? [];
    expect(names).toEqual(["cel", "displayName"]);
  });

  it("names a record that is missing, and one that was changed", async () => {
    const { session, contents } = await twoRuns();
    const read = () => failure(historyOf(session.store, contents.snapshot, ALL));
    const [first = "", second = ""] = contents.records.keys();
    const text = contents.records.get(second) ?? "";
    contents.records.set(second, text.replace('"done"', '"failed"'));
    expect((await read()).message).toMatch(/record 2 is not the one that was written there/);
    contents.records.set(second, text);
    contents.records.delete(first);
    expect((await read()).message).toMatch(/record 1 .* is missing/);
  });

  it("keeps a record that the store refuses in the rescue file, and brings it in once", async () => {
    const { session, order, request, contents } = await sessionScene();
    let file = "";
    const place = {
      keep: async (text: string) => {
        file = text;
        return "/home/rescue.json";
      },
      drop: async () => undefined,
    };
    const result = await apply(order(request(automation("one")), { run: "first", rescue: place }), {
      ...session,
      store: withoutRecords(session.store),
    });
    expect(result).toMatchObject({ as: "applied", rescue: "/home/rescue.json" });
    expect(result.as === "applied" && result.fault).toMatchObject({ code: "state/refused" });
    expect(contents.journal).toEqual([]);
    expect(Object.keys(contents.snapshot?.entries ?? {})).toHaveLength(1);
    expect(await historyOf(session.store, contents.snapshot, ALL)).toEqual([]);

    await apply(
      order(request(automation("one", 'subject.department == "Sales"')), { run: "second" }),
      session,
    );
    const kept = readRescue(file, "rescue.json");
    if (kept === null) throw new Error("no rescue file");
    for (let round = 0; round < 2; round += 1) {
      const command = {
        owner: owner("rescue"),
        clock: session.clock,
        run: `rescuer ${round}`,
        project: null,
      };
      await rescue(kept, session.store, command, 0);
      const found = await historyOf(session.store, contents.snapshot, ALL);
      expect(found.map(([{ run, number, as }]) => [run, number, as])).toEqual([
        ["rescuer 0", 3, "command"],
        ["first", 2, "apply"],
        ["second", 1, "apply"],
      ]);
    }
  });

  it("has a run once whose journal is left behind its record, after a command", async () => {
    const last = "command";
    const { session, order, request, contents } = await sessionScene();
    await apply(order(request(automation("one")), { run: "first" }), session);
    const before = contents.snapshot;
    let journal: readonly string[] = [];
    const listening = watchedJournal(session.store, (lines) => {
      journal = lines;
    });
    await apply(order(request(automation("one", 'subject.department == "Sales"')), { run: "second" }), {
      ...session,
      store: listening,
    });
    // Cut off between the snapshot, which names the record, and the end of the journal.
    expect([before?.history?.run, contents.snapshot?.history?.run]).toEqual(["first", "second"]);
    contents.journal.push(...journal);
    const command = { owner: owner(last), clock: session.clock, run: last, project: null };
    const lock = await session.store.lock(command.owner, { timeout: 0 });
    const serial = (contents.snapshot?.serial ?? 0) + 1;
    if (contents.snapshot === null) throw new Error("no state");
    const { snapshot, record } = recordedCommand(session.store, command)({ ...contents.snapshot, serial });
    if (record !== null) void lock.append(record);
    await lock.save(snapshot);
    await lock.release();
    expect(contents.journal.length).toBeGreaterThan(0);
    await apply(
      order(request(automation("one", 'subject.department == "Legal"')), { run: "third" }),
      session,
    );
    const found = await historyOf(session.store, contents.snapshot, ALL);
    expect(found.map(([{ run, as }]) => [run, as])).toEqual([
      ["third", "apply"],
      [last, "command"],
      ["second", "apply"],
      ["first", "apply"],
    ]);
    expect(contents.journal).toEqual([]);
  });
});

const DAY = 24 * 60 * 60 * 1000;
const KEYS = readStateKeys(new Secret(Buffer.alloc(32, 7).toString("base64")));

/** A session with an encrypted store that keeps texts for so many days, and whose clocks can be put forward. */
async function keepingScene(valuesFor: number) {
  const scene = await sessionScene();
  const { client, clock } = scene.session;
  if (client === null) throw new Error("no client");
  const contents: MemoryContents<Kept> = memoryContents();
  let [served, here] = [0, 0];
  const session = {
    ...scene.session,
    clock: { ...clock, now: () => clock.now() + here * DAY },
    client: { ...client, serverTime: () => client.serverTime() + served * DAY },
    store: withKeys(memoryStore(contents, clock), { keys: KEYS, place: "here", version: "1", valuesFor }),
  };
  return {
    ...scene,
    contents,
    session,
    pass(days: number, ofBoth = true) {
      served += days;
      if (ofBoth) here += days;
    },
    /** The values of the expression that each run has, the newest first. */
    async values() {
      const { snapshot } = await session.store.read();
      const found = await historyOf(session.store, snapshot, ALL);
      return found.map(([{ steps }]) => steps[0]?.fields.find(({ name }) => name === "cel")?.values ?? null);
    },
    change: (run: string, department: string) =>
      apply(
        scene.order(scene.request(automation("one", `subject.department == "${department}"`)), { run }),
        session,
      ),
  };
}

describe("texts of values in a history", () => {
  const rule = (department: string) => ({ expression: `subject.department == "${department}"` });

  it("are kept where the state is encrypted, and nothing of them can be read without the key", async () => {
    const { change, values, contents } = await keepingScene(400);
    await change("first", "Sales");
    await change("second", "Research");
    expect(await values()).toEqual([
      { before: rule("Sales"), after: rule("Research") },
      { after: rule("Sales") },
    ]);
    const stored = JSON.stringify([contents.snapshot, [...contents.records.values()], contents.journal]);
    expect(stored).not.toMatch(/Sales|Research|department/);
  });

  it("are kept for the days that the project sets, and no longer", async () => {
    const { change, values, pass } = await keepingScene(30);
    await change("first", "Sales");
    pass(20);
    await change("second", "Research");
    pass(20);
    await change("third", "Finance");
    expect(await values()).toEqual([
      { before: rule("Research"), after: rule("Finance") },
      { before: rule("Sales"), after: rule("Research") },
      null,
    ]);
    pass(-40);
    await change("fourth", "Legal");
    expect(await values()).toEqual([
      { before: rule("Finance"), after: rule("Legal") },
      { before: rule("Research"), after: rule("Finance") },
      { before: rule("Sales"), after: rule("Research") },
      null,
    ]);
  });

  it("are not forgotten because one of two clocks is wrong", async () => {
    const { change, values, pass } = await keepingScene(30);
    await change("first", "Sales");
    pass(4000, false);
    await change("second", "Research");
    expect(await values()).toEqual([
      { before: rule("Sales"), after: rule("Research") },
      { after: rule("Sales") },
    ]);
  });

  it("are not kept where the project wants none", async () => {
    const { change, values } = await keepingScene(0);
    await change("first", "Sales");
    await change("second", "Research");
    expect(await values()).toEqual([null, null]);
  });

  it("stay with a copy that has a key, and go where the copy has none", async () => {
    for (const keys of [KEYS, []]) {
      const { change, session, contents } = await keepingScene(400);
      await change("first", "Sales");
      const there: MemoryContents<Kept> = memoryContents();
      const encryption = { keys, place: "there", version: "1", valuesFor: 400 };
      const kept = memoryStore(there, session.clock);
      const from = {
        kept: memoryStore(contents, session.clock),
        encryption: { ...encryption, keys: KEYS, place: "here" },
      };
      await moveState(from, { kept, encryption }, owner("mover"), { timeout: 0 });
      const moved = withKeys(kept, encryption);
      const { snapshot } = await moved.read();
      const found = await historyOf(moved, snapshot, ALL);
      const shown = found[0]?.[0].steps[0]?.fields.find(({ name }) => name === "cel")?.values;
      expect(shown).toEqual(keys.length === 0 ? undefined : { after: rule("Sales") });
      expect(snapshot?.history?.texts === undefined).toBe(keys.length === 0);
      expect([...there.records.values()].some((text) => text.includes("\n"))).toBe(false);
    }
  });
});
