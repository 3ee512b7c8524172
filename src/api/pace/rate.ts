import { makeChance } from "./chance.js";
import type { TokenBucket } from "./limit.js";
import { freshProof } from "./proof.js";
import { makeSpell, type RateBounds } from "./spell.js";
import { type KnownThrottle, makeThrottle, UNEXPLAINED } from "./throttle.js";
import { makeFlow } from "./throughput.js";
import { makeTrialDelay } from "./trialDelay.js";

/** The rate of calls that a service allows; without a limit until its refusals show one. */
export interface Rate {
  /** Whether starts are spaced: a limit was found. */
  limited(): boolean;
  /** Calls per second that may start; null without a limit. */
  perSecond(): number | null;
  /** When the next request may start. */
  earliest(): number;
  /** A request starts now, and had to wait for it or not. */
  start(now: number, hasWaited: boolean): void;
  /** A request that started then got an answer, good or bad, that is not a refusal. */
  answered(now: number, started: number): void;
  /**
   * A request that started then was refused; nothing starts until `held`, where the service named a time. Gives
   * whether the rate was lowered for it.
   */
  refused(now: number, started: number, held: number | null): boolean;
}

/** What a refusal shows, as far as it shows anything: a bucket, or the bounds since the last pause. */
interface Shown {
  readonly bucket: TokenBucket | null;
  readonly bounds: RateBounds | null;
}

/** A timer is late by a few milliseconds; the requests after it make up for that. */
const LATENESS = 4;
/** The lowest rate: calls per second. */
const LEAST = 1;
/** The lowest rate after the first series of refusals. */
const FIRST = 20;
/** What is left unused of an estimated limit, and how close to it a search comes. */
const TOP = 0.995;
const MARGIN = 0.98;
/** A refused rate is lowered to this share at least when nothing better is known. */
const BACK = 0.5;
/** A series of refusals lowers the rate below its estimate, so that it shows whether that helps. */
const TRIAL = 0.8;
/** A rate is proven when this much time passed, with this many answers, and few were refused. */
const WINDOW = { milliseconds: 250, paused: 1_000, longest: 4_000, answers: 4, slowest: 1_500, vain: 3_000 };
/** The first step above what is known of a service that asks for pauses. */
const BEYOND = 1.15;
/** A rate is what bounds the calls where they come to this share of it. */
const BOUND = 0.97;
/** The rate of a known bucket is taken to be at this share between its bounds; a try is worth less where they are closer than this. */
const KNOWN = { share: 0.4, range: 0.04 };
/** A rate that was kept and refused is lowered to this share at least. */
const YIELD = 0.995;
/** The search ends when the limit is known this exactly. */
const CLOSE = 1.02;
/** A search that was refused leaves at most this much more than before it: the service may have stored the rest. */
const CREEP = 1.01;
/** The first step beyond a limit that was found, half of it after each vain one, and how the steps grow. */
const STEP = { first: 0.02, least: 0.004, growth: 3, largest: 1, parts: 6 };
/** A window is disproved where so many times its calls were let through. A try makes so many calls more at least. */
const MORE = { times: 1.05, calls: 2 };

/**
 * Finds the rate that a service allows, between a rate that was proven and one that was refused. Where a token bucket or
 * a window explains what was let through and refused, its rate is taken. Otherwise the answers between two refusals are
 * the best estimate. Refusals whose share does not fall when the rate falls come by chance, and do not count.
 */
export function makeRate(): Rate {
  let rate = Number.POSITIVE_INFINITY;
  /** The highest rate that was proven, and the lowest that was refused. */
  let low = 0;
  let high = Number.POSITIVE_INFINITY;
  let step = STEP.largest;
  /** The first step of a search: smaller after a try whose first step was too much. */
  let first = STEP.first;
  /** The bound of what the service allows, as far as it is known: up to there all steps are of one size. */
  let ceiling = 0;
  let store = 0;
  /** A rate is proven by a whole window of the service, where it counts in windows. */
  let span = 0;
  /** True while the rate is higher than what was proven. */
  let isTrying = false;
  /** A search beyond a limit that was found: where it began, and whether this is its last try. */
  let search: { readonly base: number; readonly isLast: boolean } | null = null;
  let failedAt = 0;
  /** The next request starts no earlier. */
  let next = 0;
  /** What started before the rate changed says nothing about the new one. */
  let changedAt = Number.NEGATIVE_INFINITY;
  let proof = freshProof(0);
  const flow = makeFlow();
  const chance = makeChance();
  const delay = makeTrialDelay();
  const throttle = makeThrottle();
  const spell = makeSpell();
  /** The rate to begin with again, while nothing at all is let through. */
  let after: number | null = null;
  /** Whether the last refusal came with a pause: what the service stored in it hides for a while that the rate is too high. */
  let isPaused = false;

  function set(to: number, now: number): void {
    rate = Math.max(LEAST, to);
    changedAt = now;
    proof = freshProof(now);
  }

  function lower(to: number, now: number, held: number | null): void {
    set(to, now);
    proof.since = held ?? now;
    next = held ?? Math.max(Math.min(next, now + 1000 / rate), now);
    isTrying = false;
    failedAt = now;
  }

  /** The limit of the service is known: keep to its rate, and look for a higher one later. */
  function settle({ least, most, stored, length }: KnownThrottle, now: number, held: number | null): void {
    const isProven = held !== null && isTrying && low >= least && low <= most;
    const between = isProven ? low : least + (most - least) * KNOWN.share;
    // What was refused without a try was too much, however little.
    const found = isTrying || length > 0 ? between : Math.min(between, rate * YIELD);
    const wait = held === null ? 0 : held - now;
    // What the service stores while nothing starts is not lost. The less is known, the more a try is worth.
    const lost = Math.max(wait / 4, wait - (stored.least * 1000) / found);
    const range = most / least - 1;
    const isVain = isTrying && search !== null && found < search.base * CLOSE;
    delay.found(isVain, lost * Math.min(1, KNOWN.range / range), length);
    lower(found, now, held);
    low = rate;
    high = rate;
    search = null;
    after = null;
    step = STEP.first;
    ceiling = length > 0 ? 0 : most;
    span = length;
    store = stored.least;
    const calls = (found * length) / 1000;
    first = length > 0 ? Math.max(STEP.first, MORE.calls / calls) : Math.max(STEP.least, range / STEP.parts);
  }

  function fail(now: number, started: number, held: number | null, isHot: boolean): void {
    const { known, bucket } = flow.isDryAgain(now) ? UNEXPLAINED : throttle.explain(started, held !== null);
    const bounds = held === null || rate === Number.POSITIVE_INFINITY ? null : spell.end(started);
    isPaused = held !== null;
    if (known !== null && (known.length === 0 || !chance.isKnown())) settle(known, now, held);
    else guess({ bucket, bounds }, now, held, isHot);
    if (held === null) return;
    flow.paused(now, held);
    spell.pause(now, held);
  }

  function guess({ bucket, bounds }: Shown, now: number, held: number | null, isHot: boolean): void {
    const failed = rate;
    ceiling = 0;
    span = 0;
    if (search !== null) {
      first = failed > search.base * (1 + first) * 1.001 ? STEP.first : Math.max(STEP.least, first / 2);
      if (held === null) low = Math.max(search.base, Math.min(low, search.base * CREEP));
      high = search.isLast || held !== null ? low : failed;
      search = search.isLast || held !== null ? null : { base: low, isLast: true };
    }
    if (isTrying && low > 0) delay.found(true, held === null ? 0 : held - now);
    else {
      low = 0;
      search = null;
    }
    // Where nothing at all was let through, the service was out of order, and that shows no limit.
    const isOutage = low === 0 && flow.isDry(now);
    after = isOutage ? (after ?? flow.recent(now) * BACK) : null;
    const estimate = isOutage ? null : flow.between(now);
    high = Math.min(high, failed, bounds !== null && low === 0 ? bounds.most : failed);
    if (isOutage) high = Number.POSITIVE_INFINITY;
    step = high === Number.POSITIVE_INFINITY ? STEP.largest : STEP.first;
    if (isHot && estimate !== null && estimate < low) low = 0;
    if (low === 0 && estimate !== null) high = Math.min(high, estimate * TOP);
    if (low > 0) lower(low, now, held);
    else if (bounds !== null) lower(bounds.guess * MARGIN, now, held);
    else if (estimate !== null) lower(Math.min(estimate, failed) * (isHot ? TRIAL : MARGIN), now, held);
    else if (failed === Number.POSITIVE_INFINITY) lower(Math.max(FIRST, flow.recent(now) * TRIAL), now, held);
    else {
      const between =
        bucket === null ? 0 : Math.sqrt(Math.max(LEAST, bucket.least) * Math.min(bucket.most, failed));
      lower(Math.min(failed * BACK, Math.max(flow.recent(now) * TRIAL, between)), now, held);
    }
  }

  /** The rate was proven: take the next step. */
  function climb(now: number): void {
    low = Math.max(low, rate);
    if (search?.isLast === true && isTrying) search = null;
    const isDisproved = isTrying && search !== null && span > 0 && rate > search.base * MORE.times;
    if (isDisproved) [span, step] = [0, STEP.largest];
    isTrying = false;
    if (high === Number.POSITIVE_INFINITY) {
      isTrying = true;
      const to = low * (1 + step);
      set(isPaused && low <= ceiling && to > ceiling ? Math.max(to, ceiling * BEYOND) : to, now);
      if (rate >= ceiling) step = Math.min(STEP.largest, step * STEP.growth);
      if (step === STEP.largest) delay.reset();
    } else if (high / low > CLOSE) {
      isTrying = true;
      set(Math.min(low * 2, Math.sqrt(low * high)), now);
    } else if (now - failedAt > delay.milliseconds()) {
      high = Number.POSITIVE_INFINITY;
      step = first;
      search = { base: low, isLast: false };
      climb(now);
    } else set(rate, now);
  }

  /** What the service stored has to be used up before a rate above what is known of it is proven. */
  function pausedWindow(): number {
    if (high !== Number.POSITIVE_INFINITY) return WINDOW.paused;
    if (ceiling === 0) return WINDOW.milliseconds;
    const time = rate > ceiling ? (1000 * store) / (rate - ceiling) : 0;
    return Math.min(WINDOW.longest, Math.max(WINDOW.paused, time));
  }

  function closeWindow(now: number): void {
    const time = now - proof.since;
    const least = Math.max(span, isPaused ? pausedWindow() : WINDOW.milliseconds);
    const count = proof.good + proof.bad;
    if (rate === Number.POSITIVE_INFINITY || time < least) return;
    if (count < WINDOW.answers && time < WINDOW.slowest) return;
    if (proof.good === 0) return;
    // A try that costs a pause has to be worth it.
    const isBound = isPaused ? proof.starts + 1 >= BOUND * rate * (time / 1000) : proof.hasWaited;
    if (isBound && chance.isUsual(proof.bad, count)) climb(now);
    else if (!isBound || time > Math.max(2 * span, WINDOW.vain)) proof = freshProof(now);
  }

  function undo(before: number, now: number): void {
    ceiling = 0;
    span = 0;
    low = before;
    search = null;
    high = Number.POSITIVE_INFINITY;
    step = STEP.largest;
    set(before, now);
    isTrying = false;
  }

  /** The service lets requests through again. */
  function resume(to: number, now: number): void {
    after = null;
    const window = chance.isKnown() ? null : throttle.window();
    if (window !== null) settle(window, now, null);
    else if (rate < to) set(to, now);
  }

  function hear(now: number, started: number, isRefusal: boolean) {
    const isProven = rate !== Number.POSITIVE_INFINITY && !isTrying && rate <= low;
    return chance.heard({ now, started, isRefusal, isProven });
  }

  return {
    limited: () => rate !== Number.POSITIVE_INFINITY,
    perSecond: () => (rate === Number.POSITIVE_INFINITY ? null : rate),
    earliest: () => (rate === Number.POSITIVE_INFINITY ? Number.NEGATIVE_INFINITY : next),
    start(now, hasWaited) {
      proof.starts += 1;
      proof.hasWaited ||= hasWaited;
      const isLate = hasWaited && now - next <= LATENESS;
      next = (isLate ? next : now) + 1000 / rate;
      throttle.start(now);
      spell.start(now);
    },
    answered(now, started) {
      // Answers to earlier starts count, too: refusals come back sooner than answers, and would be too many at first.
      if (after !== null && started > changedAt) resume(after, now);
      proof.good += 1;
      flow.answered(now);
      if (hear(now, started, false) === "by chance") undo(chance.before(), now);
      else closeWindow(now);
    },
    refused(now, started, held) {
      next = Math.max(next, held ?? next);
      throttle.refused({ started, held, perSecond: rate, since: changedAt });
      if (started <= changedAt) return false;
      proof.bad += 1;
      flow.refused(now);
      const heard = hear(now, started, true);
      if (heard === "by chance") {
        undo(chance.before(), now);
        return false;
      }
      const isSurprise = isTrying && chance.isMore(proof.bad, proof.good + proof.bad);
      if (held === null && heard === "calm" && !isSurprise) {
        closeWindow(now);
        return false;
      }
      const failed = rate;
      fail(now, started, held, heard === "hot");
      if (heard === "hot" && held === null) chance.lowered(failed, rate);
      return true;
    },
  };
}
