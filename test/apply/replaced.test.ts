import { describe, expect, it } from "vitest";
import { replacedBy } from "../../src/apply/unfinished.js";
import type { Action, Step } from "../../src/plan/step.js";
import { PROMPT } from "../../src/state/store.js";
import { fakeClock } from "../fakes/clock.js";

const MADE = "2026-03-01T12:00:00Z";
const DAY = 86_400_000;

/** What is found where the create left a second ago, that much after the object was made by the service's clock. */
function replaced(after: number, { action, before }: { action: Action; before: Step["before"] }) {
  const clock = fakeClock();
  const leftAt = clock.elapsed() - 1_000;
  const service = {
    serverTime: () => Date.parse(MADE) + after + 1_000,
    send: () => Promise.reject(new Error("nothing is sent")),
  };
  const step = { action, before } as Step;
  const observed = { key: ["app", "entitlement"], fields: {}, createdAt: MADE };
  return replacedBy(step, observed, leftAt, {
    service,
    patience: { clock, milliseconds: 0, createLag: 0, horizon: PROMPT.horizon },
  });
}

describe("an object that a create replaced", () => {
  it.each([
    { what: "made after the request", after: -50, found: null },
    { what: "made within the inaccuracy of a Date header", after: 1_500, found: null },
    { what: "made three seconds before the request", after: 3_000, found: MADE },
    { what: "made a day before the request", after: DAY, found: MADE },
  ])("is found by its createdAt: $what", ({ after, found }) => {
    expect(replaced(after, { action: "create", before: null })).toBe(found);
  });

  it("is not looked for where the plan shows what is replaced, or where nothing is created", () => {
    expect(replaced(DAY, { action: "create", before: {} })).toBeNull();
    expect(replaced(DAY, { action: "update", before: null })).toBeNull();
  });
});
