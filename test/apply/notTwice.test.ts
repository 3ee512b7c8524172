import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Delivering, deliver } from "../../src/apply/deliver.js";
import { kinds } from "../../src/kinds/index.js";
import type { Kind } from "../../src/kinds/kind.js";
import type { Call } from "../../src/model/call.js";
import { PROMPT } from "../../src/state/store.js";
import { ApiError, type Failure, NO_REPLY } from "../../src/tenant/client/error.js";
import type { Seen } from "../../src/tenant/known.js";
import { cases } from "../fakes/cases.js";
import { fakeClock } from "../fakes/clock.js";

const call: Call = { operation: "Test", method: "POST", path: ["create"], effect: "once" };
const UNANSWERED = { ...NO_REPLY, call, attempts: 1, next: "find out" } as const;

/** Every answer after which a create may have been done, whether it was or not. */
const ANSWERS: Readonly<Record<string, Failure>> = {
  "no reply": { ...UNANSWERED, progress: "no reply" },
  "500": { ...UNANSWERED, status: 500, own: true, progress: "replied" },
  "409 exists": { ...UNANSWERED, status: 409, own: true, progress: "replied", next: "stop" },
  "200 that cannot be read": { ...UNANSWERED, status: 200, progress: "replied", fault: "malformed" },
};

const listed = kinds.filter(({ namesRepeat, reads }) => namesRepeat === true && reads.list !== undefined);

/** Milliseconds that are waited for a reply, and for a list; and how long the rest of the run takes. */
interface Waits {
  readonly timeout: number;
  readonly createLag: number;
  readonly rest: number;
}

/** A create that the service answers so, and whose list shows it `lag` milliseconds after it was done. */
async function create(
  kind: Kind,
  answer: Failure,
  isDone: boolean,
  lag: number,
  { timeout, createLag, rest }: Waits,
) {
  const clock = fakeClock();
  const sentAt: number[] = [];
  const seen: Seen = { as: "present", key: ["app", "made"], fields: {} };
  const delivering: Delivering = {
    kind,
    applied: {},
    serverTime: clock.now,
    patience: { clock, milliseconds: timeout, createLag, horizon: PROMPT.horizon },
    pause: clock.sleep,
    untilLast: () => clock.sleep(rest),
    isEnding: () => false,
    looking: () => undefined,
    leaving: async () => undefined,
    retried: undefined,
    async send(_asked, options) {
      await options?.leaving?.();
      sentAt.push(clock.elapsed());
      throw new ApiError("an answer that leaves it open", answer);
    },
    readBack: async () => (isDone && clock.elapsed() >= (sentAt[0] ?? 0) + lag ? seen : { as: "absent" }),
  };
  return { delivery: await deliver(call, delivering), sent: sentAt.length };
}

describe("a create whose names may repeat, after an answer that leaves it open", () => {
  it("is never sent twice, is found if its list shows it in time or at the end of the run, and counts as missing otherwise", async () => {
    expect(listed.map(({ name }) => name)).not.toEqual([]);
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...listed),
        fc.constantFrom(...Object.keys(ANSWERS)),
        fc.boolean(),
        fc.integer({ min: 0, max: 90_000 }),
        fc.record({
          timeout: fc.integer({ min: 1_000, max: 60_000 }),
          createLag: fc.integer({ min: 1_000, max: 60_000 }),
          rest: fc.integer({ min: 0, max: 60_000 }),
        }),
        async (kind, answer, isDone, lag, waits) => {
          const { delivery, sent } = await create(kind, ANSWERS[answer] as Failure, isDone, lag, waits);
          expect(sent).toBe(1);
          const as = isDone && lag <= waits.createLag + waits.rest ? "there" : "missing";
          expect(delivery).toMatchObject({ as: "settled", settled: { as } });
        },
      ),
      { numRuns: cases(80, 200) },
    );
  });
});
