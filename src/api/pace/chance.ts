/** Tells refusals that come by chance from refusals that rise with the rate. */
export interface Chance {
  /** Whether so many refusals are more than chance explains. */
  isMore(bad: number, count: number): boolean;
  /** Whether some refusals come by chance. */
  isKnown(): boolean;
  /** Whether there are no more refusals than chance alone brings. */
  isUsual(bad: number, count: number): boolean;
  /** An answer came at a rate that is proven, or not. Gives whether a lowered rate was lowered without effect. */
  heard(heard: Heard): "calm" | "hot" | "by chance";
  /** The rate was lowered because of a hot series. */
  lowered(from: number, to: number): void;
  /** The rate from before it was lowered without effect. */
  before(): number;
}

/** One answer, as far as chance is concerned. */
export interface Heard {
  readonly now: number;
  readonly started: number;
  readonly isRefusal: boolean;
  /** Whether the rate is one that the service allowed before. */
  readonly isProven: boolean;
}

/** A series is hot when refusals exceed what cools it by so many. */
const HOT = 5;
/** Each answer takes away so much of a refusal's heat; more where refusals by chance are known. */
const COOLING = 1 / 24;
/** The share of refusals is taken over so many answers. */
const MEMORY = 100;
/** A service that refuses more than this is taken to have a limit, without a trial. */
const MOST = 0.5;
/** Refusals by chance are rarer than this. */
const RARE = 0.2;
/** So many refusals, expected by chance, are enough for a verdict. */
const ENOUGH = 10;
/** None of so many expected refusals came: the lower rate helped. */
const CLEARLY = 3;

/** A trial says nothing where the calls did not come slower by this. */
const SLOWER = 1.1;
/** The service accepts the same share, give or take chance. */
const SAME = 0.85;
/**
 * A lower rate helped where it won so much of what a limit would give back. The series before a trial had more refusals
 * than usual, or there would be no trial: chance alone wins some of it.
 */
const HELPED = 0.7;
/** A larger share counts as chance by trial only. */
const LEARNED = 0.02;

/** Refusals come back sooner than answers, so a series has to last as long as an answer takes. */
const FIRST_LATENCY = 100;
const LONGEST_LATENCY = 500;

interface Trial {
  readonly rate: number;
  readonly share: number;
  readonly perSecond: number;
  readonly since: number;
  good: number;
  bad: number;
}

/**
 * Makes a judge without experience. A series with many refusals is hot, and the rate is lowered: a trial begins. Where
 * the service has a limit, the lower rate leaves hardly any refusals. Where about the usual share of the calls is still
 * refused, the lower rate changes nothing: the refusals come by chance, and the rate from before is taken again.
 */
export function makeChance(): Chance {
  let noise = 0;
  let most = LEARNED;
  let heat = 0;
  let heatedAt = 0;
  let latency = FIRST_LATENCY;
  let memory: Heard[] = [];
  let trial: Trial | null = null;
  let rateBefore = Number.POSITIVE_INFINITY;

  function isMore(bad: number, count: number): boolean {
    const expected = noise * count;
    return noise === 0 ? bad > 0 : bad > expected + 2.5 * Math.sqrt(expected) + 0.5;
  }

  function learn(isRefusal: boolean): void {
    noise = Math.min(most, noise + (Number(isRefusal) - noise) / 200);
    if (noise < LEARNED) most = LEARNED;
    if (noise < 0.0005) noise = 0;
  }

  function judgeTrial(running: Trial, now: number): "calm" | "hot" | "by chance" {
    const count = running.good + running.bad;
    const expected = count * running.share;
    if (running.bad === 0 && expected > CLEARLY) {
      trial = null;
      return "calm";
    }
    const share = running.bad / count;
    if (running.bad >= HOT && share > 1.5 * running.share + 0.1) {
      trial = null;
      return "hot";
    }
    if (expected < ENOUGH || running.good < ENOUGH) return "calm";
    trial = null;
    const [a, b] = [1 - running.share, 1 - share];
    const slower = running.perSecond / Math.max(0.001, (count * 1000) / Math.max(1, now - running.since));
    const atMost = Math.max(1, Math.min(slower, 1 / a));
    if (slower < SLOWER || b / a < SAME || b / a >= 1 + HELPED * (atMost - 1)) return "calm";
    if (share > RARE) return "calm";
    noise = (running.share + share) / 2;
    most = noise * 1.25;
    heat = 0;
    rateBefore = running.rate;
    return "by chance";
  }

  return {
    isMore,
    isKnown: () => most > LEARNED,
    isUsual: (bad, count) => bad <= 1.5 * noise * count,
    before: () => rateBefore,
    heard(heard) {
      memory.push(heard);
      if (memory.length > MEMORY) memory.shift();
      if (heard.isProven) learn(heard.isRefusal);
      if (trial !== null) {
        if (heard.isRefusal) trial.bad += 1;
        else trial.good += 1;
        return judgeTrial(trial, heard.now);
      }
      if (!heard.isRefusal) latency += (Math.min(LONGEST_LATENCY, heard.now - heard.started) - latency) / 8;
      if (heat === 0) heatedAt = heard.now;
      heat = Math.max(0, heat + (heard.isRefusal ? 1 : -Math.max(COOLING, 2 * noise)));
      return heard.isRefusal && heat >= HOT && heard.now - heatedAt > latency ? "hot" : "calm";
    },
    lowered(rate, to) {
      heat = 0;
      const bad = memory.filter(({ isRefusal }) => isRefusal).length;
      const share = bad / Math.max(1, memory.length);
      const [first, last] = [memory[0], memory.at(-1)];
      const time = Math.max(1, (last?.now ?? 0) - (first?.now ?? 0));
      trial =
        share > MOST || share === 0 || to * SLOWER > rate
          ? null
          : {
              rate,
              share,
              perSecond: (memory.length * 1000) / time,
              since: last?.now ?? 0,
              good: 0,
              bad: 0,
            };
      memory = [];
    },
  };
}
