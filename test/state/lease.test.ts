import { describe, expect, it } from "vitest";
import { holdLease } from "../../src/state/lease.js";
import { failure } from "../contracts/store.js";
import { type HandClock, handClock } from "../fakes/handClock.js";

type Answer = "mine" | "another's" | "none";

/** A lease of 30 s with a beat every 5 s, on a store that gives that answer; its first may take time. */
function leased(answers: { now: Answer }, beat = 5_000, first: (clock: HandClock) => void = () => undefined) {
  const clock = handClock();
  let renewals = 0;
  const lease = holdLease({
    name: "the state",
    clock,
    length: 30_000,
    beat,
    async renew() {
      renewals += 1;
      if (renewals === 1) first(clock);
      if (answers.now === "none") throw new Error("no answer");
      return answers.now === "mine";
    },
  });
  return { clock, lease, renewals: () => renewals };
}

/** Lets so many milliseconds pass, a beat at a time, and lets what woke end. */
async function pass(clock: HandClock, milliseconds: number): Promise<void> {
  for (let passed = 0; passed < milliseconds; passed += 5_000) {
    clock.advance(5_000);
    for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  }
}

describe("a lease", () => {
  it("is renewed by a quiet holder", async () => {
    const { clock, lease, renewals } = leased({ now: "mine" });
    await pass(clock, 15_000);
    expect(renewals()).toBe(3);
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
    ["the wall's clock went on while the machine slept", (clock: HandClock) => clock.jump(20_000)],
    ["the process was stopped", (clock: HandClock) => clock.advance(20_000)],
  ])("is renewed before a request where %s", async (_, sleepOver) => {
    const answers: { now: Answer } = { now: "mine" };
    const { clock, lease, renewals } = leased(answers);
    sleepOver(clock);
    await lease.confirm();
    expect(renewals()).toBe(1);
    await lease.confirm();
    expect(renewals()).toBe(1);
    answers.now = "another's";
    sleepOver(clock);
    expect((await failure(lease.confirm())).diagnostic.code).toBe("state/lock-lost");
    expect(lease.lost.aborted).toBe(true);
    await lease.close();
  });

  it("is not confirmed by a store that does not answer, and is not lost until it answers", async () => {
    const answers: { now: Answer } = { now: "none" };
    const { clock, lease } = leased(answers);
    clock.jump(20_000);
    await expect(lease.confirm()).rejects.toThrow("no answer");
    await pass(clock, 60_000);
    expect(lease.lost.aborted).toBe(false);
    await expect(lease.confirm()).rejects.toThrow("no answer");
    answers.now = "another's";
    await pass(clock, 5_000);
    expect(lease.lost.aborted).toBe(true);
    await lease.close();
  });

  it("counts a renewal from before it was sent", async () => {
    const { clock, lease, renewals } = leased({ now: "mine" }, 60_000, (slow) => slow.jump(25_000));
    clock.jump(20_000);
    await lease.confirm();
    expect(renewals()).toBe(2);
    await lease.close();
  });
});
