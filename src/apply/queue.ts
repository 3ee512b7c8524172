import { type Address, formatAddress } from "../model/address.js";
import type { Step } from "../plan/step.js";
import type { Outcome } from "./event.js";

/** A step that cannot be begun any more, and the one it needed. */
export interface Skipped {
  readonly step: Step;
  readonly need: Address;
}

/** The steps that are still to be begun, each given out once what it needs is done. */
export interface Queue {
  /** All of them, in the plan's order. */
  readonly steps: readonly Step[];
  /** The next step that can be begun now. */
  readonly next: () => Step | undefined;
  /** How many were given out. */
  readonly taken: () => number;
  /** Lets what needs the step come up; gives those that never will, because it was not done. */
  readonly ended: (step: Step, outcome: Outcome) => readonly Skipped[];
  /** Takes out everything that was not begun. */
  readonly drain: () => readonly Step[];
}

interface Item {
  readonly step: Step;
  /** How many of its needs are not done. */
  open: number;
}

/** Puts steps in a queue; a need that is not among them is taken for done. */
export function makeQueue(steps: readonly Step[]): Queue {
  const items = new Map<string, Item>(steps.map((step) => [formatAddress(step.address), { step, open: 0 }]));
  const needing = new Map<string, Item[]>();
  for (const item of items.values()) {
    for (const need of new Set(item.step.needs.map(formatAddress))) {
      if (!items.has(need)) continue;
      item.open += 1;
      needing.set(need, [...(needing.get(need) ?? []), item]);
    }
  }
  const ready = [...items.values()].filter(({ open }) => open === 0);
  let taken = 0;

  function skip(need: Step): readonly Skipped[] {
    return (needing.get(formatAddress(need.address)) ?? []).flatMap(({ step }) => {
      if (!items.delete(formatAddress(step.address))) return [];
      return [{ step, need: need.address }, ...skip(step)];
    });
  }

  return {
    steps,
    next() {
      const item = ready[taken];
      if (item === undefined) return undefined;
      taken += 1;
      items.delete(formatAddress(item.step.address));
      return item.step;
    },
    taken: () => taken,
    ended(step, outcome) {
      if (outcome !== "done") return skip(step);
      for (const item of needing.get(formatAddress(step.address)) ?? []) {
        item.open -= 1;
        if (item.open === 0) ready.push(item);
      }
      return [];
    },
    drain() {
      const left = [...items.values()].map(({ step }) => step);
      items.clear();
      taken = ready.length;
      return left;
    },
  };
}
