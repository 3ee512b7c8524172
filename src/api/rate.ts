/** The rate of calls a service was found to bear; without bound until it refuses many in a row. */
export interface Rate {
  /** Whether a bound was met, so that starts are spaced. */
  learnt(): boolean;
  /** When the next request may start, which it takes; never before `now`. */
  reserve(now: number): number;
  answered(now: number): void;
  /** A request that started then was refused; nothing starts until `held`, where the service named a time. */
  refused(now: number, started: number, held: number | null): void;
}

/** Refusals beyond one in sixteen that show a bound; faults that come by chance stay below. */
const HOT = 5;
const COOLING = 1 / 16;
/** How long answers are counted before the rate changes for them; shorter while it is a first guess. */
const WINDOW = { milliseconds: 1000, answers: 20 };
const FIRST_WINDOW = { milliseconds: 200, answers: 10 };
/** Nothing was asked for so long: the time before says nothing of what the service bears. */
const IDLE = 3000;
/** A burst shorter than this says nothing of what the service bears for long. */
const SHORTEST_SAMPLE = 200;
/** The share of refused calls that is accepted as the cost of searching for a higher rate. */
const BEARABLE = 0.02;
/** What is left unused of the rate that was found. */
const MARGIN = 0.97;
/** What is left of a rate that was stopped before any part of it had proved bearable. */
const UNPROVEN = 0.75;
/** A service that bears less is not waited for by spacing alone. */
const LEAST = 1;
/** By how much a search raises the rate: doubled from step to step. */
const STEP = { first: 0.02, largest: 0.5 };
/** Calm windows before a search. */
const PATIENCE = { first: 4, longest: 32 };
/** A search this long shows that the service bears far more than was thought. */
const LONG_SEARCH = 4;

/**
 * Learns a service's rate. Between two refusals by a token bucket, the good answers are what flowed
 * into it, so they are its rate; that is what a refusal lowers to. Looking for more is by small steps
 * that grow, and each search that ended in a refusal makes the next one wait twice as long.
 */
export function makeRate(): Rate {
  let perSecond = Number.POSITIVE_INFINITY;
  /** The first place that is not taken. */
  let next = 0;
  /** What started before the last cut says nothing of the rate since. */
  let cutAt = Number.NEGATIVE_INFINITY;
  let heat = 0;
  /** The window: since when, what was answered in it, and whether any start had to wait for its turn. */
  let since = 0;
  let good = 0;
  let bad = 0;
  let bound = false;
  /** The good answers of the window before. */
  let earlier = 0;
  /** When something was last answered, or may start again. */
  let last = Number.NEGATIVE_INFINITY;
  /** Windows since the last cut that met no bound, and the rate of the latest. */
  let calm = 0;
  let proven = 0;
  let patience = PATIENCE.first;
  /** False while the rate is a first guess that no refusal has confirmed. */
  let sure = false;

  function open(at: number): void {
    earlier = good;
    since = at;
    good = 0;
    bad = 0;
    bound = false;
  }

  /** Begins anew what is counted, where nothing was asked for a while: before the first call, at a prompt. */
  function wake(now: number): void {
    if (now - last > IDLE) {
      open(now);
      earlier = 0;
    }
    last = Math.max(last, now);
  }

  function cut(to: number, now: number, held: number | null): void {
    if (calm > patience) patience = Math.min(patience * 2, PATIENCE.longest);
    sure = perSecond !== Number.POSITIVE_INFINITY;
    perSecond = Math.max(LEAST, to);
    cutAt = now;
    heat = 0;
    calm = 0;
    proven = 0;
    next = held ?? Math.max(next, now + 1000 / perSecond);
    last = held ?? now;
    open(last);
    earlier = 0;
  }

  /** A first rate from the good answers of the last seconds, what a bucket held at first among them. */
  function guess(now: number): number {
    const span = now - since + (earlier > 0 ? WINDOW.milliseconds : 0);
    return ((good + earlier) / Math.max(SHORTEST_SAMPLE, span)) * 1000;
  }

  /** What the service bore since the window opened, and no less than half of what was asked of it. */
  function borne(now: number): number {
    const sample = (good / Math.max(1, now - since)) * 1000;
    return Math.max(perSecond / 2, Math.max(proven, Math.min(sample, perSecond)) * MARGIN);
  }

  function closeWindow(now: number): void {
    const window = sure || perSecond === Number.POSITIVE_INFINITY ? WINDOW : FIRST_WINDOW;
    if (now - since < window.milliseconds || good + bad < window.answers) return;
    if (perSecond === Number.POSITIVE_INFINITY || !bound) open(now);
    else if (bad > BEARABLE * (good + bad)) cut(borne(now), now, null);
    else {
      calm += 1;
      proven = perSecond;
      search(calm - patience);
      open(now);
    }
  }

  function search(steps: number): void {
    if (!sure) perSecond *= 2;
    else if (steps > 0) perSecond *= 1 + Math.min(STEP.largest, STEP.first * 2 ** (steps - 1));
    if (steps > LONG_SEARCH) patience = PATIENCE.first;
  }

  return {
    learnt: () => perSecond !== Number.POSITIVE_INFINITY,
    reserve(now) {
      if (perSecond === Number.POSITIVE_INFINITY) return now;
      const start = Math.max(next, now);
      bound ||= start > now;
      next = start + 1000 / perSecond;
      return start;
    },
    answered(now) {
      wake(now);
      good += 1;
      if (heat > 0) heat = Math.max(0, heat - COOLING);
      closeWindow(now);
    },
    refused(now, started, held) {
      if (started <= cutAt) return;
      wake(now);
      bad += 1;
      heat += 1;
      const hot = heat >= HOT;
      if (perSecond === Number.POSITIVE_INFINITY && hot) cut(guess(now), now, held);
      else if (perSecond === Number.POSITIVE_INFINITY) closeWindow(now);
      else if (held !== null) cut(proven > 0 ? proven * MARGIN : perSecond * UNPROVEN, now, held);
      else if (hot) cut(borne(now), now, null);
      else closeWindow(now);
    },
  };
}
