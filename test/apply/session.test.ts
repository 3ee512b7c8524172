import { describe, expect, it } from "vitest";
import type { Order } from "../../src/apply/order.js";
import { plan } from "../../src/apply/preview.js";
import type { SessionResult } from "../../src/apply/result.js";
import { apply } from "../../src/apply/run.js";
import type { Planned } from "../../src/plan/plan.js";
import { hashesOf } from "../../src/plan/saved/effect.js";
import type { VerifiedPlan } from "../../src/plan/saved/read.js";
import type { AutomationRow } from "../../src/sandbox/tenant/tenant.js";
import { newSnapshot } from "../../src/state/snapshot.js";
import { failure, following, owner } from "../contracts/store.js";
import { automation, type SessionScene, sessionScene } from "./sessionScene.js";

const one = automation("one");
const two = `${one}---\n${automation("two", "true", 2)}`;

const [APP, ENTITLEMENT] = ["2fsgTvxP0DVTsNXEUBI7hOe0l5A", "entitlement0000000000000001"];
const ROW = {
  appId: APP,
  appEntitlementId: ENTITLEMENT,
  displayName: "one",
  cel: { expression: "true" },
} as AutomationRow;

/** An automation all of whose fields the manifest writes. */
const whole = (description: string) => `${one}  description: ${description}\n`;

async function planned({ session, request }: SessionScene, manifests: string): Promise<VerifiedPlan> {
  const { value, diagnostics } = await plan(request(manifests), session);
  if (value === null) throw new Error(JSON.stringify(diagnostics));
  return { plan: value, ...hashesOf(value) };
}

function codesOf({ as, diagnostics }: SessionResult): readonly string[] {
  expect(as).toBe("refused");
  return diagnostics.filter(({ severity }) => severity === "error").map(({ code }) => code);
}

/** A plan that was changed after it was made, under its old hash or a new one. */
function altered(
  { plan: made, ...hashes }: VerifiedPlan,
  change: Partial<Planned>,
  sealed: boolean,
): VerifiedPlan {
  const next = { ...made, ...change };
  return { plan: next, ...(sealed ? hashesOf(next) : hashes) };
}

describe("the library's apply", () => {
  it("plans, applies and records, and then has nothing to do", async () => {
    const { session, request, order, contents, writes } = await sessionScene();
    expect(await apply(order(request(one)), session)).toMatchObject({
      as: "applied",
      summary: { outcomes: { done: 1 } },
      snapshot: { lineage: "lineage", serial: 1 },
      fault: null,
    });
    expect(contents).toMatchObject({ lock: null, journal: [], snapshot: { serial: 1 } });
    expect(await apply(order(request(one)), session)).toMatchObject({ as: "unchanged" });
    expect(writes()).toBe(1);
  });

  it("applies a saved plan exactly as it is", async () => {
    const scene = await sessionScene();
    const { session, request, order, writes } = scene;
    const saved = await planned(scene, one);
    const result = await apply(order(request(two), { plan: saved, expected: saved.effect }), session);
    expect(result).toMatchObject({ as: "applied", effect: saved.effect, summary: { outcomes: { done: 1 } } });
    expect(writes()).toBe(1);
  });

  it("refuses a create whose object has come to be while the reviewer decided", async () => {
    const { session, request, order, sandbox, writes } = await sessionScene();
    const review = async () => {
      sandbox.store.automations.put(APP, ENTITLEMENT, { ...ROW, displayName: "by hand" });
      return true;
    };
    const result = await apply(order(request(one), { review }), session);
    expect(result).toMatchObject({ as: "applied", summary: { outcomes: { refused: 1 } } });
    expect(writes()).toBe(0);
  });

  it("refuses an update of what changed while the reviewer took longer than a read counts", async () => {
    const { session, request, order, sandbox, writes } = await sessionScene();
    await apply(order(request(whole("before"))), session);
    const review = async () => {
      const row = sandbox.store.automations.get(APP, ENTITLEMENT);
      sandbox.store.automations.put(APP, ENTITLEMENT, { ...ROW, ...row, displayName: "by hand" });
      await session.clock.sleep(31_000);
      return true;
    };
    const result = await apply(order(request(whole("after")), { review }), session);
    expect(result).toMatchObject({ as: "applied", summary: { outcomes: { refused: 1 } } });
    expect(writes()).toBe(1);
  });

  it("applies what is not blocked, or nothing", async () => {
    const { session, request, order, writes } = await sessionScene();
    const scope = `apiVersion: remit/v1
kind: TemplateScope
metadata: { name: nowhere }
spec: { templateId: no-such-template, entitlements: [] }
`;
    const both = request(`${one}---\n${scope}`);
    const refused = await apply(order(both, { isAllOrNothing: true }), session);
    expect(codesOf(refused)).toEqual(["service/read-failed", "apply/all-or-nothing"]);
    expect(writes()).toBe(0);
    const leftOut: string[] = [];
    const review: Order["review"] = async (candidate) => {
      leftOut.push(...candidate.leftOut.map(({ message }) => message));
      return true;
    };
    expect(await apply(order(both, { review }), session)).toMatchObject({ as: "applied" });
    expect(leftOut).toEqual(["1 step is blocked, so an apply leaves out TemplateScope/nowhere"]);
    expect(writes()).toBe(1);
  });

  it("ends when the reviewer says no", async () => {
    const { session, request, order, contents, writes } = await sessionScene();
    const result = await apply(order(request(one), { review: async () => false }), session);
    expect(result).toMatchObject({ as: "refused", by: "review" });
    expect([writes(), contents.snapshot, contents.lock]).toEqual([0, null, null]);
  });
});

describe("the library's apply refuses, and sends nothing,", () => {
  it("a plan with an open finding, whatever the reviewer says", async () => {
    const scene = await sessionScene();
    const { session, request, order, writes } = scene;
    expect(codesOf(await apply(order(request(two)), session))).toEqual(["guard/everyone"]);
    expect(codesOf(await apply(order(request(two), { plan: await planned(scene, two) }), session))).toEqual([
      "guard/everyone",
    ]);
    expect(writes()).toBe(0);
    const acknowledgements = [{ by: "flag", guard: "everyone", address: null }] as const;
    expect(await apply(order(request(two, { acknowledgements })), session)).toMatchObject({ as: "applied" });
  });

  it("a saved plan whose findings were removed from it", async () => {
    const scene = await sessionScene();
    const { session, request, order, writes } = scene;
    const saved = altered(await planned(scene, two), { findings: [] }, true);
    expect(codesOf(await apply(order(request(two), { plan: saved }), session))).toEqual(["guard/everyone"]);
    expect(writes()).toBe(0);
  });

  it("a plan that was made from another state", async () => {
    const scene = await sessionScene();
    const { session, request, order, contents, writes } = scene;
    contents.snapshot = following(newSnapshot("lineage", scene.sandbox.url), []);
    const state = { lineage: "other", serial: 1 };
    const saved = altered(await planned(scene, one), { state }, true);
    expect(codesOf(await apply(order(request(one), { plan: saved }), session))).toEqual(["plan/other-state"]);
    expect(writes()).toBe(0);
  });

  it("a plan that was made from a state, where there is none now", async () => {
    const scene = await sessionScene();
    const { session, request, order, contents, writes } = scene;
    contents.snapshot = following(newSnapshot("lineage", scene.sandbox.url), []);
    const saved = await planned(scene, one);
    contents.snapshot = null;
    expect(codesOf(await apply(order(request(one), { plan: saved }), session))).toEqual(["plan/other-state"]);
    expect(writes()).toBe(0);
  });

  it("a plan whose seal is wrong", async () => {
    const scene = await sessionScene();
    const { session, request, order, writes } = scene;
    const saved = altered(await planned(scene, one), { commit: "f00" }, false);
    expect(codesOf(await apply(order(request(one), { plan: saved }), session))).toEqual(["plan/tampered"]);
    expect(writes()).toBe(0);
  });

  it("a plan with a new seal whose calls do not follow from its steps", async () => {
    const scene = await sessionScene();
    const { session, request, order, writes } = scene;
    const made = await planned(scene, one);
    const steps = made.plan.steps.map((step) => ({
      ...step,
      calls: step.calls.map((call) => ({ ...call, body: { displayName: "changed" } })),
    }));
    const result = await apply(order(request(one), { plan: altered(made, { steps }, true) }), session);
    expect(codesOf(result)).toEqual(["plan/other-calls"]);
    expect(writes()).toBe(0);
  });

  it("a plan for another server", async () => {
    const scene = await sessionScene();
    const { session, request, order, writes } = scene;
    const saved = await planned(scene, one);
    const elsewhere = request(one, { server: "https://other.example" });
    expect(codesOf(await apply(order(elsewhere, { plan: saved }), session))).toEqual(["plan/other-server"]);
    expect(writes()).toBe(0);
  });

  it("a plan that is not the expected one, saved or new", async () => {
    const scene = await sessionScene();
    const { session, request, order, writes } = scene;
    const saved = await planned(scene, one);
    for (const given of [saved, null]) {
      const result = await apply(order(request(one), { plan: given, expected: "sha256:0" }), session);
      expect(codesOf(result)).toEqual(["plan/unexpected"]);
    }
    expect(writes()).toBe(0);
  });

  it("without the lock, while another run has it", async () => {
    const { session, request, order, writes } = await sessionScene();
    const other = await session.store.lock(owner("other"), { timeout: 0 });
    const refused = await failure(apply(order(request(one)), session));
    expect(refused.diagnostic.code).toBe("state/locked");
    expect(writes()).toBe(0);
    await other.release();
  });

  it("once the lock is lost, and saves nothing", async () => {
    const { session, request, order, contents, writes } = await sessionScene();
    const review = async () => {
      await session.store.unlock();
      return true;
    };
    expect(await apply(order(request(one), { review }), session)).toMatchObject({
      as: "applied",
      fault: { code: "state/lock-lost" },
      summary: { outcomes: { done: 0, left: 1 } },
      snapshot: null,
    });
    expect([writes(), contents.snapshot]).toEqual([0, null]);
  });

  it("after a run that it cannot recover", async () => {
    const { session, request, order, contents, writes } = await sessionScene();
    contents.journal.push(
      JSON.stringify({
        at: "2026-01-01T00:00:00.000Z",
        type: "run",
        formatVersion: 1,
        run: "r",
        server: "https://other.example",
        lineage: "other",
        serial: 0,
        effect: "e",
      }),
    );
    const asked = request(one);
    contents.snapshot = following(newSnapshot("lineage", asked.tenant.server), []);
    const result = await apply(order(asked), session);
    expect(result).toMatchObject({ as: "refused", by: "recovery" });
    expect(codesOf(result)).toEqual(["apply/foreign-journal"]);
    expect(writes()).toBe(0);
  });
});

describe("an interrupt before anything is written", () => {
  const stopped = new Error("stopped");

  it.each<[string, (stop: () => void) => Partial<Order>]>([
    ["while the plan is made", (stop) => ({ progress: stop })],
    [
      "while a person is asked",
      (stop) => ({
        review: () => {
          stop();
          return new Promise(() => undefined);
        },
      }),
    ],
  ])("%s ends the session and leaves no lock", async (_, hearing) => {
    const { session, request, order, contents, writes } = await sessionScene();
    const controller = new AbortController();
    const more = { ...hearing(() => controller.abort(stopped)), interrupt: controller.signal };
    await expect(apply(order(request(one), more), session)).rejects.toBe(stopped);
    expect(contents).toMatchObject({ lock: null, journal: [], snapshot: null });
    expect(writes()).toBe(0);
  });
});
