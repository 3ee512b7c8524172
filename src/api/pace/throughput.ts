/** What flows through a service's limit, measured from its answers. */
export interface Flow {
  answered(now: number): void;
  refused(now: number): void;
  /** Nothing starts until then: what came before is measured apart. */
  paused(now: number, until: number): void;
  /** Answers per second between two refusals, the last of them now; null while they are too few. */
  between(now: number): number | null;
  /** Whether nothing was answered for a while. */
  isDry(now: number): boolean;
  /** Whether nothing was answered for a while after the last pause. */
  isDryAgain(now: number): boolean;
  /** Answers per second in the last second or so. */
  recent(now: number): number;
}

/** A smaller or shorter sample measures nothing. */
const ENOUGH = { answers: 12, milliseconds: 200 };
/** Few answers in this time are a measure, too. */
const LONG = 3_000;
/** So many refusals are remembered. */
const MEMORY = 64;
const DRY = 400;
const RECENT = 1_000;
/** A sample that is shorter measures what the service stored, not what flows. */
const SHORTEST = 100;

/** Makes a measure without answers. */
export function makeFlow(): Flow {
  let good = 0;
  let last = 0;
  let resumed = 0;
  /** The last refusals: when, and after how many answers. */
  let marks: { readonly at: number; readonly good: number }[] = [];
  let second = { since: 0, good: 0 };
  let before = second;

  return {
    isDry: (now) => now - last > DRY,
    isDryAgain: (now) => now - Math.max(last, resumed) > DRY,
    answered(now) {
      good += 1;
      last = now;
      if (now - second.since > RECENT) {
        before = second;
        second = { since: now, good: 0 };
      }
      second.good += 1;
    },
    refused(now) {
      marks.push({ at: now, good });
      if (marks.length > MEMORY) marks.shift();
    },
    paused(now, until) {
      resumed = until;
      marks = [];
      second = { since: now, good: 0 };
      before = second;
    },
    between(now) {
      for (const mark of marks.toReversed()) {
        const [answers, time] = [good - mark.good, now - mark.at];
        if (time >= LONG || (time >= ENOUGH.milliseconds && answers >= ENOUGH.answers))
          return (answers * 1000) / time;
      }
      return null;
    },
    recent(now) {
      const from = now - before.since > 3 * RECENT ? second : before;
      const answers = from === second ? second.good : before.good + second.good;
      return (answers * 1000) / Math.max(SHORTEST, now - from.since);
    },
  };
}
