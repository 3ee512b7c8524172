/** The window that explains what a service let through and what it refused: so many calls in so many seconds. */
export interface WindowLimit {
  /** A request leaves now. */
  start(now: number): void;
  refused(refusal: RefusedRequest): void;
  /** The shortest window that refusals agreed on; null where they agreed on none. */
  shown(): Window | null;
}

/** Calls per second that a window allows, and how many milliseconds it takes. */
export interface Window {
  readonly perSecond: number;
  readonly length: number;
}

/** A request that was refused. */
export interface RefusedRequest {
  readonly started: number;
  /** Until then the service asks for time; null where it named none. */
  readonly held: number | null;
  /** Calls per second that were allowed to start, and since when. */
  readonly perSecond: number;
  readonly since: number;
}

/** A window refuses everything for so many milliseconds more than its length at most: a pause is in whole seconds. */
const ROUNDED = 1_000;
/** Services count in windows of so many milliseconds. */
const LENGTHS = [1_000, 10_000, 60_000];
/** So many starts are remembered at least. */
const MEMORY = 4_096;
/** Windows of fewer calls are not distinguished from chance. */
const FEWEST = 8;
/** Counts of two windows agree when the second one is at least and at most so many times the first, give or take a call. */
const AGREE = { least: 0.97, most: 1.25 };
/** A window that a refusal disproved has to be shown by so many times more refusals, up to so many. */
const DOUBT = { times: 2, most: 8 };

/** What a service that counts in windows of one length showed. */
interface Shown {
  readonly length: number;
  /** A service that refused everything for longer than this may count in a window of this length, and not in a shorter one. */
  readonly silence: number;
  isSilent: boolean;
  /** The fewest calls before a refusal in each of the windows that agree with the first. */
  counts: number[];
  /** When the last of these windows was refused in. */
  refusedAt: number;
  /** How many windows have to agree with the first. */
  needed: number;
}

/** Makes a memory without requests. */
export function makeWindow(): WindowLimit {
  let starts: number[] = [];
  let begin = Number.NEGATIVE_INFINITY;
  const all = LENGTHS.map((length, at): Shown => {
    const silence = LENGTHS[at - 1] ?? 0;
    return { length, silence, isSilent: false, counts: [0], refusedAt: 0, needed: 1 };
  });
  /** How many requests left until then. */
  const countUntil = (then: number) => starts.findLastIndex((at) => at <= then) + 1;

  return {
    start(now) {
      starts.push(now);
      if (starts.length < 2 * MEMORY) return;
      starts = starts.slice(MEMORY);
      begin = starts[0] ?? now;
    },
    refused(refusal) {
      const { started, held } = refusal;
      const before = countUntil(started) - 1;
      if (starts[before] !== started) return;
      starts.splice(before, 1);
      const silence = (held ?? started) - (starts[before - 1] ?? started);
      for (const one of all) {
        const from = started - one.length;
        if (from < begin) continue;
        one.isSilent ||= silence > one.silence;
        judge(one, before - countUntil(from), silence, refusal);
      }
    },
    shown() {
      const found = all.find((one) => one.isSilent && isShown(one) && allowed(one) >= FEWEST);
      if (found === undefined) return null;
      return { perSecond: (allowed(found) * 1000) / found.length, length: found.length };
    },
  };
}

function isShown({ counts, needed }: Shown): boolean {
  return counts.length > needed;
}

/** How many calls a window allows. */
function allowed({ counts }: Shown): number {
  return Math.min(...counts.slice(-2));
}

function judge(
  one: Shown,
  count: number,
  silence: number,
  { started, perSecond, since }: RefusedRequest,
): void {
  const [first = 0] = one.counts;
  // A window never refuses what comes as slowly as it allows, nor for long.
  const isSlow = (perSecond * one.length) / 1000 <= allowed(one) && started - since > one.length;
  const isOther = count < AGREE.least * first - 1 || count > AGREE.most * first + 1;
  if (isSlow || isOther || silence > one.length + ROUNDED) {
    if (isShown(one)) one.needed = Math.min(DOUBT.most, one.needed * DOUBT.times);
    one.counts = [count];
  } else if (started - one.refusedAt > one.length) one.counts.push(count);
  else {
    one.counts.push(Math.min(count, one.counts.pop() ?? count));
    return;
  }
  one.refusedAt = started;
}
