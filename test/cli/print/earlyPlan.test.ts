import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, expect, it } from "vitest";
import { earlyPlan } from "../../../src/cli/print/earlyPlan.js";
import { showReading } from "../../../src/cli/print/reading.js";
import type { OutputFlags } from "../../../src/cli/print/show.js";
import { processWorld } from "../../../src/cli/world/process.js";
import { handClock } from "../../fakes/handClock.js";
import { automation, plan } from "../../report/plans.js";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "remit-early-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const flags: OutputFlags = { format: "text", quiet: false, verbose: false };

/** What stands on a terminal after a plan is counted in so many steps, and what is left to print. Its reads are shown all the time. */
async function screen(counting: number) {
  let text = "";
  const write = (more: string) => {
    text += more;
  };
  const output = { isTerminal: true, columns: 80, rows: 24, write };
  const clock = handClock();
  const world = {
    ...processWorld(),
    stdout: output,
    stderr: output,
    clock,
    env: { NO_COLOR: "1", XDG_STATE_HOME: folder },
  };
  const reading = showReading(world, flags, null);
  const early = earlyPlan(world, flags, { isDecided: true, clear: reading.clear });
  let made = 0;
  early.planned(() => {
    made += 1;
    return plan([automation()]);
  });
  for (let step = 0; step < counting; step += 1) {
    clock.advance(100);
    for (let turn = 0; turn < 20; turn += 1) {
      reading.progress(step, counting);
      await new Promise(setImmediate);
      clock.advance(5);
    }
  }
  const part = await early.part();
  reading.end();
  const seen = text.split("\n").map((line) => line.split("\r\u001b[K").at(-1));
  return { part, seen, made };
}

it("makes no plan early that is counted soon, and waits with the whole of it", async () => {
  expect(await screen(3)).toEqual({ part: "whole", seen: [""], made: 0 });
});

it("leaves nothing of the reading beside an early plan, however long the count takes", async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 8, max: 30 }), async (counting) => {
      const { part, seen, made } = await screen(counting);
      expect([part, made]).toEqual(["rest", 1]);
      expect(seen.filter((line) => line?.includes("Plan"))).toHaveLength(1);
      // The verdict waits for the people, who may change it.
      expect(seen.join("\n")).toMatch(/^Plan for/);
      expect(seen.join("\n")).not.toContain("Reading");
    }),
    { numRuns: 5 },
  );
});
