import type { Plan } from "../../plan/plan.js";
import { effectOf } from "../../plan/saved/effect.js";
import type { World } from "../world/world.js";
import { printDiagnostics } from "./diagnostics.js";
import { printablePlan } from "./printablePlan.js";
import { type OutputFlags, show } from "./show.js";

/** Prints a plan in two parts: its steps as soon as they are known, and what they mean for people when it is counted. */
interface EarlyPlan {
  /** Hears a plan whose people are not counted yet. */
  readonly planned: (plan: Plan) => Promise<void>;
  /** What is left to print. */
  readonly part: () => "whole" | "rest";
}

/** A reader at a terminal does not wait for the count; every other output is printed whole. */
export function earlyPlan(
  world: World,
  flags: OutputFlags,
  { isDecided, end }: { readonly isDecided: boolean; readonly end: () => void },
): EarlyPlan {
  const isEarly = flags.format === "text" && world.stdout.isTerminal;
  let isPrinted = false;
  return {
    async planned(plan) {
      if (!isEarly) return;
      end();
      isPrinted = true;
      const printable = printablePlan(plan, effectOf(plan), "nowhere", { isDecided });
      printDiagnostics(world, world.stderr, await show(world, flags, printable, "output", "steps"));
    },
    part: () => (isPrinted ? "rest" : "whole"),
  };
}
