/** Finds how many calls at once a service works on without letting them wait for each other. */
export interface Knee {
  /** An answer came after so long while so many calls as allowed were in flight. Gives the width from now on. */
  answered(now: number, started: number, kind: string): number;
  /** Something else slowed the calls down: what was measured does not count. Gives the width from now on. */
  reset(now: number): number;
}

/** A measure takes so long, and so many answers: for each place, and at least. */
const MEASURE = { milliseconds: 400, answers: 3, least: 100 };
/** The share of the width that a trial leaves: little is at stake in the first one. */
const NARROWER = { first: 0.9, next: 0.75 };
/** A narrower width is kept when it gives this share of the throughput; a wider one when it gives so much more. */
const KEEP = { narrower: 0.97, wider: 1.1 };
/** A trial with less than this share of the throughput ends after an answer for each place, and so many at least. */
const VAIN = { share: 0.94, least: 40 };
/** Calls wait for each other only where they take so much longer than the fastest of their kind. */
const GROWN = 1.2;
/** A measure counts when this program was late by at most this share of a call's time, or this many milliseconds. */
const LATE = { share: 0.1, milliseconds: 1 };
/** Milliseconds between trials; longer after each that changed nothing. */
const PATIENCE = { first: 3_000, longest: 24_000 };

type Means = Map<string, { sum: number; count: number }>;

/**
 * While more calls in flight give more throughput, latency stays the same. Beyond the knee latency grows with the
 * width instead: then a narrower width gives the same throughput. Latencies are compared kind by kind, because a list
 * takes longer than a write. `late` gives by how much this program delayed the answers since it was last asked, null
 * where that is not known.
 */
export function makeKnee(most: number, late: () => number | null): Knee {
  let width = most;
  /** The width and its latencies before the trial; null outside of a trial. */
  let before: { readonly width: number; readonly means: Means } | null = null;
  let means: Means = new Map();
  /** The least latency of each kind so far. */
  const least = new Map<string, number>();
  let count = 0;
  let since = 0;
  let nextTrial = PATIENCE.first;
  let patience = PATIENCE.first;
  let isWidening = false;

  function measure(now: number): void {
    means = new Map();
    count = 0;
    since = now;
  }

  function abandon(now: number): void {
    if (before !== null) width = before.width;
    before = null;
    measure(now);
  }

  function begin(now: number): void {
    const share = width === most ? NARROWER.first : NARROWER.next;
    const to = isWidening ? Math.ceil(width / share) : Math.min(width - 1, Math.floor(width * share));
    before = { width, means };
    width = Math.min(most, Math.max(1, to));
    measure(now);
  }

  /** The throughput of a trial beside that of the width before it. */
  function gain(trial: { readonly width: number; readonly means: Means }): number {
    return width / trial.width / slower(trial.means, means);
  }

  function judge(now: number, trial: { readonly width: number; readonly means: Means }): void {
    const isNarrower = width < trial.width;
    const isKept = gain(trial) >= (isNarrower ? KEEP.narrower : KEEP.wider);
    if (!isKept) width = trial.width;
    patience = isKept ? PATIENCE.first : Math.min(PATIENCE.longest, patience * 2);
    // What helped is done once more; what was vain is done the other way round.
    isWidening = isKept !== isNarrower;
    nextTrial = isKept ? now : now + patience;
    before = null;
    measure(now);
  }

  /** Whether the measure says something of the service. */
  function isSound(): boolean {
    const lateness = late();
    if (lateness === null) return false;
    const [sum, all] = [...means.values()].reduce(([s, n], mean) => [s + mean.sum, n + mean.count], [0, 0]);
    return lateness <= Math.max(LATE.milliseconds, (LATE.share * sum) / all);
  }

  function isVain(): boolean {
    if (before === null || width > before.width || count !== Math.max(width, VAIN.least)) return false;
    return gain(before) < VAIN.share;
  }

  /** How much longer calls take now than the fastest of their kind. */
  function grown(): number {
    let [was, is] = [0, 0];
    for (const [kind, mean] of means) {
      is += mean.sum;
      was += (least.get(kind) ?? 0) * mean.count;
    }
    return was === 0 ? 1 : is / was;
  }

  function finish(now: number): void {
    if (most === 1) measure(now);
    else if (!isSound()) abandon(now);
    else if (before !== null) judge(now, before);
    else if (now < nextTrial) measure(now);
    else {
      isWidening &&= width < most;
      if (isWidening || (width > 1 && grown() > GROWN)) begin(now);
      else {
        isWidening = true;
        measure(now);
      }
    }
  }

  return {
    answered(now, started, kind) {
      least.set(kind, Math.min(least.get(kind) ?? Number.POSITIVE_INFINITY, now - started));
      if (started < since) return width;
      const mean = means.get(kind) ?? { sum: 0, count: 0 };
      means.set(kind, { sum: mean.sum + now - started, count: mean.count + 1 });
      count += 1;
      const enough = Math.max(MEASURE.least, MEASURE.answers * width);
      const isOver = now - since >= MEASURE.milliseconds && count >= enough;
      if (isOver || isVain()) finish(now);
      return width;
    },
    reset(now) {
      abandon(now);
      return width;
    },
  };
}

/** How much longer the same kinds of calls take; 1 where none can be compared. */
function slower(before: Means, after: Means): number {
  let [was, is] = [0, 0];
  for (const [kind, { sum, count }] of after) {
    const earlier = before.get(kind);
    if (earlier === undefined) continue;
    is += sum;
    was += (earlier.sum / earlier.count) * count;
  }
  return was === 0 || is === 0 ? 1 : is / was;
}
