import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { cases } from "../fakes/cases.js";
import { bundleCommand, type Command } from "../fakes/command.js";
import { campaign } from "./kill/campaign.js";
import { type Figures, killed } from "./kill/tally.js";

/**
 * So many runs are killed; `node scripts/soak.mjs` kills a thousand. Four trials go on side by side, so each world has its
 * first three kills: while a run plans, writes and recovers. The others come at any moment.
 */
const KILLS = cases(12, 16);

/**
 * Runs are killed at any moment, and plain repetition must end where an undisturbed run would. `node scripts/soak.mjs
 * --seed 4 --size 40` makes one of these trials again.
 */
describe("applies that are killed at any moment", () => {
  let command: Command;
  let figures: Figures;
  beforeAll(async () => {
    command = await bundleCommand();
    figures = await campaign({ command, kills: KILLS, from: 1, sizes: [40], slowSize: 12, width: 4 });
  });
  afterAll(() => command.close());

  it("come to what was wanted, with nothing made twice, forgotten or left behind", () => {
    expect(figures.violations).toEqual([]);
  });

  it("were killed in every part of a run", () => {
    expect(killed(figures)).toBeGreaterThanOrEqual(KILLS);
    const { writing, recovering, planning } = figures.kills;
    expect(Math.min(writing, recovering, planning)).toBeGreaterThan(0);
  });

  it("were recovered by the next run, by itself", () => {
    expect(figures.recoveries).toBeGreaterThan(0);
  });
});
