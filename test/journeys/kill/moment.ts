import { watch } from "node:fs";
import { join } from "node:path";
import type { Random } from "../../../src/model/clock.js";
import type { Running } from "../../fakes/command.js";

/**
 * When a run is killed, by what it did: after some replies, while some writes have no reply yet, or after some files
 * have come and gone.
 */
export interface Moment {
  readonly after: "replies" | "writes" | "arrivals" | "files";
  readonly count: number;
}

/** The first runs of a trial are killed while they plan, while they write, and while they recover what was written. */
export const FIRST: readonly Moment[] = [
  { after: "replies", count: 1 },
  { after: "arrivals", count: 2 },
  { after: "replies", count: 1 },
];

/** Draws a moment; most are in the midst of writing, and few enough writes in that there is more to be killed. */
export function drawMoment(random: Random, size: number): Moment {
  const kind = random();
  const upTo = (most: number) => 1 + Math.floor(random() * most);
  if (kind < 0.25) return { after: "replies", count: upTo(size / 2) };
  if (kind < 0.5) return { after: "writes", count: upTo(size / 10) };
  if (kind < 0.75) return { after: "arrivals", count: upTo(size / 10) };
  return { after: "files", count: 3 + upTo(12) };
}

/** What can be heard of the service. */
export interface Service {
  /** Called for each sent reply: whether the tenant was written to. */
  replied: (written: boolean) => void;
  /** How many writes have come in so far. */
  readonly arrivals: () => number;
}

/** Kills a run at a moment, as the machine's end would; a run that ends before is left alone. */
export function killAt(moment: Moment, running: Running, cwd: string, service: Service): void {
  const disarm = arm(moment, () => running.process.kill("SIGKILL"), cwd, service);
  void running.ended.then(disarm);
}

function arm({ after, count }: Moment, kill: () => void, cwd: string, service: Service): () => void {
  let left = count;
  const countDown = () => {
    left -= 1;
    if (left === 0) kill();
  };
  switch (after) {
    case "replies":
    case "writes":
      service.replied = (written) => {
        if (after === "replies" || written) countDown();
      };
      return () => {
        service.replied = () => undefined;
      };
    case "arrivals": {
      const end = service.arrivals() + count;
      const timer = setInterval(() => {
        if (service.arrivals() >= end) kill();
      }, 1);
      return () => clearInterval(timer);
    }
    case "files": {
      // Coming, going and being renamed are one sort of event; being written to is another.
      const watcher = watch(join(cwd, ".remit"), (event) => {
        if (event === "rename") countDown();
      });
      return () => watcher.close();
    }
    default:
      return after satisfies never;
  }
}
