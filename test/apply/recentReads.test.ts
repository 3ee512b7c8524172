import { describe, expect, it } from "vitest";
import { makeRecentReads, type Turn } from "../../src/apply/recentReads.js";
import type { Reread, RereadObjects } from "../../src/apply/reread.js";
import { resourceType as kind } from "../../src/kinds/resourceType.js";
import type { Step } from "../../src/plan/step.js";
import { handClock } from "../fakes/handClock.js";

const wanted = ["one", "two"].map((name) => ({
  address: { kind: kind.name, name },
  key: null,
  identity: { appId: "app" },
  after: { displayName: name },
})) as unknown as readonly Step[];
const [one, two] = wanted as [Step, Step];

/** A list that is read when the test lets it, and how often it was asked for from where. */
function setUp() {
  const clock = handClock();
  const asked: Turn[] = [];
  const answers: (() => void)[] = [];
  const reread = (where: Turn): Reread => ({
    many: () =>
      new Promise<RereadObjects>((resolve) => {
        asked.push(where);
        answers.push(() => resolve(new Map()));
      }),
    one: () => Promise.reject(new Error("there is a list")),
  });
  const rereads = { withoutTurn: reread("withoutTurn"), inTurn: reread("inTurn") };
  const fresh = makeRecentReads(
    wanted,
    () => true,
    () => kind,
    rereads,
    clock,
  );
  return { clock, asked, fresh, answer: () => answers.shift()?.() };
}

describe("a list that steps share", () => {
  it("is read once, however long that takes, and believed for a while from then on", async () => {
    const { clock, asked, fresh, answer } = setUp();
    const first = fresh.seen(one, "withoutTurn");
    clock.advance(40_000);
    const second = fresh.seen(two, "withoutTurn");
    answer();
    await Promise.all([first, second]);
    clock.advance(30_000);
    await fresh.seen(one, "inTurn");
    expect(asked).toEqual(["withoutTurn"]);
    clock.advance(1);
    void fresh.seen(one, "withoutTurn");
    expect(asked).toEqual(["withoutTurn", "withoutTurn"]);
  });

  it("is read anew for a step that has its turn, while one without waits for room to read it", async () => {
    const { asked, fresh, answer } = setUp();
    void fresh.seen(one, "withoutTurn");
    const inTurn = fresh.seen(two, "inTurn");
    const other = fresh.seen(one, "inTurn");
    expect(asked).toEqual(["withoutTurn", "inTurn"]);
    answer();
    answer();
    await Promise.all([inTurn, other]);
  });
});
