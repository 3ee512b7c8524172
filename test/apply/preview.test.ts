import { describe, expect, it } from "vitest";
import { plan } from "../../src/apply/preview.js";
import { recallUnderLock } from "../../src/apply/recallUnderLock.js";
import { apply } from "../../src/apply/run.js";
import type { Reply } from "../../src/model/call.js";
import { Secret } from "../../src/model/secret.js";
import { DEFAULT_LIMITS } from "../../src/plan/guards/settings.js";
import { readStateKeys } from "../../src/state/encryption/key.js";
import { withKeys } from "../../src/state/encryption/store.js";
import { memoryContents, memoryStore } from "../../src/state/memory.js";
import { type Kept, newSnapshot } from "../../src/state/snapshot.js";
import type { Store } from "../../src/state/store.js";
import { failure, following, owner } from "../contracts/store.js";
import { handClock } from "../fakes/handClock.js";
import { automation, type SessionScene, sessionScene } from "./sessionScene.js";

const one = automation("one");
const ENTITLEMENT = "entitlement0000000000000001";
const APP = "2fsgTvxP0DVTsNXEUBI7hOe0l5A";

/** The journal of a run that was killed before the reply to its create came. */
function killed({ sandbox }: SessionScene): readonly string[] {
  const at = "2026-01-01T00:00:00.000Z";
  const address = { kind: "EntitlementAutomation", name: "one" };
  const identity = { appId: APP, appEntitlementId: ENTITLEMENT };
  const applied = { displayName: "one", cel: { expression: 'subject.department == "Engineering"' } };
  const intended = {
    action: "create",
    key: [APP, ENTITLEMENT],
    protected: false,
    background: {},
    step: "",
    call: 0,
    of: 1,
    once: true,
  };
  return [
    {
      at,
      type: "run",
      formatVersion: 1,
      run: "killed",
      server: sandbox.url,
      lineage: "lineage",
      serial: 0,
      effect: "e",
    },
    { at, type: "intended", address, identity, applied, ...intended },
  ].map((line) => JSON.stringify(line));
}

describe("the library's plan", () => {
  it("reads each object once, though it begins with those of the state before it knows the manifests", async () => {
    const { session, request, order, sandbox } = await sessionScene();
    await apply(order(request(one)), session);
    const reads = () => sandbox.log.count({ operation: "GetAutomation" });
    const before = reads();
    const { value } = await plan(request(one), session);
    expect(value?.steps.map(({ action }) => action)).toEqual(["keep"]);
    expect(value?.calls.made).toEqual({ EntitlementAutomation: 1 });
    expect(reads() - before).toBe(1);
  });

  it("reads nothing where the state belongs to another server", async () => {
    const { session, request, order, sandbox } = await sessionScene();
    await apply(order(request(one)), session);
    const reads = () => sandbox.log.count();
    const before = reads();
    const { value, diagnostics } = await plan(request(one, { server: "https://other.example" }), session);
    expect(value).toBeNull();
    expect(diagnostics).toMatchObject([{ code: "plan/other-server", severity: "error" }]);
    expect(reads()).toBe(before);
  });

  it("says of manifests with mistakes what it says offline", async () => {
    const { session, request, order } = await sessionScene();
    await apply(order(request(one)), session);
    const wrong = request(`${one}---\n${one}---\n{`);
    const { mode } = wrong;
    const offline = await plan({ ...wrong, mode: { ...mode, offline: true } }, { ...session, client: null });
    const online = await plan(wrong, session);
    expect(offline.value).toBeNull();
    expect(online).toEqual(offline);
  });

  it("takes no lock and writes nothing, though a killed run left its journal", async () => {
    const scene = await sessionScene();
    const { session, request, contents } = scene;
    contents.journal.push(...killed(scene));
    const before = structuredClone({ snapshot: contents.snapshot, journal: contents.journal });
    const store = { ...session.store, lock: () => Promise.reject(new Error("it took the lock")) };
    const { value, diagnostics } = await plan(request(one), { ...session, store });
    expect(value?.steps.map(({ action }) => action)).toEqual(["create"]);
    expect(diagnostics.map(({ code }) => code)).toContain("plan/not-recorded");
    expect({ snapshot: contents.snapshot, journal: contents.journal }).toEqual(before);
  });

  it("says nothing of a read that ends after it found mistakes in the manifests", async () => {
    const { session, request, order } = await sessionScene();
    const { client } = session;
    if (client === null) throw new Error("the scene has a client");
    await apply(order(request(one)), session);
    const told: number[] = [];
    let release: (reply: Reply) => void = () => undefined;
    const reply = new Promise<Reply>((resolve) => {
      release = resolve;
    });
    const slow = { ...session, client: { ...client, send: () => reply } };
    const progress = (done: number) => void told.push(done);
    const { value } = await plan(request(`${one}---\n{`), slow, { progress });
    expect(value).toBeNull();
    release({ status: 200, body: {}, attempts: 1 });
    await new Promise((resolve) => setImmediate(resolve));
    expect(told).toEqual([]);
  });

  it("says that a state existed where its journal alone is left, and asks before a write that it cannot see", async () => {
    const scene = await sessionScene("core");
    const { session, request, order, contents, writes } = scene;
    const head = {
      type: "run",
      formatVersion: 1,
      run: "killed",
      server: scene.sandbox.url,
      lineage: "lineage",
      serial: 3,
      effect: "e",
    };
    contents.journal.push(JSON.stringify({ at: "2026-01-01T00:00:00.000Z", ...head }));
    const first = request(one, { limits: { ...DEFAULT_LIMITS, firstWrite: "allow" } });
    for (let time = 1; time <= 2; time += 1) {
      const { value, diagnostics } = await plan(first, session);
      expect(diagnostics.map(({ code }) => code)).toContain("state/lost");
      expect(value?.findings).toMatchObject([{ guard: "unknown-current", acknowledged: null }]);
      expect(await apply(order(first), session)).toMatchObject({ as: "refused", by: "check" });
    }
    expect(writes()).toBe(0);
    expect(contents.journal).toHaveLength(1);
  });

  it.each([
    { key: "no key", keys: [], said: ["The state can be changed by everyone who may push (memory)."] },
    { key: "a key", keys: readStateKeys(new Secret("01".repeat(32))), said: [] },
  ])("says who can change a state that many may push to, with $key", async ({ keys, said }) => {
    const { session, request } = await sessionScene();
    const kept: Store<Kept> = memoryStore(memoryContents(), handClock());
    const pushed = { ...kept, name: "memory", openTo: "everyone who may push" };
    const store = withKeys(pushed, { keys, place: "here", version: "1" });
    const { diagnostics } = await plan(request(one), { ...session, store });
    const open = diagnostics.filter(({ code }) => code === "state/open");
    expect(open.map(({ message }) => message)).toEqual(said);
    expect(open.every(({ severity }) => severity === "note")).toBe(true);
  });

  it("reads no object once a name in a manifest is a mistake", async () => {
    const { session, request, sandbox } = await sessionScene();
    const unknown = one.replace(/appEntitlementId: .*/, "appEntitlementId: { alias: nothing-has-this }");
    const { value, diagnostics } = await plan(
      request(`${unknown}---\n${automation("two", "true", 2)}`),
      session,
    );
    expect([value, diagnostics.map(({ code }) => code)]).toEqual([null, ["reference/not-found"]]);
    expect(sandbox.log.count({ operation: "GetAutomation" })).toBe(0);
  });

  it("starts from what a killed run did, which the next apply records", async () => {
    const scene = await sessionScene();
    const { session, request, order, contents, writes } = scene;
    await apply(order(request(one)), session);
    contents.snapshot = null;
    contents.journal.push(...killed(scene));
    const { value } = await plan(request(one), session);
    expect(value?.steps.map(({ action }) => action)).toEqual(["keep"]);
    expect(contents.snapshot).toBeNull();
    await apply(order(request(one)), session);
    expect(contents).toMatchObject({ journal: [], snapshot: { serial: 1 } });
    expect(writes()).toBe(1);
  });

  it("shows what another run is changing while that run holds the lock, and reads nothing to settle it", async () => {
    const scene = await sessionScene();
    const { session, request, contents } = scene;
    const other = await session.store.lock(owner("other"), { timeout: 0 });
    for (const line of killed(scene)) await other.journal.append(line);
    const { value, diagnostics } = await plan(request(one), session);
    expect(value).not.toBeNull();
    expect(diagnostics).toMatchObject([
      {
        code: "plan/being-changed",
        message:
          "EntitlementAutomation/one is being changed by remit apply other (process 1 on here, since 2026-01-01T00:00:00.000Z)",
      },
    ]);
    expect(contents.journal).toHaveLength(2);
    await other.release();
  });

  it("says offline that the result of a killed run is unknown", async () => {
    const scene = await sessionScene();
    const { session, request, contents } = scene;
    contents.journal.push(...killed(scene));
    const mode = { ...request(one).mode, offline: true };
    const { diagnostics } = await plan(request(one, { mode }), { ...session, client: null });
    expect(diagnostics.map(({ code }) => code)).toContain("plan/not-settled");
  });

  it("is not made from warnings when they count as errors", async () => {
    const { session, request } = await sessionScene();
    const { manifests } = request(automation("one", "subject.unknown")).project;
    expect((await plan(request("", { manifests }), session)).value).not.toBeNull();
    const strict = { ...manifests, strict: true };
    expect((await plan(request("", { manifests: strict }), session)).value).toBeNull();
  });
});

describe("a plan that is aborted", () => {
  it("before it begins sends nothing", async () => {
    const { session, request, sandbox } = await sessionScene();
    const signal = AbortSignal.abort("enough");
    await expect(plan(request(one), session, { signal })).rejects.toBe("enough");
    expect(sandbox.log.count({})).toBe(0);
  });

  it("while it reads ends at once and sends no further call", async () => {
    const { session, request, sandbox } = await sessionScene();
    const stop = new AbortController();
    const progress = () => stop.abort("enough");
    const many = Array.from({ length: 9 }, (_, place) =>
      automation(`number-${place + 1}`, "subject.email == subject.id", place + 1),
    );
    const planning = plan(request(many.join("---\n")), session, { signal: stop.signal, progress });
    await expect(planning).rejects.toBe("enough");
    await session.clock.sleep(2_000);
    // Those that were in flight still arrive.
    expect(sandbox.log.count({})).toBeLessThanOrEqual(4);
  });
});

describe("what a killed run left", () => {
  it("is recorded only by the run that still holds the lock", async () => {
    const scene = await sessionScene();
    const { session, contents } = scene;
    contents.snapshot = following(newSnapshot("lineage", scene.sandbox.url), []);
    contents.journal.push(...killed(scene));
    const lock = await session.store.lock(owner("slept"), { timeout: 0 });
    await session.store.unlock();
    const refused = await failure(
      recallUnderLock(
        session,
        { tenant: { interface: "full", server: scene.sandbox.url }, project: { name: null } },
        lock,
      ),
    );
    expect(refused.diagnostic.code).toBe("state/lock-lost");
    expect(contents.journal).toHaveLength(2);
  });
});
