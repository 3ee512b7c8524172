import { describe, expect, it } from "vitest";
import { readRescue } from "../../src/apply/rescue.js";
import { apply } from "../../src/session/apply/apply.js";
import { historyOf, recordedCommand } from "../../src/session/history.js";
import { rescue } from "../../src/session/rescue.js";
import { fault } from "../../src/state/fault.js";
import type { Snapshot } from "../../src/state/snapshot.js";
import type { Store } from "../../src/state/store.js";
import { failure, owner } from "../contracts/store.js";
import { automation, sessionScene } from "./scene.js";

const ALL = { about: null, since: null };

/** A store that takes no record. */
function withoutRecords(store: Store): Store {
  return {
    ...store,
    async lock(by, waiting) {
      const lock = await store.lock(by, waiting);
      const refused = fault("state/refused", "it keeps no record", "Ask for the right.");
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
    const kept = readRescue(file);
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
