/** The rate of calls that a service allows; without a limit until its refusals show one. */
interface Rate {
  /** Whether starts are spaced: a limit was found or named, or the service lets nothing through. */
  limited(): boolean;
  /** Calls per second that may start; null without a limit. */
  perSecond(): number | null;
  /** When the next request may start. */
  earliest(): number;
  /** A request starts now, and had to wait for it or not. */
  start(now: number, hasWaited: boolean): void;
  /** A request that started then got an answer, good or bad, that is not a refusal. */
  answered(now: number, started: number): void;
  /** A request was refused. Gives whether the rate is lowered for it. */
  refused(refused: RefusedRequest): boolean;
}

/** A request that was refused. */
interface RefusedRequest {
  readonly now: number;
  readonly started: number;
  /** Until then the service asks for time; null where it named none. */
  readonly held: number | null;
  /** Whether it says that there were too many calls. */
  readonly isTooMany: boolean;
}

/** A timer is late by a few milliseconds; the requests after it make up for that. */
const LATENESS = 4;
/** Calls per second: the lowest rate, and the first one where too little was let through to show one. */
const RATES = { least: 0.1, first: 20 };
/** Fewer answers show no rate, and two events further apart than this show that nothing was asked. */
const ENOUGH = { answers: 8, idle: 2_000 };
/** A refusal is heat, and an answer takes some of it away: a series of refusals is hot from here on. Fewer in a row show that the service is closed. */
const HEAT = { many: 5, cooling: 1 / 20, inRow: 3 };
/** Refusals come back sooner than answers, so a series has to last as long as an answer takes: first so long, at most so long. */
const LATENCY = { first: 100, longest: 500 };
/** While the service is closed, one request at a time asks again: after so many milliseconds, and each time so many times later. */
const PROBE = { first: 250, times: 1.5, longest: 7_000 };
/** What a rate falls to: for a series of refusals, at least, and where the service closed soon; then the share of the old rate to rise to. */
const DOWN = { share: 0.87, least: 0.78, soon: 0.5, back: 0.91 };
/** A service that closes for so many milliseconds counts in windows, and this share of what a window let through is used. */
const WINDOW = { shortest: 5_000, longest: 65_000, share: 0.96 };
/**
 * The way up to that share of the old rate: so many requests that waited for their turn, and so much time. It takes more
 * time where the service was closed for long. After twice that way the rate doubles so often each time.
 */
const UP = { requests: 450, milliseconds: 3_000, closed: 16, longest: 30_000, doublings: 3 };
/**
 * A limit that refuses less than a half refuses nothing at this part of the rate, so a second series of refusals is tried
 * there. So many refusals that each follow two good answers are chance. So many good answers, and as many more for each
 * of these, are a limit, and so many answers later it is tried again.
 */
const TRIAL = { most: 0.5, part: 0.45, bad: 3, good: 50, limit: 2_000 };
/** Where no limit is known above the rate, it doubles in this way. */
const DOUBLING = { requests: 8, milliseconds: 1_000 };

const NONE = Number.POSITIVE_INFINITY;

/**
 * Makes a rate that rises additively and falls multiplicatively. `named` is a limit that is known, in calls per second:
 * the rate begins there and never exceeds it.
 */
export function makeRate(named: number | null): Rate {
  const top = named ?? NONE;
  let rate = top;
  /** The next request starts no earlier. */
  let next = Number.NEGATIVE_INFINITY;
  /** Where the rate began to rise, and what was refused above it. What started before says nothing of the rate since. */
  let begin = { at: Number.NEGATIVE_INFINITY, rate, back: NONE, milliseconds: 0, waited: 0 };
  /** What was let through since then, and in how much time. */
  let flow = { good: 0, milliseconds: 0, last: 0 };
  let heat = 0;
  /** The rate that was refused before, and the one before the first of such a series of rates that fall. */
  let before = { refused: 0, from: rate };
  /** What is answered at a part of the rate: also the refusals that follow two good answers, and the good ones since a refusal. */
  let trial: { good: number; bad: number; alone: number; row: number } | null = null;
  /** The share of requests that is refused at any rate, and for how many answers more a limit counts as one. */
  let chance = 0;
  let limit = 0;
  /** The series of refusals that makes the heat: when the first one came and had started, and whether a later request was let through. */
  let series = { at: 0, started: 0, isOpen: false, good: 0, bad: 0 };
  let latency = LATENCY.first;
  /** Nothing is let through since then, and the next request asks after so many milliseconds. */
  let closed: { readonly at: number; readonly isTooMany: boolean; probe: number } | null = null;

  function set(to: number, back: number, now: number, shut = 0): void {
    rate = Math.min(top, Math.max(RATES.least, to));
    const milliseconds = Math.min(UP.longest, Math.max(UP.milliseconds, UP.closed * shut));
    begin = { at: now, rate, back, milliseconds, waited: 0 };
    flow = { good: 0, milliseconds: 0, last: now };
    heat = 0;
  }

  /** A step up: only requests that waited for their turn show that the rate is what bounds them. */
  function rise(now: number): void {
    if (rate === NONE || trial !== null) return;
    const { at, back, milliseconds, waited } = begin;
    const way = (time: number, requests: number) => Math.min((now - at) / time, waited / requests);
    const up = way(milliseconds, UP.requests);
    const to =
      back === NONE
        ? begin.rate * 2 ** way(DOUBLING.milliseconds, DOUBLING.requests)
        : (begin.rate + (back - begin.rate) * Math.min(2, up)) * 2 ** (UP.doublings * Math.max(0, up - 2));
    rate = Math.min(top, to);
  }

  /** Calls per second that were let through, with the time that the service was closed. */
  function through(shut: number): number {
    return (flow.good * 1000) / Math.max(1, flow.milliseconds + shut);
  }

  /** What to rise to after a rate was refused; where it was the first limit, up to that rate itself. */
  function backTo(refused: number): number {
    return begin.back === NONE ? refused : refused * DOWN.back;
  }

  /** What an answer at a part of the rate shows. */
  function learn(isGood: boolean, now: number): void {
    limit -= 1;
    if (trial === null) return;
    const { good, bad, alone, row } = trial;
    trial = isGood
      ? { good: good + 1, bad, alone, row: row + 1 }
      : { good, bad: bad + 1, alone: alone + Number(row >= 2), row: 0 };
    const isChance = trial.alone >= TRIAL.bad;
    if (!isChance && trial.good < TRIAL.good * (1 + trial.alone)) return;
    [chance, limit] = isChance ? [trial.bad / (trial.bad + trial.good), 0] : [0, TRIAL.limit];
    trial = null;
    if (isChance) set(before.from, NONE, now);
    else set(before.refused * DOWN.least, backTo(before.refused), now);
  }

  /** The service refuses some, and lets others through. */
  function lower(now: number): void {
    const share = series.bad / (series.bad + series.good);
    const falls = Math.max(DOWN.least, DOWN.share * (1 - share));
    const refused = Math.min(rate, ((series.bad + series.good) * 1000) / (now - series.at));
    const isAgain = refused < DOWN.back * before.refused;
    before = { refused, from: isAgain ? before.from : rate };
    if ((isAgain || chance > 0) && share <= TRIAL.most && limit <= 0) {
      trial = { good: 0, bad: 0, alone: 0, row: 0 };
      set(refused * TRIAL.part, NONE, now);
    } else if (rate === NONE) set(through(0) * falls, NONE, now);
    else set(rate * falls, backTo(rate), now);
  }

  /** The service was closed since then, and lets requests through again. */
  function reopen(now: number, since: number, isTooMany: boolean): void {
    const shut = now - since;
    const isFew = flow.good < ENOUGH.answers;
    const isSoon = shut > flow.milliseconds;
    const isWindow = isTooMany && isSoon && !isFew && shut >= WINDOW.shortest && shut < WINDOW.longest;
    if (isWindow) set(through(shut) * WINDOW.share, through(shut), now, shut);
    else if (rate === NONE) set(isFew ? RATES.first : through(shut), NONE, now);
    else set(rate * (isSoon || isFew ? DOWN.soon : DOWN.share), backTo(rate), now, shut);
  }

  function pass(now: number): void {
    if (closed === null) flow.milliseconds += Math.min(ENOUGH.idle, now - flow.last);
    flow.last = now;
  }

  return {
    limited: () => rate !== NONE || closed !== null,
    perSecond: () => (rate === NONE ? null : rate),
    earliest: () => (rate === NONE && closed === null ? Number.NEGATIVE_INFINITY : next),
    start(now, hasWaited) {
      begin.waited += Number(hasWaited);
      const isLate = hasWaited && now - next <= LATENESS;
      next = (isLate ? next : now) + (closed === null ? 1000 / rate : closed.probe);
    },
    answered(now, started) {
      pass(now);
      flow.good += 1;
      series.good += 1;
      if (started > begin.at) learn(true, now);
      series.isOpen ||= started > series.started;
      latency += (Math.min(LATENCY.longest, now - started) - latency) / 8;
      heat = Math.max(0, heat - HEAT.cooling - 2 * chance);
      if (closed === null) rise(now);
      else if (started > closed.at) {
        reopen(now, closed.at, closed.isTooMany);
        closed = null;
        trial = null;
        next = Math.max(now, started + 1000 / rate);
      }
    },
    refused({ now, started, held, isTooMany }) {
      pass(now);
      next = Math.max(next, held ?? next);
      if (closed !== null && started > closed.at) {
        closed.probe = Math.min(PROBE.longest, PROBE.times * closed.probe);
        next = Math.max(next, now + closed.probe);
      }
      if (closed !== null || started <= begin.at) return false;
      if (heat === 0) series = { at: now, started, isOpen: false, good: 0, bad: 0 };
      heat += 1;
      series.bad += 1;
      learn(false, now);
      const isClosed = held !== null || (!series.isOpen && series.bad >= Math.max(HEAT.inRow, series.good));
      if (!isClosed && heat < HEAT.many) return false;
      if (held === null && now - series.at <= latency) return false;
      if (isClosed) {
        trial = null;
        chance = 0;
        closed = { at: now, isTooMany, probe: PROBE.first };
        next = Math.max(next, now + PROBE.first);
      } else lower(now);
      return true;
    },
  };
}
