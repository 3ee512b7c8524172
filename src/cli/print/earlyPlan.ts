import type { Planned } from "../../plan/plan.js";
import { effectOf } from "../../plan/saved/effect.js";
import type { World } from "../world/world.js";
import { printablePlan } from "./printablePlan.js";
import { type OutputFlags, show } from "./show.js";

/** Prints a plan in two parts where the people take long: its steps first, and what they mean for people when it is counted. */
interface EarlyPlan {
  /** Hears of a plan whose people are not counted yet. */
  readonly planned: (plan: () => Planned) => void;
  /** What is left to print. From then on, nothing is printed early. */
  readonly part: () => Promise<"whole" | "rest">;
}

/** So long a reader waits for a whole plan, in milliseconds. */
const PATIENCE = 1_500;

/** A reader at a terminal does not wait long for the count; every other output is printed whole. `clear` makes room for text. */
export function earlyPlan(
  world: World,
  flags: OutputFlags,
  { isDecided, clear }: { readonly isDecided: boolean; readonly clear: () => void },
): EarlyPlan {
  const isEarly = flags.format === "text" && world.stdout.isTerminal;
  const counted = new AbortController();
  let printing: Promise<boolean> = Promise.resolve(false);
  // The line of the progress is drawn until the plan's text is ready, so it goes with the same turn that writes the text.
  const write = (text: string) => {
    clear();
    world.stdout.write(text);
  };
  const print = async (made: () => Planned) => {
    const isLong = await world.clock.sleep(PATIENCE, counted.signal).then(
      () => true,
      () => false,
    );
    if (!isLong) return false;
    const plan = made();
    const printable = printablePlan(plan, effectOf(plan), "nowhere", { isDecided });
    await show({ ...world, stdout: { ...world.stdout, write } }, flags, printable, "output", "steps");
    return true;
  };
  return {
    planned(plan) {
      if (isEarly) printing = print(plan);
    },
    async part() {
      counted.abort();
      return (await printing) ? "rest" : "whole";
    },
  };
}
