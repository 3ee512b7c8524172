import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { makeParallel, type StepWork } from "../../src/apply/parallel.js";
import { PROMPT } from "../../src/state/store.js";
import { makePace } from "../../src/tenant/client/pace/pace.js";
import { virtualClock } from "../fakes/clock.js";

/** Works through pieces: those with a duration work so long, the others wait until these have ended. */
async function workThrough(pieces: readonly (number | "waits")[], width: number): Promise<readonly string[]> {
  const clock = virtualClock();
  const pace = makePace({ width, clock });
  const parallel = makeParallel({ service: { pace }, clock, rhythm: PROMPT });
  const ended: string[] = [];
  const work = pieces.map((piece): StepWork => {
    return () =>
      pace.limit(async () => {
        await (piece === "waits" ? parallel.untilLast() : clock.sleep(piece));
        ended.push(piece === "waits" ? "waited" : "worked");
      });
  });
  await clock.run(parallel.workThrough(() => work.shift()));
  return ended;
}

/** As many may give their turn away. */
const MOST = 32;

describe("a step that waits for the end of the run", () => {
  it("goes on once all others have ended, and keeps none of them from its turn", async () => {
    const piece = fc.oneof(fc.constant("waits" as const), fc.integer({ min: 1, max: 100_000 }));
    await fc.assert(
      fc.asyncProperty(
        fc.array(piece, { maxLength: MOST }),
        fc.integer({ min: 1, max: 5 }),
        async (pieces, width) => {
          const ended = await workThrough(pieces, width);
          const waiting = pieces.filter((one) => one === "waits").length;
          const worked = pieces.length - waiting;
          expect(ended).toEqual([...Array(worked).fill("worked"), ...Array(waiting).fill("waited")]);
        },
      ),
    );
  });

  it("waits for nothing where too many wait", async () => {
    const ended = await workThrough([...Array(100).fill("waits"), 1_000], 2);
    expect(ended.length).toBe(101);
  });
});
