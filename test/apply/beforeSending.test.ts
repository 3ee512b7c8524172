import { describe, expect, it } from "vitest";
import { makeBeforeSending } from "../../src/apply/beforeSending.js";
import type { StepContext } from "../../src/apply/context.js";
import type { Event } from "../../src/apply/event.js";
import type { Job } from "../../src/apply/job.js";
import { kindOf } from "../../src/kinds/index.js";
import type { Step } from "../../src/plan/step.js";
import { PROMPT, StateError } from "../../src/state/store.js";
import { fakeClock } from "../fakes/clock.js";
import { actions, automation, codes, newType, outcomes, type Scene, setScene } from "./scene.js";

const TRAIT = "2fsgTvxP0DVTsNXEUBI7hOe0l5F";
const one = automation(1);
const two = automation(2);
const renamed = [one, two].map(({ address }, place) => ({
  ...automation(place + 1, { displayName: "renamed" }),
  address,
}));
const lockLost = () =>
  new StateError({
    code: "state/lock-lost",
    severity: "error",
    message: "another run has it",
    hint: "Wait.",
  });

/** The service makes the first call of an operation wait for longer than a look is believed. */
const waiting = (operation: string, times = 1) =>
  ({ operation, fault: "throttle", retryAfter: 35, times }) as const;

/** What is done once, as soon as an event of that type has come. */
function when(type: Event["type"], act: () => unknown): Pick<Job, "recorder"> {
  let isDone = false;
  return {
    async recorder(event) {
      if (isDone || event.type !== type) return;
      isDone = true;
      await act();
    },
  };
}

/** Another program creates an automation, and the log does not count it. */
function makeByHand({ sandbox }: Scene, { spec }: typeof one, displayName: string): void {
  const [app, entitlement] = [String(spec.appId), String(spec.appEntitlementId)];
  const row = { appId: app, appEntitlementId: entitlement, displayName, cel: { expression: "true" } };
  sandbox.store.automations.put(app, entitlement, row as never);
}

describe("a create that the service makes wait", () => {
  it("is not sent any more after an interrupt", async () => {
    const { plan, apply, sandbox } = await setScene({ rules: [waiting("CreateAutomation")] });
    const stop = new AbortController();
    const run = await apply(await plan([one]), {
      interrupt: stop.signal,
      ...when("retried", () => stop.abort("SIGINT")),
    });
    expect(outcomes(run)).toEqual({ "EntitlementAutomation/automation-1": "left" });
    expect(codes(run, one.address)).toEqual(["apply/left"]);
    expect(sandbox.log.count({ operation: "CreateAutomation" })).toBe(1);
    expect(sandbox.store.automations.all()).toEqual([]);
  });

  it.each(["full", "core"] as const)("is not sent any more once the lock is another's, on %s", async (on) => {
    const { plan, apply, sandbox } = await setScene({ on, rules: [waiting("CreateAutomation")] });
    const lost = new AbortController();
    const run = await apply(await plan([one]), {
      lost: lost.signal,
      ...when("retried", () => lost.abort(lockLost())),
    });
    expect(run.summary.outcomes).toMatchObject({ left: 1, done: 0 });
    expect(run.fault?.code).toBe("state/lock-lost");
    expect(sandbox.log.count({ operation: "CreateAutomation" })).toBe(1);
  });

  it("is not sent when its object has come to be meanwhile", async () => {
    const scene = await setScene({ rules: [waiting("CreateAutomation")] });
    const { plan, apply, sandbox } = scene;
    const run = await apply(
      await plan([one]),
      when("retried", () => makeByHand(scene, one, "by hand")),
    );
    expect(codes(run, one.address)).toEqual(["plan/stale"]);
    expect(sandbox.log.count({ operation: "CreateAutomation" })).toBe(1);
  });

  it("is not sent when its intent cannot be recorded a third time", async () => {
    let intents = 0;
    const { plan, apply, sandbox, snapshot } = await setScene({
      rules: [waiting("CreateAutomation", 2)],
      journal: (journal) => ({
        ...journal,
        async append(line) {
          intents += 1;
          if (intents === 3)
            throw new StateError({
              code: "state/unwritable",
              severity: "error",
              message: "the disk is full",
              hint: "Make room.",
            });
          await journal.append(line);
        },
      }),
    });
    const run = await apply(await plan([one]));
    expect(run.fault?.code).toBe("state/unwritable");
    expect(run.summary.outcomes).toMatchObject({ left: 1, failed: 0 });
    expect(sandbox.log.count({ operation: "CreateAutomation" })).toBe(2);
    expect((await snapshot()).entries).toEqual({});
    expect(outcomes(await apply(await plan([one])))).toEqual({
      "EntitlementAutomation/automation-1": "done",
    });
  });

  it.each([1, 2, 8])("is sent in its time, and so are its siblings, %i at once", async (width) => {
    const { plan, apply, sandbox } = await setScene({ width, rules: [waiting("CreateResourceType", 2)] });
    const types = Array.from({ length: 12 }, (_, number) => newType(`type-${number}`));
    const run = await apply(await plan(types));
    expect(run.summary.outcomes).toMatchObject({ done: 12 });
    expect(sandbox.log.creates().map(({ done }) => done)).toEqual(types.map(() => 1));
  });
});

describe("a create whose intent the disk is slow to take", () => {
  it("leaves once its intent was on the disk soon enough", async () => {
    const clock = fakeClock();
    const takes = [2_500, 5_000, 2_001, 400, 0];
    const recordedAt: number[] = [];
    const context = {
      kind: kindOf(one.address),
      halt: { reason: () => null, lost: () => null, confirm: async () => undefined, fail: () => undefined },
      patience: { clock, milliseconds: 0, createLag: 0, horizon: PROMPT.horizon },
      async record() {
        recordedAt.push(clock.elapsed());
        clock.advance(takes.shift() ?? 0);
      },
    } as unknown as StepContext;
    const step = {
      address: one.address,
      managed: { owned: [] },
      calls: [{ effect: "once" }],
    } as unknown as Step;
    const readiness = { intent: null, moved: async () => null };
    await makeBeforeSending({ step, place: 0, key: null, readiness }, context)();
    expect(recordedAt).toEqual([0, 2_500, 7_500, 9_501]);
    expect(clock.elapsed() - (recordedAt.at(-1) ?? 0)).toBeLessThanOrEqual(PROMPT.horizon);
  });
});

describe("a write whose turn was long in coming", () => {
  it("is made only on the object that the plan was made on", async () => {
    const scene = await setScene({ width: 1 });
    const { plan, apply, sandbox } = scene;
    await apply(await plan([one, two]));
    const next = await plan(renamed);
    sandbox.faults.set({ seed: 1, rules: [waiting("UpdateAutomation")] });
    const run = await apply(
      next,
      when("retried", () => makeByHand(scene, two, "by hand")),
    );
    expect(outcomes(run)).toEqual({
      "EntitlementAutomation/automation-1": "done",
      "EntitlementAutomation/automation-2": "refused",
    });
    expect(codes(run, two.address)).toEqual(["plan/stale"]);
  });

  it("is not attributed to another program once it has been sent", async () => {
    const { plan, apply, sandbox } = await setScene({ width: 1 });
    await apply(await plan([one]));
    const next = await plan(renamed.slice(0, 1));
    const written = { fault: "error", status: 503, written: true, retryAfter: 31, times: 1 } as const;
    sandbox.faults.set({ seed: 1, rules: [{ operation: "UpdateAutomation", ...written }] });
    const run = await apply(next);
    expect(outcomes(run)).toEqual({ "EntitlementAutomation/automation-1": "done" });
    expect(codes(run, one.address)).toEqual([]);
    expect(sandbox.log.count({ operation: "UpdateAutomation" })).toBe(2);
  });
});

describe("a step of two calls", () => {
  const team = newType("team", "Team", [TRAIT]);

  it("remembers what the first made when the second cannot be put on record", async () => {
    const { plan, apply, sandbox, snapshot } = await setScene({
      journal: (journal) => ({
        ...journal,
        async append(line) {
          if (JSON.parse(line).call === 1)
            throw new StateError({
              code: "state/unwritable",
              severity: "error",
              message: "the disk is full",
              hint: "Make room.",
            });
          await journal.append(line);
        },
      }),
    });
    const run = await apply(await plan([team]));
    expect(codes(run, team.address)).toEqual(["state/unwritable", "apply/unfinished"]);
    const made = sandbox.store.resourceTypes.all().find(({ displayName }) => displayName === "Team");
    expect(Object.values((await snapshot()).entries)).toMatchObject([{ key: [made?.appId, made?.id] }]);
    expect(actions(await plan([team]))).toEqual(["update ResourceType/team"]);
  });

  it("sends nothing of its second once the lock is another's", async () => {
    const { plan, apply, sandbox } = await setScene();
    const lost = new AbortController();
    const run = await apply(await plan([team]), {
      lost: lost.signal,
      ...when("answered", () => lost.abort(lockLost())),
    });
    expect(codes(run, team.address)).toEqual(["state/lock-lost", "apply/unfinished"]);
    expect(sandbox.log.count({ operation: "UpdateResourceType" })).toBe(0);
  });

  it("sends nothing of its second where the store does not confirm the lock", async () => {
    const { plan, apply, sandbox } = await setScene();
    let isAnswered = false;
    const run = await apply(await plan([team]), {
      async confirm() {
        if (isAnswered) throw lockLost();
      },
      ...when("answered", () => {
        isAnswered = true;
      }),
    });
    expect(codes(run, team.address)).toEqual(["state/lock-lost", "apply/unfinished"]);
    expect(sandbox.log.count({ operation: "UpdateResourceType" })).toBe(0);
  });

  it("sends nothing at all where the lock is not confirmed from the start", async () => {
    const { plan, apply, sandbox } = await setScene();
    const run = await apply(await plan([team]), { confirm: () => Promise.reject(lockLost()) });
    expect(outcomes(run)).toEqual({ "ResourceType/team": "left" });
    expect(sandbox.log.count({ method: "POST" })).toBe(0);
  });

  it("is finished after an interrupt", async () => {
    const { plan, apply } = await setScene();
    const stop = new AbortController();
    const run = await apply(await plan([team]), {
      interrupt: stop.signal,
      ...when("answered", () => stop.abort("SIGINT")),
    });
    expect(outcomes(run)).toEqual({ "ResourceType/team": "done" });
  });
});

describe("a step that is being looked at when the run is stopped", () => {
  it("puts nothing on record", async () => {
    const { plan, apply, client } = await setScene();
    const next = await plan([one, two]);
    const lost = new AbortController();
    const { events } = await apply(next, {
      lost: lost.signal,
      service: {
        ...client,
        async send(call, options) {
          const reply = await client.send(call, options).catch((error: unknown) => error);
          lost.abort(lockLost());
          if (reply instanceof Error) throw reply;
          return reply as Awaited<ReturnType<typeof client.send>>;
        },
      },
    });
    expect(events.filter(({ type }) => type === "intended")).toEqual([]);
  });
});

describe("a fault after an interrupt", () => {
  it("is reported", async () => {
    const { plan, apply } = await setScene({ width: 2 });
    const stop = new AbortController();
    const lost = new AbortController();
    const run = await apply(await plan([one, two]), {
      interrupt: stop.signal,
      lost: lost.signal,
      ...when("step started", () => {
        stop.abort("SIGINT");
        lost.abort(lockLost());
      }),
    });
    expect(run.fault?.code).toBe("state/lock-lost");
    expect(run.summary.interrupted).toBe("SIGINT");
  });
});
