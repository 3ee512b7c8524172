/** Finds how many calls at once a service works on without letting them wait for each other. */
export interface Knee {
  /** An answer came after so long while so many calls as allowed were in flight. Gives the width from now on. */
  answered(now: number, started: number, kind: string): number;
  /** Something else slowed the calls down: what was measured does not count. Gives the width from now on. */
  reset(now: number): number;
}

/** A measure takes so long, and so many answers for each place. */
const MEASURE = { milliseconds: 400, answers: 3 };
/** The share of the width that a trial leaves. */
const NARROWER = 0.75;
/** A narrower width is kept when it gives this share of the throughput; a wider one when it gives so much more. */
const KEEP = { narrower: 0.97, wider: 1.1 };
/** Milliseconds between trials; longer after each that changed nothing. */
const PATIENCE = { first: 3_000, longest: 24_000 };

type Means = Map<string, { sum: number; count: number }>;

/**
 * While more calls in flight give more throughput, latency stays the same. Beyond the knee latency grows with the
 * width instead: then a narrower width gives the same throughput. Latencies are compared kind by kind, because a list
 * takes longer than a write.
 */
export function makeKnee(most: number): Knee {
  let width = most;
  /** The width and its latencies before the trial; null outside of a trial. */
  let before: { readonly width: number; readonly means: Means } | null = null;
  let means: Means = new Map();
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

  function begin(now: number): void {
    const to = isWidening && width < most ? Math.ceil(width / NARROWER) : Math.floor(width * NARROWER);
    isWidening = !isWidening;
    before = { width, means };
    width = Math.min(most, Math.max(1, to));
    measure(now);
  }

  function judge(now: number, trial: { readonly width: number; readonly means: Means }): void {
    const gain = width / trial.width / slower(trial.means, means);
    const isKept = gain >= (width < trial.width ? KEEP.narrower : KEEP.wider);
    if (!isKept) width = trial.width;
    patience = isKept ? PATIENCE.first : Math.min(PATIENCE.longest, patience * 2);
    isWidening = isKept ? width > trial.width : isWidening;
    nextTrial = isKept ? now : now + patience;
    before = null;
    measure(now);
  }

  return {
    answered(now, started, kind) {
      if (started < since) return width;
      const mean = means.get(kind) ?? { sum: 0, count: 0 };
      means.set(kind, { sum: mean.sum + now - started, count: mean.count + 1 });
      count += 1;
      if (now - since < MEASURE.milliseconds || count < MEASURE.answers * width) return width;
      if (before !== null) judge(now, before);
      else if (now < nextTrial) measure(now);
      else if (most > 1) begin(now);
      return width;
    },
    reset(now) {
      if (before !== null) width = before.width;
      before = null;
      measure(now);
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
