import { type Address, formatAddress } from "../model/address.js";
import { groupAt } from "../model/groupBy.js";
import { awaitedBy } from "../plan/pendingStep.js";
import type { Step } from "../plan/step.js";
import type { Outcome } from "./event.js";

/** A step that cannot be begun any more, and the one it needed. */
interface Skipped {
  readonly step: Step;
  readonly need: Address;
}

/** The steps that have not started, each given out once what it needs is done and what it follows has ended. */
export interface Queue {
  /** All of them, in the plan's order. */
  readonly steps: readonly Step[];
  /** The next step that can be begun now. */
  readonly next: () => Step | undefined;
  /** How many were given out. */
  readonly taken: () => number;
  /** Lets what waits for the object of the step come up: it exists, while the step goes on. */
  readonly made: (step: Step) => void;
  /** How a step ended; undefined while it has not. One that is not among them counts as done. */
  readonly outcome: (address: Address) => Outcome | undefined;
  /** Lets what waits for the step come up; gives those that never will, because they need it and it was not done. */
  readonly ended: (step: Step, outcome: Outcome) => readonly Skipped[];
  /** Takes out everything that has not started. */
  readonly drain: () => readonly Step[];
}

interface Item {
  readonly step: Step;
  /** How many of those before it have not ended. */
  open: number;
}

/** Puts steps in a queue; a needed step that is not among them counts as done. */
export function makeQueue(steps: readonly Step[]): Queue {
  const items = new Map<string, Item>(steps.map((step) => [formatAddress(step.address), { step, open: 0 }]));
  const waiting = new Map<string, Item[]>();
  for (const item of items.values()) {
    const { needs, follows } = item.step;
    const awaited = new Set(awaitedBy(item.step).map(formatAddress));
    for (const first of new Set([...needs, ...follows].map(formatAddress))) {
      if (!items.has(first) || awaited.has(first)) continue;
      item.open += 1;
      groupAt(waiting, first).push(item);
    }
  }
  const outcomes = new Map<string, Outcome | undefined>([...items.keys()].map((name) => [name, undefined]));
  const ready = [...items.values()].filter(({ open }) => open === 0);
  let taken = 0;

  const waitingFor = ({ address }: Step) => waiting.get(formatAddress(address)) ?? [];

  function skip(need: Step): readonly Skipped[] {
    const name = formatAddress(need.address);
    return waitingFor(need).flatMap(({ step }) => {
      const isNeeding = step.needs.some((one) => formatAddress(one) === name);
      if (!isNeeding || !items.delete(formatAddress(step.address))) return [];
      return [{ step, need: need.address }, ...skip(step)];
    });
  }

  function release(waited: readonly Item[]): void {
    for (const item of waited) {
      item.open -= 1;
      if (item.open === 0 && items.has(formatAddress(item.step.address))) ready.push(item);
    }
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
    made(step) {
      const met = waitingFor(step);
      waiting.delete(formatAddress(step.address));
      release(met);
    },
    outcome(address) {
      const name = formatAddress(address);
      return outcomes.has(name) ? outcomes.get(name) : "done";
    },
    ended(step, outcome) {
      const skipped = outcome === "done" ? [] : skip(step);
      outcomes.set(formatAddress(step.address), outcome);
      for (const { step: other } of skipped) outcomes.set(formatAddress(other.address), "skipped");
      for (const one of [step, ...skipped.map(({ step: other }) => other)]) release(waitingFor(one));
      return skipped;
    },
    drain() {
      const left = [...items.values()].map(({ step }) => step);
      items.clear();
      taken = ready.length;
      return left;
    },
  };
}
