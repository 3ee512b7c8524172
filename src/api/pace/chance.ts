/** Tells refusals that come by chance from refusals that rise with the rate. */
export interface Chance {
  /** Whether some refusals come by chance. */
  isKnown(): boolean;
  /** Whether so many refusals are more than chance explains. */
  isMore(bad: number, count: number): boolean;
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

/** A series is hot when refusals exceed what cools it by so many; each answer takes away so much, or more where refusals by chance are known. */
const HOT = { many: 5, cooling: 1 / 24 };
/** The share of refusals is taken over so many answers, and learned over twice as many. */
const MEMORY = 100;
/** Refusals by chance are rarer than this, also in the series before a trial; a share above the least is learned by trial only. */
const RARE = { least: 0.02, most: 0.2, before: 0.5 };
/** So many refusals, expected by chance, are enough for a verdict; none of so many, and the lower rate clearly helped. */
const ENOUGH = { expected: 10, none: 3 };
/** A trial says nothing where the calls did not come slower by this. */
const SLOWER = 1.1;
/**
 * The lower rate changed nothing where the service accepts the same share, give or take chance. It helped where it won
 * so much of what a limit would give back: the series before a trial had more refusals than usual, which chance wins.
 */
const ACCEPTED = { least: 0.85, helped: 0.7 };
/** Refusals come back sooner than answers, so a series has to last as long as an answer takes: first so long, at most so long. */
const LATENCY = { first: 100, longest: 500 };

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
  let most = RARE.least;
  let heat = 0;
  let heatedAt = 0;
  let latency = LATENCY.first;
  let memory: Heard[] = [];
  let trial: Trial | null = null;
  let rateBefore = Number.POSITIVE_INFINITY;

  function learn(isRefusal: boolean): void {
    noise = Math.min(most, noise + (Number(isRefusal) - noise) / (2 * MEMORY));
    if (noise < RARE.least) most = RARE.least;
    if (noise < 0.0005) noise = 0;
  }

  /** What a trial shows: nothing yet, that the lower rate helped, that it changed nothing, or that more is refused. */
  function verdict(
    { good, bad, share, perSecond, since }: Trial,
    now: number,
  ): "open" | "helped" | "by chance" | "hot" {
    const count = good + bad;
    const expected = count * share;
    if (bad === 0 && expected > ENOUGH.none) return "helped";
    if (bad >= HOT.many && bad > (1.5 * share + 0.1) * count) return "hot";
    if (expected < ENOUGH.expected || good < ENOUGH.expected) return "open";
    const accepted = good / count / (1 - share);
    const slower = perSecond / Math.max(0.001, (count * 1000) / Math.max(1, now - since));
    const best = Math.max(1, Math.min(slower, 1 / (1 - share)));
    const isSame = accepted >= ACCEPTED.least && accepted < 1 + ACCEPTED.helped * (best - 1);
    return slower >= SLOWER && isSame && bad <= RARE.most * count ? "by chance" : "helped";
  }

  return {
    isKnown: () => most > RARE.least,
    isMore: (bad, count) => bad > noise * count + (noise === 0 ? 0 : 2.5 * Math.sqrt(noise * count) + 0.5),
    isUsual: (bad, count) => bad <= 1.5 * noise * count,
    before: () => rateBefore,
    heard(heard) {
      const { now, started, isRefusal, isProven } = heard;
      memory.push(heard);
      if (memory.length > MEMORY) memory.shift();
      if (isProven) learn(isRefusal);
      if (trial !== null) {
        if (isRefusal) trial.bad += 1;
        else trial.good += 1;
        const shown = verdict(trial, now);
        if (shown === "open") return "calm";
        if (shown === "by chance") {
          noise = (trial.share + trial.bad / (trial.good + trial.bad)) / 2;
          most = noise * 1.25;
          heat = 0;
          rateBefore = trial.rate;
        }
        trial = null;
        return shown === "helped" ? "calm" : shown;
      }
      if (!isRefusal) latency += (Math.min(LATENCY.longest, now - started) - latency) / 8;
      if (heat === 0) heatedAt = now;
      heat = Math.max(0, heat + (isRefusal ? 1 : -Math.max(HOT.cooling, 2 * noise)));
      return isRefusal && heat >= HOT.many && now - heatedAt > latency ? "hot" : "calm";
    },
    lowered(rate, to) {
      heat = 0;
      const share = memory.filter(({ isRefusal }) => isRefusal).length / Math.max(1, memory.length);
      const since = memory.at(-1)?.now ?? 0;
      const perSecond = (memory.length * 1000) / Math.max(1, since - (memory[0]?.now ?? 0));
      memory = [];
      const isTrial = share > 0 && share <= RARE.before && to * SLOWER <= rate;
      trial = isTrial ? { rate, share, perSecond, since, good: 0, bad: 0 } : null;
    },
  };
}
