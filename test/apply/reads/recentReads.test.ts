import { describe, expect, it } from "vitest";
import {
  makeRecentReads,
  type RecentReads,
  type Turn,
  wantedBy,
} from "../../../src/apply/reads/recentReads.js";
import type { Reread, RereadObjects } from "../../../src/apply/reads/reread.js";
import { entitlementAutomation } from "../../../src/kinds/entitlementAutomation.js";
import type { Kind } from "../../../src/kinds/kind.js";
import { resourceType } from "../../../src/kinds/resourceType.js";
import { templateScope } from "../../../src/kinds/templateScope.js";
import type { Step } from "../../../src/plan/step.js";
import { handClock } from "../../fakes/handClock.js";
import { type StepPart, withPart } from "../../plan/stepPart.js";

function stepOf(kind: Kind, name: string, more: StepPart): Step {
  const identity = { appId: "app" };
  const address = { kind: kind.name, name };
  const step = { address, key: null, managed: { identity, owned: [] }, before: null } as unknown as Step;
  return withPart(step, more);
}

const [one, two] = ["one", "two"].map((name) =>
  stepOf(resourceType, name, { action: "create", after: { displayName: name } }),
) as [Step, Step];

interface Looks {
  readonly clock: ReturnType<typeof handClock>;
  /** Which reads were made, and from where. */
  readonly asked: string[];
  readonly fresh: RecentReads;
  /** Lets the first open list answer. */
  readonly answer: () => void;
}

/** Reads that the test lets answer; those of one object answer at once. */
function setUp(kind: Kind, steps: readonly Step[], plannedAt: number | null = null): Looks {
  const clock = handClock();
  const asked: string[] = [];
  const answers: (() => void)[] = [];
  const reread = (where: Turn): Reread => ({
    many: (_, wanted) =>
      new Promise<RereadObjects>((resolve) => {
        asked.push(`list ${where}`);
        const objects = new Map(wanted.map(({ name }) => [name, { as: "absent" }] as const));
        answers.push(() => resolve(objects));
      }),
    async one() {
      asked.push(`one ${where}`);
      return { as: "absent" };
    },
  });
  const rereads = { withoutTurn: reread("withoutTurn"), inTurn: reread("inTurn") };
  const ofStep = () => rereads;
  const wantedOf = (step: Step) => wantedBy(step, kind);
  const sources = { steps, isRead: () => true, wantedOf, rereads, ofStep, clock, plannedAt };
  return { clock, asked, fresh: makeRecentReads(sources), answer: () => answers.shift()?.() };
}

describe("a list that steps share", () => {
  it("is read once, however long that takes, and counts for a while from then on", async () => {
    const { clock, asked, fresh, answer } = setUp(resourceType, [one, two]);
    const first = fresh.seen(one, "withoutTurn");
    clock.advance(40_000);
    const second = fresh.seen(two, "withoutTurn");
    answer();
    await Promise.all([first, second]);
    clock.advance(30_000);
    await fresh.seen(one, "inTurn");
    expect(asked).toEqual(["list withoutTurn"]);
    clock.advance(1);
    void fresh.seen(one, "withoutTurn");
    expect(asked).toEqual(["list withoutTurn", "list withoutTurn"]);
  });

  it("is read anew for a step that has its turn, while one without waits for room to read it", async () => {
    const { asked, fresh, answer } = setUp(resourceType, [one, two]);
    void fresh.seen(one, "withoutTurn");
    const inTurn = fresh.seen(two, "inTurn");
    const other = fresh.seen(one, "inTurn");
    expect(asked).toEqual(["list withoutTurn", "list inTurn"]);
    answer();
    answer();
    await Promise.all([inTurn, other]);
  });

  it("gives way to reads of single objects where it takes longer than its rows count", async () => {
    const update = { action: "update", after: {}, key: ["app", "id"] } as const;
    const step = stepOf(resourceType, "one", update);
    const { clock, asked, fresh, answer } = setUp(resourceType, [step]);
    const seen = fresh.seen(step, "withoutTurn");
    clock.advance(30_001);
    answer();
    await seen;
    clock.advance(30_001);
    await fresh.seen(step, "withoutTurn");
    expect(asked).toEqual(["list withoutTurn", "one withoutTurn", "one withoutTurn"]);
  });

  it("is not asked to show what has been written", async () => {
    const { asked, fresh, answer } = setUp(resourceType, [one, two]);
    fresh.ended(one);
    const seen = fresh.seen(two, "withoutTurn");
    answer();
    expect((await seen).seen).toEqual({ as: "absent" });
    await fresh.seen(two, "withoutTurn");
    expect(asked).toEqual(["list withoutTurn"]);
  });
});

/** How long before its write the plan's own read of an object counts, and whether another one waits for its turn. */
describe("what the plan read under the same lock", () => {
  const key = ["app", "entitlement"];
  const whole = ["displayName", "description", "cel"];
  const after = { displayName: "Team", description: "", cel: { expression: "true" } };
  const unnamed = { scope: { futureScope: {} }, entitlements: [] };

  it.each([
    ["a create whose id the service chooses", resourceType, { action: "create", after: {} }, 30_000],
    [
      "a write of owned fields",
      entitlementAutomation,
      { action: "update", key, managed: { owned: whole }, after },
      30_000,
    ],
    [
      "a masked write",
      resourceType,
      { action: "update", key, managed: { owned: ["displayName"] }, after },
      30_000,
    ],
    [
      "a write that sends back a field",
      entitlementAutomation,
      { action: "update", key, managed: { owned: ["cel"] }, after },
      2_000,
    ],
    [
      "a write that sends back content without a name",
      templateScope,
      { action: "set", key: ["t"], managed: { owned: ["scope", "entitlements"] }, after: unnamed },
      2_000,
    ],
    ["a delete", resourceType, { action: "delete", key, after: null }, 2_000],
  ] as const)("counts for %s, and for how long", async (_, kind, more, longest) => {
    const step = stepOf(kind, "one", more as StepPart);
    const { clock, asked, fresh } = setUp(kind, [step], 0);
    clock.advance(longest);
    expect(await fresh.seen(step, "withoutTurn")).toEqual({ seen: null, until: longest });
    expect(asked).toEqual([]);
    clock.advance(1);
    void fresh.seen(step, "withoutTurn");
    expect(asked).toHaveLength(longest === 2_000 ? 0 : 1);
    void fresh.seen(step, "inTurn");
    expect(asked.at(-1)).toMatch(/inTurn$/);
  });

  it("never counts for a create of an object whose key is known", async () => {
    const step = stepOf(entitlementAutomation, "one", {
      action: "create",
      key,
      managed: { owned: whole },
      after,
    });
    const { asked, fresh } = setUp(entitlementAutomation, [step], 0);
    expect((await fresh.seen(step, "withoutTurn")).until).toBe(Number.NEGATIVE_INFINITY);
    expect((await fresh.seen(step, "inTurn")).seen).toEqual({ as: "absent" });
    expect(asked).toEqual(["one inTurn"]);
  });
});
