import type { Interface } from "../../../src/kinds/interface.js";
import type { Command } from "../../fakes/command.js";
import { add, type Figures, NONE } from "./tally.js";
import { type Pace, trial } from "./trial.js";

/** How many runs the campaign kills, and how. */
export interface CampaignOptions {
  readonly command: Command;
  readonly kills: number;
  /** The seed of the first trial; each next has the next. */
  readonly from: number;
  /** How many resources there are, trial by trial. */
  readonly sizes: readonly number[];
  /** How many there are where the service is slow. */
  readonly slowSize: number;
  /** How many governed apps each has; none when absent. */
  readonly apps?: number;
  /** How many trials go on side by side. */
  readonly width: number;
  /** Called with the sum after each trial. */
  readonly heard?: (figures: Figures) => void;
}

/** Makes trials, every fourth of them on `core` and every third of a slow service, until enough runs were killed. */
export async function campaign(options: CampaignOptions): Promise<Figures> {
  const { command, kills, from, sizes, slowSize, width, heard, apps = 0 } = options;
  let sum = NONE;
  let next = from;
  let left = kills;
  const mayKill = () => left > 0;
  async function work(): Promise<void> {
    while (mayKill()) {
      const seed = next;
      next += 1;
      const pace = paceOf(seed);
      const size = pace === "slow" ? slowSize : (sizes[seed % sizes.length] ?? 60);
      const killed = () => {
        left -= 1;
      };
      const drawn = { seed, size, pace, apps, interface: interfaceOf(seed) };
      const figures = await trial({ command, ...drawn, mayKill, killed });
      sum = add(sum, figures);
      heard?.(sum);
    }
  }
  await Promise.all(Array.from({ length: width }, work));
  return sum;
}

/** How fast the service of a seed's trial is. */
export function paceOf(seed: number): Pace {
  return seed % 3 === 2 ? "slow" : "swift";
}

/** What the trial of a seed speaks. */
export function interfaceOf(seed: number): Interface {
  return seed % 4 === 3 ? "core" : "full";
}
