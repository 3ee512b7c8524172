import { describe, expect, it } from "vitest";
import { type Delivering, deliver } from "../../src/apply/deliver.js";
import { unread } from "../../src/apply/reads/reread.js";
import { entitlementAutomation as kind } from "../../src/kinds/entitlementAutomation.js";
import type { Call } from "../../src/model/call.js";
import { PROMPT } from "../../src/state/store.js";
import { ApiError, NO_REPLY } from "../../src/tenant/client/error.js";
import type { Seen } from "../../src/tenant/known.js";
import { type FakeClock, fakeClock } from "../fakes/clock.js";

const call: Call = { operation: "Test", method: "POST", path: ["create"], effect: "once" };
const ABSENT: Seen = { as: "absent" };
const PRESENT: Seen = { as: "present", key: ["app", "entitlement"], fields: {} };

/**
 * A create that the service, or the pace, makes wait before it leaves, and whose reply is lost; the service is at work
 * on it for twenty seconds.
 */
function lostCreate(waiting: number, before: Seen) {
  const clock: FakeClock = fakeClock();
  let sent = 0;
  let doneAt = Number.POSITIVE_INFINITY;
  const delivering: Delivering = {
    kind,
    applied: {},
    serverTime: clock.now,
    patience: { clock, milliseconds: 30_000, createLag: 30_000, horizon: PROMPT.horizon },
    pause: clock.sleep,
    untilLast: async () => undefined,
    isEnding: () => false,
    looking: () => undefined,
    leaving: async () => undefined,
    retried: undefined,
    async send(asked, options) {
      await clock.sleep(waiting);
      await options?.leaving?.();
      sent += 1;
      doneAt = Math.min(doneAt, clock.elapsed() + 20_000);
      throw new ApiError("no reply", {
        ...NO_REPLY,
        call: asked,
        progress: "no reply",
        next: "find out",
        attempts: 1,
      });
    },
    readBack: async () => (clock.elapsed() >= doneAt ? PRESENT : before),
  };
  return { delivering, sent: () => sent };
}

describe("a create whose reply is lost", () => {
  it.each([
    { what: "left at once", waiting: 0, before: ABSENT },
    { what: "left after a minute's wait", waiting: 60_000, before: ABSENT },
    { what: "cannot be read back for a while", waiting: 0, before: unread(kind, "the service is away") },
  ])("and that $what is sent once while the service may be at work on it", async ({ waiting, before }) => {
    const { delivering, sent } = lostCreate(waiting, before);
    const delivery = await deliver(call, delivering);
    expect([delivery.as, sent()]).toEqual(["settled", 1]);
    expect(delivery).toMatchObject({ settled: { as: "there" } });
  });
});
