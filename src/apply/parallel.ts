import type { Job } from "./job.js";
import type { Service } from "./service.js";

/** One piece of work that runs beside others. */
export type StepWork = () => Promise<void>;

/** Works on as many things at once as the pace allows, and keeps as many again ready. */
interface Parallel {
  /** How many are under way at the most, as of now. */
  readonly size: () => number;
  /** Waits, while another takes the turn of the one that waits. */
  readonly pause: (milliseconds: number) => Promise<void>;
  /** Waits until nothing is under way but what waits so, too. */
  readonly untilLast: () => Promise<void>;
  /** Waits until that is so, while others take the turn, or until nothing is left that could make it so. */
  readonly until: (isSo: () => boolean) => Promise<void>;
  /** Begins the next one whenever there is room; resolves when there is none and all have ended. */
  readonly workThrough: (next: () => StepWork | undefined) => Promise<void>;
}

/** So many let others go on while they wait; where more wait, the service is away. */
const MOST_PAUSING = 32;

/** A piece of work that waits for what others do. */
interface Standing {
  readonly isSo: () => boolean;
  readonly goOn: () => void;
}

/** Makes the parallel work of an apply, with nothing under way. */
export function makeParallel({
  service,
  clock,
  rhythm,
}: Pick<Job, "clock" | "rhythm"> & { readonly service: Pick<Service, "pace"> }): Parallel {
  const { pace } = service;
  let underWay = 0;
  let pausing = 0;
  let last: (() => void)[] = [];
  let refill = (): void => undefined;
  const standing = new Set<Standing>();
  const size = () => Math.max(rhythm.ahead, 2 * Math.max(1, pace.report().width)) + pausing + standing.size;

  /** Lets those go on that have what they wait for; all of them where nothing else is under way. */
  function goOn(): void {
    const isOver = underWay === standing.size;
    for (const one of standing) {
      if (!isOver && !one.isSo()) continue;
      standing.delete(one);
      one.goOn();
    }
  }

  async function lendTurn(wait: () => Promise<void>): Promise<void> {
    pausing += 1;
    await pace.lend(wait).finally(() => {
      pausing -= 1;
    });
  }

  return {
    size,
    async pause(milliseconds) {
      if (pausing >= MOST_PAUSING) return clock.sleep(milliseconds);
      await lendTurn(() => {
        refill();
        return clock.sleep(milliseconds);
      });
    },
    async untilLast() {
      if (pausing >= MOST_PAUSING) return;
      await lendTurn(
        () =>
          new Promise((resolve) => {
            last.push(resolve);
            refill();
          }),
      );
    },
    until: (isSo) =>
      pace.lend(
        () =>
          new Promise<void>((resolve) => {
            standing.add({ isSo, goOn: resolve });
            refill();
          }),
      ),
    workThrough: (next) =>
      new Promise((resolve, reject) => {
        refill = () => {
          while (underWay < size()) {
            const piece = next();
            if (piece === undefined) break;
            underWay += 1;
            piece().then(ended, reject);
          }
          if (underWay === 0) resolve();
          goOn();
          if (underWay - standing.size > last.length) return;
          for (const end of last) end();
          last = [];
        };
        function ended(): void {
          underWay -= 1;
          refill();
        }
        refill();
      }),
  };
}
