import type { Clock } from "../../model/clock.js";

/** When something that was put off is done: after a time, before a later request, or only at the end. */
interface When {
  readonly milliseconds?: number;
  /** Before that request of those that follow: 1 is the next. */
  readonly requests?: number;
}

/** What the service accepted and has not carried out yet. */
export interface Postponed {
  add(when: When, carryOut: () => void): void;
  /** Carries out, in order, what is due before the request that comes now. */
  beforeRequest(): void;
  /** Carries out what is due by time alone. */
  byTime(): void;
  /** Carries out everything that is left. */
  finish(): void;
  /** Forgets everything that is left. */
  clear(): void;
}

interface Task {
  readonly at: number;
  readonly carryOut: () => void;
  requests: number;
}

/** Nothing put off yet. Nothing is carried out by itself: only when it is asked for, so that runs repeat. */
export function makePostponed(clock: Clock): Postponed {
  let tasks: readonly Task[] = [];

  function carryOut(isDue: (task: Task) => boolean): void {
    const due = tasks.filter(isDue);
    tasks = tasks.filter((task) => !due.includes(task));
    for (const task of due) task.carryOut();
  }

  return {
    add({ milliseconds = Number.POSITIVE_INFINITY, requests = Number.POSITIVE_INFINITY }, carryOut) {
      tasks = [...tasks, { at: clock.elapsed() + milliseconds, requests, carryOut }];
    },
    beforeRequest() {
      if (tasks.length === 0) return;
      for (const task of tasks) task.requests -= 1;
      carryOut((task) => task.requests <= 0 || task.at <= clock.elapsed());
    },
    byTime: () => carryOut((task) => task.at <= clock.elapsed()),
    finish: () => carryOut(() => true),
    clear() {
      tasks = [];
    },
  };
}
