import { describe, expect, it } from "vitest";
import { LIVE } from "../../src/kinds/interface.js";
import { callsAhead, estimate, measured } from "../../src/plan/estimate.js";
import type { Planned } from "../../src/plan/plan.js";
import type { Step } from "../../src/plan/step.js";
import { PROMPT } from "../../src/state/store.js";
import type { StepPart } from "./stepPart.js";

const call = { operation: "Test", method: "POST", path: ["x"], effect: "repeatable" } as const;
const step = (kind: string, name: string, more: StepPart): Step =>
  ({
    address: { kind, name },
    calls: [call],
    after: {},
    ...more,
    managed: { identity: { appId: "app" }, owned: [], ...more.managed },
  }) as unknown as Step;

const create = step("EntitlementAutomation", "new", { action: "create", key: ["app", "e1"] });
const types = [1, 2].map((place) => step("ResourceType", `type-${place}`, { action: "create", key: null }));
const scope = (name: string, owned: readonly string[]) =>
  step("TemplateScope", name, { action: "set", key: [name], managed: { owned } });
const scopes = [scope("whole", ["scope", "entitlements"]), scope("half", ["scope"])];

const LIVE_KINDS = { EntitlementAutomation: LIVE, ResourceType: LIVE, TemplateScope: LIVE };

describe("the calls ahead of a plan", () => {
  const steps = [create, ...types, ...scopes];

  it.each([
    // Each write; its read; the types by one list, and by another once the last of them is made.
    ["later", { EntitlementAutomation: 2, ResourceType: 4, TemplateScope: 4 }],
    // The automation is read for its create, and the scope whose other half is sent back.
    ["at once", { EntitlementAutomation: 2, ResourceType: 3, TemplateScope: 3 }],
  ] as const)("count what an apply %s reads again", (when, expected) => {
    expect(callsAhead(steps, LIVE_KINDS, when)).toEqual(expected);
  });

  it("count the reads of what a later apply only records, and none for what waits or is blocked", () => {
    const more = (action: Step["action"]) =>
      step("TemplateScope", action, { action, key: [action], calls: [] });
    const recorded = [more("adopt"), more("forget"), more("removed"), more("keep"), more("blocked")];
    const ahead = (when: "later" | "at once") => callsAhead(recorded, LIVE_KINDS, when);
    expect(ahead("later")).toEqual({ TemplateScope: 2 });
    expect(ahead("at once")).toEqual({});
  });
});

/** As many calls at once as the plan asks for. */
const FULL = { width: 10, widest: 10 };

describe("the time of an apply", () => {
  const plan = {
    calls: { made: {}, ahead: { A: 900, B: 105 } },
    estimate: { seconds: 26, width: 10 },
    steps: Array.from({ length: 600 }, (_, place) => step("ResourceType", `type-${place}`, {})),
  } as unknown as Planned;

  it.each([
    [10, 10, 5],
    // 104 rounds of 9 or 10, after 1 + 2 + … + 8.
    [1, 10, 5.3],
    [1, 1, 50.25],
  ])("follows from how many may be under way, %i now and %i again", (width, widest, seconds) => {
    const speed = { width, widest, replyTime: 50, perSecond: null, rhythm: PROMPT };
    expect(measured(plan, speed).estimate.seconds).toBe(Math.round(seconds));
  });

  it("is assumed where nothing was measured", () => {
    expect(estimate(plan.calls.ahead, 10)).toEqual({ seconds: 26, width: 10 });
    expect(measured(plan, null)).toBe(plan);
  });

  it.each([
    // What remit itself does for each call.
    [0, 1],
    [2, 1],
    // 1.4 s of replies, and 0.8 s of work that they do not hide wholly.
    [14, 2],
    [50, 5],
    [1_000, 101],
  ])("follows from replies that took %i ms", (replyTime, seconds) => {
    expect(measured(plan, { replyTime, ...FULL, perSecond: null, rhythm: PROMPT }).estimate).toEqual({
      seconds,
      width: 10,
      measured: true,
    });
  });

  it.each([
    [100, 10],
    [5, 201],
    [1_000, 5],
  ])("is not less than a limit of %i calls a second allows", (perSecond, seconds) => {
    expect(measured(plan, { ...FULL, replyTime: 50, perSecond, rhythm: PROMPT }).estimate).toEqual({
      seconds,
      width: 10,
      measured: true,
    });
    expect(measured(plan, { ...FULL, replyTime: null, perSecond, rhythm: PROMPT })).toBe(plan);
  });

  it.each([
    { what: "a bucket", rhythm: { ...PROMPT, trip: 50 }, state: 3 },
    { what: "a repository", rhythm: { ...PROMPT, ahead: 500, trip: 10_000 }, state: 50 },
  ])("includes what writing to $what takes, and says how much it is", ({ rhythm, state }) => {
    const speed = { ...FULL, replyTime: 50, perSecond: null, rhythm };
    expect(measured(plan, speed).estimate).toEqual({ seconds: 5 + state, width: 10, measured: true, state });
    expect(measured({ ...plan, steps: [] }, speed).estimate).toEqual({
      seconds: 5,
      width: 10,
      measured: true,
    });
  });
});
