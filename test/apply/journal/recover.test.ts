import { describe, expect, it } from "vitest";
import { makeJournal } from "../../../src/apply/journal/journal.js";
import { recover } from "../../../src/apply/journal/recover.js";
import { kinds } from "../../../src/kinds/index.js";
import type { Resource } from "../../../src/manifest/resource.js";
import { formatKey } from "../../../src/model/key.js";
import { typeIdOf } from "../../../src/sandbox/tenant/builtin.js";
import { C1_APP_ID } from "../../../src/sandbox/tenant/tenant.js";
import { newSnapshot } from "../../../src/state/snapshot.js";
import { PROMPT } from "../../../src/state/store.js";
import { cases } from "../../fakes/cases.js";
import { fakeClock } from "../../fakes/clock.js";
import { resource } from "../../plan/worlds.js";
import { actions, automation, counting, newType, type Scene, scope, setScene, type } from "../scene.js";

/** What was sent before is over. */
const AT_ONCE = { clock: fakeClock(), milliseconds: 0, createLag: 0, horizon: PROMPT.horizon };

const TRAIT = "2fsgTvxP0DVTsNXEUBI7hOe0l5F";
const TYPE = "2fsgTvxP0DVTsNXEUBI7hOe0l5E";
const TEAM = newType("team", "Team", [TRAIT]);
/** An app has one type of this class at most, so the group that the app has too is not this type with another name. */
const ROLE = { ...TEAM, spec: { ...TEAM.spec, resourceType: "ROLE" } };
const IN_GROUPS = { appId: C1_APP_ID, appResourceTypeId: typeIdOf("GROUP") };
const WEBHOOK = resource(
  { kind: "Webhook", name: "desk" },
  { displayName: "Desk", url: "https://desk.example.com" },
);
const GROUP = resource({ kind: "Resource", name: "eng" }, { ...IN_GROUPS, displayName: "Engineering" });
const CALLS = { webhook: { webhookId: { manifest: "desk" } } };
const MEMBER = resource(
  { kind: "Entitlement", name: "eng" },
  {
    ...IN_GROUPS,
    appResourceId: { manifest: "eng" },
    displayName: "Member",
    provisionPolicy: CALLS,
    deprovisionerPolicy: CALLS,
  },
);
const FULL = [ROLE, automation(1), automation(2), scope(3)];
const CORE = [type("team", TYPE, "Team"), ...FULL.slice(1)];

/** A run of tests cuts before every second event and after the others, and the soak before and after each. */
const STRIDE = cases(1) > 1 ? 1 : 3;

/** Each scene is cut off so many events later than the last, until a run comes to its end. */
async function everywhere(
  resources: readonly Resource[],
  on: "full" | "core" | "auto",
  check: (scene: Scene, cutAt: string) => Promise<void>,
  stride = 1,
): Promise<number> {
  let cuts = 0;
  for (const [start, when] of (["before", "after"] as const).entries()) {
    for (let place = start % stride; ; place += stride) {
      const scene = await setScene({ on, width: 2 });
      if (!(await scene.wreck(await scene.plan(resources), place, when))) break;
      cuts += 1;
      await check(scene, `${when} event ${place}`);
    }
  }
  return cuts;
}

describe("a run that is cut off at any event", () => {
  it.each([
    ["full", 1],
    ["auto", STRIDE],
  ] as const)("reaches what was wanted by itself, on %s, with no create done twice", async (on, stride) => {
    const reached = async ({ recover, plan, apply, sandbox, snapshot }: Scene, cutAt: string) => {
      await recover();
      await apply(await plan(FULL));
      expect(actions(await plan(FULL)), cutAt).toEqual([]);
      expect(Object.keys((await snapshot()).entries), cutAt).toHaveLength(4);
      const creates = sandbox.log.creates().map(({ done }) => done);
      expect(creates, cutAt).toEqual([1, 1, 1]);
    };
    expect(await everywhere(FULL, on, reached, stride)).toBeGreaterThan(30 / stride);
  });

  it("finds the parts of a group by their names, and makes none of them twice", async () => {
    const group = [WEBHOOK, GROUP, MEMBER];
    const cuts = await everywhere(
      group,
      "full",
      async ({ recover, plan, apply, sandbox, snapshot }, cutAt) => {
        await recover();
        await apply(await plan(group));
        expect(actions(await plan(group)), cutAt).toEqual([]);
        expect(Object.keys((await snapshot()).entries), cutAt).toHaveLength(3);
        const creates = sandbox.log.creates().map(({ done }) => done);
        expect(creates, cutAt).toEqual([1, 1, 1]);
      },
      STRIDE,
    );
    expect(cuts).toBeGreaterThan(20 / STRIDE);
  });

  it("on core sends no unclear create again, and says which are", async () => {
    let uncertain = 0;
    await everywhere(CORE, "core", async ({ recover, plan, apply, sandbox, snapshot }, cutAt) => {
      const recovery = await recover();
      const doubtful = recovery?.settled.filter(({ as }) => as === "uncertain") ?? [];
      uncertain += doubtful.length;
      await apply(await plan(CORE));
      const { entries, uncertain: kept } = await snapshot();
      expect(Object.keys(kept), cutAt).toHaveLength(doubtful.length);
      expect(Object.keys(entries), cutAt).toHaveLength(4 - doubtful.length);
      expect(
        sandbox.log.creates().filter(({ asked }) => asked > 1),
        cutAt,
      ).toEqual([]);
      expect(
        (await plan(CORE)).steps.filter(({ action }) => action !== "keep").map(({ reason }) => reason),
        cutAt,
      ).toEqual(doubtful.map(() => "outcome uncertain"));
    });
    expect(uncertain).toBeGreaterThan(0);
  });

  it("is recovered the same when the recovery itself is cut off", async () => {
    await everywhere(
      FULL.slice(0, 2),
      "full",
      async ({ store, client, snapshot, plan, apply, recover: again, sandbox }, cutAt) => {
        const wreck = {
          ...(await store.read()),
          store: "the state",
          snapshot: await snapshot(),
          kinds,
          on: "full",
          service: client,
          patience: AT_ONCE,
        } as const;
        const first = await recover(wreck);
        expect((await again())?.settled, cutAt).toEqual(first?.settled);
        await apply(await plan(FULL.slice(0, 2)));
        expect(
          sandbox.log.creates().map(({ done }) => done),
          cutAt,
        ).toEqual([1, 1]);
      },
    );
  });
});

describe("what was cut off is settled", () => {
  const at = { at: "2026-01-01T00:00:00.000Z" };
  const head = {
    ...at,
    type: "run",
    formatVersion: 1,
    run: "r",
    server: "server",
    lineage: "lineage",
    serial: 0,
    effect: "e",
  };
  const snapshot = newSnapshot("lineage", "server");
  const lines = (...events: readonly object[]) =>
    [head, ...events].map((event) => JSON.stringify({ ...at, ...event }));
  const intended = {
    type: "intended",
    address: { kind: "EntitlementAutomation", name: "one" },
    action: "create",
    key: ["app", "entitlement"],
    identity: { appId: "app", appEntitlementId: "entitlement" },
    applied: { displayName: "One" },
    protected: true,
    background: {},
    step: "",
    call: 0,
    of: 2,
    once: true,
  };
  const answered = {
    type: "answered",
    address: intended.address,
    call: 0,
    of: 2,
    attempts: 1,
    key: ["app", "entitlement"],
  };
  const on = { store: "the state", snapshot, kinds, on: "core", service: null, patience: AT_ONCE } as const;

  it("only when there is a journal", async () => {
    expect(await recover({ ...on, journal: [] })).toBeNull();
  });

  it("by no more reads at once than the pace is wide", async () => {
    const { client } = await setScene({ width: 1 });
    const many = Array.from({ length: 6 }, (_, place) => {
      const identity = { appId: "app", appEntitlementId: `entitlement-${place}` };
      const address = { ...intended.address, name: `number-${place}` };
      return { ...intended, address, identity, key: Object.values(identity) };
    });
    const { service, most } = counting(client);
    const recovery = await recover({ ...on, on: "full", service, journal: lines(...many) });
    expect(recovery?.settled).toHaveLength(6);
    expect(most()).toBe(1);
  });

  it("as done though it could not be read for a while, when the service was still at work on it", async () => {
    const { client, clock, sandbox } = await setScene();
    const [app, entitlement] = [C1_APP_ID, "2fsgTvxP0DVTsNXEUBI7hOe0l5D"];
    const cel = { expression: "true" };
    const row = { appId: app, appEntitlementId: entitlement, displayName: "One", cel };
    sandbox.store.automations.put(app, entitlement, row as never);
    sandbox.faults.set({
      seed: 1,
      rules: [{ operation: "GetAutomation", fault: "error", status: 503, times: 6 }],
    });
    const identity = { appId: app, appEntitlementId: entitlement };
    const cut = { ...intended, identity, key: [app, entitlement], at: new Date(clock.now()).toISOString() };
    const recovery = await recover({
      ...on,
      on: "full",
      service: client,
      patience: { clock, milliseconds: 30_000, createLag: 30_000, horizon: PROMPT.horizon },
      journal: lines(cut),
    });
    expect(recovery?.settled).toMatchObject([{ as: "done" }]);
  });

  it("later, when the service cannot be asked", async () => {
    const recovery = await recover({ ...on, journal: lines(intended) });
    expect(recovery).toMatchObject({ complete: false, settled: [], snapshot });
  });

  it("as partly done, when the service had answered the first of its calls", async () => {
    const { client } = await setScene({ on: "core" });
    const recovery = await recover({ ...on, service: client, journal: lines(intended, answered) });
    expect(recovery?.settled).toMatchObject([{ as: "partly done" }]);
    expect(recovery?.snapshot.serial).toBe(1);
    expect(Object.values(recovery?.snapshot.entries ?? {})).toMatchObject([
      { key: ["app", "entitlement"], applied: {}, answered: null, protected: true },
    ]);
  });

  it.each([
    ["its key", intended.key],
    ["its address, where the service chose the key", null],
  ])("as done, when the state has the result under %s and the object cannot be read now", async (_, key) => {
    const { client, clock, sandbox } = await setScene();
    sandbox.faults.set({ seed: 1, rules: [{ method: "GET", fault: "error", status: 503 }] });
    const journal = lines({ ...intended, key });
    const { applied, address } = intended;
    const entry = {
      address,
      key: ["app", "entitlement"],
      applied,
      answered: null,
      rewritten: [],
      protected: true,
    };
    const kept = { ...snapshot, entries: { [formatKey(address.kind, entry.key)]: { ...entry, ...at } } };
    for (const asked of ["full", "core"] as const) {
      const recovery = await recover({
        ...on,
        on: asked,
        service: client,
        patience: { clock, milliseconds: 0, createLag: 0, horizon: PROMPT.horizon },
        snapshot: kept,
        journal,
      });
      expect(recovery).toMatchObject({ complete: true, settled: [{ as: "done" }], snapshot: kept });
    }
  });

  it("as uncertain, when the state has only the object that the new one replaces", async () => {
    const { client } = await setScene({ on: "core" });
    const journal = lines({ ...intended, key: null });
    const { applied, address } = intended;
    const old = { address, key: ["app", "old"], applied, answered: null, rewritten: [], protected: true };
    const entry = { ...old, at: "2025-12-31T00:00:00.000Z" };
    const kept = { ...snapshot, entries: { [formatKey(address.kind, entry.key)]: entry } };
    const recovery = await recover({ ...on, service: client, snapshot: kept, journal });
    expect(recovery?.settled).toMatchObject([{ as: "uncertain" }]);
  });

  it("though the last line was torn, and a line before it is no longer whole", async () => {
    const { client } = await setScene({ on: "core" });
    const journal = [...lines(intended), '{"at":"2026', '{"type":"intended","at":"x"}'];
    const recovery = await recover({ ...on, service: client, journal });
    expect(recovery?.settled).toMatchObject([{ as: "uncertain" }]);
    expect(recovery?.diagnostics.map(({ code }) => code)).toContain("apply/damaged-journal");
  });

  it("not at all with another server or another state, and the journal stays", async () => {
    for (const other of [
      { ...snapshot, lineage: "other" },
      { ...snapshot, server: "https://other.example" },
    ]) {
      const recovery = await recover({ ...on, snapshot: other, journal: lines(intended) });
      expect(recovery?.complete).toBe(false);
      expect(recovery?.diagnostics.map(({ code }) => code)).toEqual(["apply/foreign-journal"]);
    }
  });

  it("twice with the same result", async () => {
    const finished = {
      type: "step finished",
      step: null,
      address: intended.address,
      action: "create",
      outcome: "done",
      key: ["app", "entitlement"],
      record: { applied: { displayName: "One" }, answered: null, rewritten: [], protected: false },
      diagnostics: [],
    };
    const once = await recover({ ...on, journal: lines(intended, finished) });
    const twice = await recover({ ...on, journal: lines(intended, finished, intended, finished) });
    expect(once?.complete).toBe(true);
    expect(twice?.snapshot).toEqual(once?.snapshot);
  });
});

describe("a journal", () => {
  it("begins with whose it is, and holds nothing for a run that did nothing", async () => {
    const written: string[] = [];
    const log = {
      append: async (line: string) => void written.push(line),
      note: (line: string) => void written.push(line),
    };
    const journal = makeJournal(
      log,
      { run: "run", server: "server", lineage: "lineage", serial: 0, effect: "e" },
      fakeClock(),
    );
    await journal({ type: "run started", run: "run", plan: "p", steps: 0, calls: 0 });
    const step = {
      address: { kind: "K", name: "n" },
      action: "blocked",
      step: null,
      key: null,
      record: null,
    } as const;
    await journal({ type: "step finished", ...step, outcome: "left", diagnostics: [] });
    expect(written).toEqual([]);
    await journal({ type: "step finished", ...step, action: "forget", outcome: "done", diagnostics: [] });
    expect(written.map((line) => JSON.parse(line).type)).toEqual(["run", "step finished"]);
  });
});
