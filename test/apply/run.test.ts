import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import { describe, expect, it } from "vitest";
import type { Event } from "../../src/apply/event.js";
import { eventLine } from "../../src/apply/stream.js";
import { makeSummary } from "../../src/apply/summary.js";
import type { Planned } from "../../src/plan/plan.js";
import { StateError } from "../../src/state/store.js";
import { makePace } from "../../src/tenant/client/pace/pace.js";
import { actions, automation, counting, newType, outcomes, scope, setScene, type } from "./scene.js";

const TRAIT = "2fsgTvxP0DVTsNXEUBI7hOe0l5F";
const TYPE = "2fsgTvxP0DVTsNXEUBI7hOe0l5E";
const world = [newType("team", "Team", [TRAIT]), automation(1), automation(2), scope(3)];
const many = Array.from({ length: 12 }, (_, number) => automation(number));

/** The same plan, in which each step but the first needs the one before it. */
function chained(plan: Planned): Planned {
  const steps = plan.steps.map((step, place) => {
    const need = plan.steps[place - 1];
    return { ...step, needs: need === undefined ? [] : [need.address] };
  });
  return { ...plan, steps };
}

describe("a plan that is run", () => {
  for (const on of ["full", "core", "auto"] as const) {
    it(`is done, and planned again it is nothing, on ${on}`, async () => {
      const { plan, apply, snapshot } = await setScene({ on });
      const wanted = on === "core" ? [type("team", TYPE), ...world.slice(1)] : world;
      const run = await apply(await plan(wanted));
      expect(Object.values(outcomes(run))).toEqual(["done", "done", "done", "done"]);
      expect(run.fault).toBeNull();
      expect(Object.keys((await snapshot()).entries)).toHaveLength(4);
      expect(actions(await plan(wanted))).toEqual([]);
    });
  }

  it("begins a step once what it needs is done", async () => {
    const { plan, apply } = await setScene();
    const { events } = await apply(chained(await plan(many)));
    const told = events
      .filter(({ type }) => type === "step started" || type === "step finished")
      .map(({ type }) => type);
    expect(told).toEqual(many.flatMap(() => ["step started", "step finished"]));
  });

  it("skips what needs a failed step, and nothing else", async () => {
    const { plan, apply } = await setScene({
      rules: [{ operation: "CreateAutomation", path: "*0000003/*", fault: "error", status: 500 }],
    });
    const whole = await plan(many);
    const [a, b, c] = ["automation-3", "automation-5", "automation-7"].map((name) => ({
      kind: "EntitlementAutomation",
      name,
    }));
    const steps = whole.steps.map((step) => {
      const needs = step.address.name === b?.name ? [a] : step.address.name === c?.name ? [b] : [];
      return { ...step, needs: needs.filter((need) => need !== undefined) };
    });
    const run = await apply({ ...whole, steps });
    const ended = Object.entries(outcomes(run)).filter(([, outcome]) => outcome !== "done");
    expect(Object.fromEntries(ended)).toEqual({
      "EntitlementAutomation/automation-3": "failed",
      "EntitlementAutomation/automation-5": "skipped",
      "EntitlementAutomation/automation-7": "skipped",
    });
    expect(run.summary.outcomes).toMatchObject({ done: 9, failed: 1, skipped: 2 });
  });

  it("lets a step follow one that failed, or was skipped, all the same", async () => {
    const { plan, apply } = await setScene({
      rules: [{ operation: "CreateAutomation", path: "*0000003/*", fault: "error", status: 500 }],
    });
    const whole = await plan(many);
    const named = (number: number) => [{ kind: "EntitlementAutomation", name: `automation-${number}` }];
    const steps = whole.steps.map((step) => {
      const is = (number: number) => step.address.name === `automation-${number}`;
      const follows = is(5) ? named(3) : is(9) ? named(7) : [];
      return { ...step, needs: is(7) ? named(3) : [], follows };
    });
    const run = await apply({ ...whole, steps });
    const ended = Object.entries(outcomes(run)).filter(([, outcome]) => outcome !== "done");
    expect(Object.fromEntries(ended)).toEqual({
      "EntitlementAutomation/automation-3": "failed",
      "EntitlementAutomation/automation-7": "skipped",
    });
    const told = run.events.flatMap((event) =>
      event.type === "step started" || event.type === "step finished"
        ? [`${event.type} ${event.address.name}`]
        : [],
    );
    expect(told.indexOf("step started automation-5")).toBeGreaterThan(
      told.indexOf("step finished automation-3"),
    );
  });

  it("sets the scope that lists an entitlement whose automation failed", async () => {
    const { plan, apply } = await setScene({
      rules: [{ operation: "CreateAutomation", path: "*", fault: "error", status: 500 }],
    });
    const run = await apply(await plan([automation(1), scope(1)]));
    expect(Object.values(outcomes(run))).toEqual(["failed", "done"]);
  });

  it("has no more steps under way than the pace is wide", async () => {
    const { plan, apply } = await setScene({ width: 3 });
    const { events } = await apply(await plan(many));
    let underWay = 0;
    let most = 0;
    for (const { type } of events) {
      if (type === "step started") underWay += 1;
      if (type === "step finished") underWay -= 1;
      most = Math.max(most, underWay);
    }
    expect(most).toBe(3);
  });

  it("has no more calls in flight than the pace is wide, reads and settling among them", async () => {
    const { plan, apply, client } = await setScene({
      width: 3,
      rules: [
        { fault: "latency", milliseconds: 2 },
        { operation: "CreateAutomation", fault: "lost", probability: 0.3 },
        { operation: "CreateResourceType", fault: "throttle", retryAfter: 31, times: 2 },
      ],
    });
    const types = Array.from({ length: 12 }, (_, number) => newType(`type-${number}`, undefined, [TRAIT]));
    const next = await plan([...types, ...many, scope(3)]);
    const { service, most } = counting(client);
    const run = await apply(next, { service });
    expect(run.summary.outcomes.done).toBe(25);
    expect(most()).toBe(3);
  });

  it.each([
    ["its own 503", { fault: "error", status: 503 }],
    ["a proxy's 502", { fault: "error", status: 502 }],
    ["a reset before the request was read", { fault: "reset" }],
  ] as const)("waits once for ten creates that got %s, one at a time", async (_, ending) => {
    const rule = { operation: "CreateAutomation", times: 10, ...ending };
    const { plan, apply, sandbox, clock } = await setScene({ width: 1, haste: 10, rules: [rule] });
    const ten = Array.from({ length: 10 }, (_, number) => automation(number));
    const next = await plan(ten);
    const began = clock.elapsed();
    const run = await apply(next, { patience: 8_000 });
    expect(run.summary.outcomes.done).toBe(10);
    expect(clock.elapsed() - began).toBeLessThan(5 * 8_000);
    expect(sandbox.log.creates().map(({ done }) => done)).toEqual(ten.map(() => 1));
  });

  it("has the intents of as many steps again on record before their turn comes", async () => {
    const { plan, apply, client, clock } = await setScene({ width: 2 });
    // A governor that hears no answers never narrows the width.
    const service = { ...client, pace: makePace({ width: 2, clock }) };
    const { events } = await apply(await plan(many.map((_, number) => scope(number))), { service });
    const firstEnd = events.findIndex(({ type }) => type === "step finished");
    const intended = events.slice(0, firstEnd).filter(({ type }) => type === "intended");
    expect(intended).toHaveLength(4);
  });

  it.each(["full", "core"] as const)("records no intent of a create before its turn, on %s", async (on) => {
    const { plan, apply } = await setScene({ on, width: 2 });
    const { events } = await apply(await plan(many));
    let underWay = 0;
    for (const { type } of events) {
      if (type === "step started") underWay += 1;
      if (type === "step finished") underWay -= 1;
      if (type === "intended") expect(underWay).toBeGreaterThan(0);
    }
    const started = events.findIndex(({ type }) => type === "step started");
    expect(events.findIndex(({ type }) => type === "intended")).toBeGreaterThan(started);
  });

  it("records the intents of a few creates while others are under way, where they can be read back", async () => {
    const most = async (on: "full" | "core") => {
      const { plan, apply } = await setScene({ on, width: 2 });
      const { events } = await apply(await plan(many));
      const early = new Set<string>();
      const started = new Set<string>();
      let atOnce = 0;
      for (const event of events) {
        if (event.type !== "step started" && event.type !== "intended") continue;
        const { name } = event.address;
        if (event.type === "step started") {
          early.delete(name);
          started.add(name);
        } else if (!started.has(name)) early.add(name);
        atOnce = Math.max(atOnce, early.size);
      }
      return atOnce;
    };
    expect([await most("full"), await most("core")]).toEqual([2, 0]);
  });

  it("records the intent of a create anew when the service made it wait", async () => {
    const { plan, apply } = await setScene({
      rules: [{ operation: "CreateAutomation", fault: "throttle", retryAfter: 35, times: 1 }],
    });
    const { events } = await apply(await plan([automation(1)]));
    const told = events.map(({ type }) => type).filter((type) => type !== "throttled");
    const once = ["step started", "intended", "retried", "intended", "answered"];
    expect(told.slice(1, 1 + once.length)).toEqual(once);
  });

  it("reads the siblings of what it writes by one list, not one by one", async () => {
    const { plan, apply, sandbox } = await setScene();
    const types = Array.from({ length: 30 }, (_, number) => newType(`type-${number}`));
    await apply(await plan(types));
    const renamed = Object.values((await plan(types)).steps).map(({ key }, number) =>
      type(`type-${number}`, key?.[1] ?? "", `New ${number}`),
    );
    const next = await plan(renamed);
    sandbox.log.clear();
    expect((await apply(next)).summary.outcomes.done).toBe(30);
    expect(sandbox.log.count({ method: "POST" })).toBe(30);
    expect(sandbox.log.count({ method: "GET" })).toBe(1);
  });
});

describe("a run that is stopped", () => {
  it("by an interrupt finishes what is under way, begins nothing more, and leaves the rest for later", async () => {
    const { plan, apply } = await setScene({ width: 2 });
    const stop = new AbortController();
    const run = await apply(await plan(many), {
      interrupt: stop.signal,
      recorder: async ({ type }) => {
        if (type === "answered") stop.abort("SIGINT");
      },
    });
    const { done, left } = run.summary.outcomes;
    expect(run.summary.interrupted).toBe("SIGINT");
    expect(run.fault).toBeNull();
    expect([done + left, done >= 1 && done <= 2]).toEqual([12, true]);
    expect((await apply(await plan(many))).summary.outcomes.done).toBe(left);
    expect(actions(await plan(many))).toEqual([]);
  });

  it("by the loss of its lock says so", async () => {
    const { plan, apply } = await setScene({ width: 2 });
    const lost = new AbortController();
    const run = await apply(await plan(many), {
      lost: lost.signal,
      recorder: async ({ type }) => {
        if (type === "answered")
          lost.abort(
            new StateError({
              code: "state/lock-lost",
              severity: "error",
              message: "another run has it",
              hint: "Wait.",
            }),
          );
      },
    });
    expect(run.fault?.code).toBe("state/lock-lost");
    expect(run.summary.outcomes.left).toBeGreaterThanOrEqual(10);
  });

  it("by a journal that cannot be written sends nothing more, and loses nothing", async () => {
    const lines: string[] = [];
    const journal = {
      note: (line: string) => void lines.push(line),
      async append(line: string) {
        if (lines.length > 6)
          throw new StateError({
            code: "state/unwritable",
            severity: "error",
            message: "the disk is full",
            hint: "Make room.",
          });
        lines.push(line);
      },
      clear: async () => void lines.splice(0),
    };
    const { plan, apply, sandbox } = await setScene({ journal: () => journal, width: 2 });
    const run = await apply(await plan(many));
    expect(run.fault?.code).toBe("state/unwritable");
    expect(sandbox.log.count({ operation: "CreateAutomation" })).toBe(run.summary.outcomes.done);
    expect(actions(await plan(many))).toHaveLength(12 - run.summary.outcomes.done);
  });

  it("leaves what is blocked, with its reasons", async () => {
    const { plan, apply } = await setScene({ on: "core" });
    const run = await apply(await plan([newType("team")]));
    expect(outcomes(run)).toEqual({ "ResourceType/team": "left" });
    expect(run.summary.notable[0]?.diagnostics[0]?.code).toBe("plan/cannot-create");
  });
});

describe("the events of a run", () => {
  it("are what schemas/events.json says, and sum up to its summary", async () => {
    const { plan, apply } = await setScene({
      rules: [
        { operation: "CreateAutomation", fault: "throttle", retryAfter: 1, times: 2 },
        { operation: "CreateAutomation", path: "*0000003/*", fault: "error", status: 500 },
      ],
    });
    const run = await apply(await plan([...world, ...many]));
    const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, strictRequired: false });
    formats.default(ajv);
    const check = ajv.compile(JSON.parse(readFileSync("schemas/events.json", "utf8")));
    const seen = new Set<Event["type"]>();
    for (const event of run.events) {
      check(JSON.parse(eventLine(event, "2026-01-01T00:00:00.000Z")));
      expect(check.errors).toBeNull();
      seen.add(event.type);
    }
    expect([...seen].sort()).toEqual([
      "answered",
      "intended",
      "retried",
      "run finished",
      "run started",
      "step finished",
      "step started",
      "throttled",
    ]);
    const summed = makeSummary();
    for (const event of run.events) summed.tell(event);
    expect(summed.read()).toEqual(run.summary);
    expect(run.summary.retries).toBeGreaterThan(0);
    expect(run.summary.throttled).toBeGreaterThan(0);
  });
});
