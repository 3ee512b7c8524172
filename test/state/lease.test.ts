import { describe, expect, it } from "vitest";
import { holdLease } from "../../src/state/lease.js";
import { failure, passing } from "../contracts/store.js";
import { handClock, until } from "../fakes/handClock.js";

type Answer = "mine" | "another's" | "none";

/** A lease of 30 s with a beat every 5 s, on a store that gives that answer. */
function leased(answers: { now: Answer }) {
  const clock = handClock();
  let renewals = 0;
  const lease = holdLease({
    name: "the state",
    clock,
    length: 30_000,
    beat: 5_000,
    async renew() {
      renewals += 1;
      if (answers.now === "none") throw new Error("no answer");
      return answers.now === "mine";
    },
  });
  return { clock, lease, renewals: () => renewals };
}

describe("a lease", () => {
  it("is renewed by a quiet holder", async () => {
    const { clock, lease, renewals } = leased({ now: "mine" });
    await passing(
      clock,
      until(() => renewals() >= 3),
    );
    expect(clock.elapsed()).toBeLessThanOrEqual(16_000);
    await lease.close();
  });

  it("needs no renewal before a request while less than two thirds of it passed", async () => {
    const { clock, lease, renewals } = leased({ now: "another's" });
    clock.jump(19_999);
    await lease.confirm();
    expect(renewals()).toBe(0);
    await lease.close();
  });

  it.each([
    [
      "the wall's clock went on while the machine slept",
      (clock: ReturnType<typeof handClock>) => clock.jump(20_000),
    ],
    ["the process was stopped", (clock: ReturnType<typeof handClock>) => clock.advance(20_000)],
  ])("is renewed before a request where %s", async (_, pass) => {
    const answers: { now: Answer } = { now: "mine" };
    const { clock, lease, renewals } = leased(answers);
    pass(clock);
    await lease.confirm();
    expect(renewals()).toBe(1);
    await lease.confirm();
    expect(renewals()).toBe(1);
    answers.now = "another's";
    pass(clock);
    expect((await failure(lease.confirm())).diagnostic.code).toBe("state/lock-lost");
    expect(lease.lost.aborted).toBe(true);
    await lease.close();
  });

  it("is not confirmed by a store that does not answer, and is lost after a whole lease of that", async () => {
    const answers: { now: Answer } = { now: "none" };
    const { clock, lease } = leased(answers);
    clock.jump(20_000);
    await expect(lease.confirm()).rejects.toThrow("no answer");
    expect(lease.lost.aborted).toBe(false);
    await passing(
      clock,
      until(() => lease.lost.aborted),
    );
    expect(clock.elapsed()).toBeGreaterThan(10_000);
    await lease.close();
  });

  it("counts a renewal from before it was sent", async () => {
    const clock = handClock();
    let renewals = 0;
    const lease = holdLease({
      name: "the state",
      clock,
      length: 30_000,
      beat: 60_000,
      async renew() {
        renewals += 1;
        if (renewals === 1) clock.jump(25_000);
        return true;
      },
    });
    clock.jump(20_000);
    await lease.confirm();
    expect(renewals).toBe(2);
    await lease.close();
  });
});
