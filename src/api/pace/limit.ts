/** The token bucket that explains what a service let through and what it refused. */
export interface Limit {
  /** A request leaves now. */
  start(now: number): void;
  /** A request that left then was refused. */
  refused(started: number): void;
  /** What all requests up to the refused one that left then show; null where no bucket explains them. */
  explain(started: number): TokenBucket | null;
}

interface Range {
  readonly least: number;
  readonly most: number;
}

/** The bounds of a service's rate per second, and of how many calls it stores. */
export interface TokenBucket extends Range {
  readonly stored: Range;
}

/** So many requests are remembered at least. */
const MEMORY = 1_024;
/** Fewer explain nothing. */
const ENOUGH = 3;
/** Requests overtake each other on their way, so that a count may be wrong by so many. */
const SLACK = [0.1, 1, 4] as const;
/** A rate is looked for between these, and found this exactly. */
const RATES = { least: 0.01, most: 100_000, halvings: 14 };
/** What is stored is looked for until its bounds are so many calls apart, or one is so many times the other. */
const EXACTLY = { calls: 0.5, times: 1.04 };

/** A limit may change, but a bucket does not surprise often: what a surprise counts, and each refusal that fits takes back one. */
const SURPRISES = { each: 2, many: 3, most: 6 };
/** A bucket that takes more seconds to fill is not likely. */
const LONGEST = 120;

/** What is stored is divided so often, at most. */
const PARTINGS = 80;

interface Request {
  readonly at: number;
  isRefused: boolean;
}

/** Requests in order, and whether the bucket was full or empty before the first of them, where that is known. */
interface Story {
  readonly requests: readonly Request[];
  readonly before: "full" | "empty" | "unknown";
}

/** Makes a memory without requests. The bucket is full before the first one. */
export function makeLimit(): Limit {
  let story: Story & { readonly requests: Request[] } = { requests: [], before: "full" };
  /** What was known before the requests that are remembered. */
  let known: TokenBucket | null = null;
  /** How often a refusal did not fit what was known. */
  let surprises = 0;

  return {
    start(now) {
      story.requests.push({ at: now, isRefused: false });
      if (story.requests.length >= 2 * MEMORY) story = shortened(story.requests);
    },
    refused(started) {
      const request = story.requests.findLast(({ at, isRefused }) => at === started && !isRefused);
      if (request !== undefined) request.isRefused = true;
    },
    explain(started) {
      // Of those that left together, the service refuses the last ones; what left later has no answer yet.
      const end = story.requests.findLastIndex(({ at }) => at <= started) + 1;
      const requests = story.requests.slice(0, end).sort(inOrder);
      for (let tale: Story | null = { ...story, requests }; tale !== null; tale = later(tale)) {
        const found = bucketOf(tale);
        if (found === null) continue;
        const isWhole = tale.requests.length === requests.length;
        if (!isWhole) forget(tale);
        surprises = Math.max(0, Math.min(SURPRISES.most, surprises + (isWhole ? -1 : SURPRISES.each)));
        const older = story.before === "unknown" && known !== null ? closer(known, tale) : null;
        known = older !== null && ratio(older) < ratio(found) ? older : found;
        const isLikely = surprises < SURPRISES.many && known.stored.least < LONGEST * known.most;
        return isLikely ? known : null;
      }
      surprises = SURPRISES.most;
      return null;
    },
  };

  /** What no bucket explains together with the rest was another limit. */
  function forget(tale: Story): void {
    const from = tale.requests[0]?.at ?? 0;
    story = { requests: story.requests.filter(({ at }) => at >= from), before: tale.before };
  }
}

/** What is known of a bucket, closer, where it explains another story; null where it does not. */
function closer({ least, most, stored }: TokenBucket, story: Story): TokenBucket | null {
  const [found] = explaining(story, SLACK[1])(stored);
  if (found === undefined || found.least > most || found.most < least) return null;
  return { least: Math.max(least, found.least), most: Math.min(most, found.most), stored };
}

/** The second half of the requests; all after the first refusal in it, where that leaves enough. */
function shortened(requests: readonly Request[]) {
  const half = requests.slice(-MEMORY);
  const from = half.findIndex(({ isRefused }) => isRefused) + 1;
  return from === 0 || from > MEMORY / 2
    ? { requests: half, before: "unknown" as const }
    : { requests: half.slice(from), before: "empty" as const };
}

function inOrder(one: Request, other: Request): number {
  return one.at - other.at || Number(one.isRefused) - Number(other.isRefused);
}

/** The second half of a story, from a refusal on; null where it is too short. */
function later({ requests }: Story): Story | null {
  const half = Math.ceil(requests.length / 2);
  const from = requests.findIndex(({ isRefused }, at) => isRefused && at >= half) + 1;
  return from === 0 || requests.length - from < ENOUGH
    ? null
    : { requests: requests.slice(from), before: "empty" };
}

/** The bounds of all buckets that explain a story; null where none does. */
function bucketOf(story: Story): TokenBucket | null {
  for (const slack of SLACK) {
    const explain = explaining(story, slack);
    let found = explain({ least: 1, most: 2 * story.requests.length });
    for (let parting = 0; parting < PARTINGS; parting += 1) {
      // Only the parts at the two ends decide.
      const least = Math.min(...found.map((part) => part.least));
      const most = Math.max(...found.map((part) => part.most));
      const [vague] = found
        .filter((part) => (part.least === least || part.most === most) && isVague(part))
        .sort((one, other) => ratio(other.stored) - ratio(one.stored));
      if (vague === undefined) break;
      const { stored } = vague;
      const middle = Math.sqrt(stored.least * stored.most);
      found = [
        ...found.filter((part) => part !== vague),
        ...explain({ least: stored.least, most: middle }),
        ...explain({ least: middle, most: stored.most }),
      ];
    }
    if (found.length === 0) continue;
    return {
      least: Math.min(...found.map((part) => part.least)),
      most: Math.max(...found.map((part) => part.most)),
      stored: {
        least: Math.min(...found.map((part) => part.stored.least)),
        most: Math.max(...found.map((part) => part.stored.most)),
      },
    };
  }
  return null;
}

function isVague({ stored }: TokenBucket): boolean {
  return stored.most - stored.least > EXACTLY.calls && ratio(stored) > EXACTLY.times;
}

function ratio({ least, most }: Range): number {
  return most / least;
}

/** The bounds of the rate for what is stored in a range; none where no bucket explains the story. */
type Explain = (stored: Range) => TokenBucket[];

/** Parts that lie side by side share a bound, so what was found for it is kept. */
function explaining(story: Story, slack: number): Explain {
  // The largest store lets the most through, and the smallest refuses the most.
  const leastFor = remembering((stored) => rateWhere((rate) => lets(story, rate, stored, slack)));
  const mostFor = remembering((stored) =>
    stops(story, RATES.least, stored, slack) ? rateWhere((rate) => !stops(story, rate, stored, slack)) : 0,
  );
  return (stored) => {
    const most = mostFor(stored.least);
    if (most === 0) return [];
    const least = leastFor(stored.most);
    return least > most ? [] : [{ least, most, stored }];
  };
}

function remembering(find: (stored: number) => number): (stored: number) => number {
  const known = new Map<number, number>();
  return (stored) => {
    const found = known.get(stored) ?? find(stored);
    known.set(stored, found);
    return found;
  };
}

/** The rate from which on something is so. */
function rateWhere(isSo: (rate: number) => boolean): number {
  let { least, most } = RATES;
  for (let halving = 0; halving < RATES.halvings; halving += 1) {
    const middle = Math.sqrt(least * most);
    if (isSo(middle)) most = middle;
    else least = middle;
  }
  return most;
}

/** Whether a bucket has a token for each call that was let through. */
function lets({ requests, before }: Story, rate: number, stored: number, slack: number): boolean {
  let tokens = before === "empty" ? 1 : stored;
  let last = requests[0]?.at ?? 0;
  for (const { at, isRefused } of requests) {
    tokens = Math.min(stored, tokens + ((at - last) * rate) / 1000);
    last = at;
    if (isRefused) continue;
    tokens -= 1;
    if (tokens < -slack) return false;
  }
  return true;
}

/** Whether a bucket has no token for any call that was refused. */
function stops({ requests, before }: Story, rate: number, stored: number, slack: number): boolean {
  let tokens = before === "full" ? stored : 0;
  let last = requests[0]?.at ?? 0;
  for (const { at, isRefused } of requests) {
    tokens = Math.min(stored, tokens + ((at - last) * rate) / 1000);
    last = at;
    if (!isRefused) tokens -= 1;
    else if (tokens >= Math.min(stored, 1 + slack)) return false;
  }
  return true;
}
