import { govern, httpDate, type Load, type Outcome } from "./governed.js";
import {
  asked,
  between,
  bucket,
  chance,
  each,
  fixedWindow,
  queueing,
  type Service,
  saying,
  slidingWindow,
  type Verdict,
} from "./service.js";

/** A load, and what is best against its service. */
export interface Scenario {
  readonly name: string;
  readonly load: Load;
  /** Calls per second that a client which knows the rule gets through, counted from this second. */
  readonly most: number;
  readonly from: number;
  /** The share of calls after the first five seconds that may be refused; null where the service refuses by chance. */
  readonly share: number | null;
  /** The share of what is best that is used at least. */
  readonly least: number;
}

/** What a client reached in a scenario. */
export interface Measured extends Pick<Outcome, "width" | "narrowest" | "throttled" | "failed"> {
  /** The share of what is best. */
  readonly used: number;
  /** The share of all calls that was refused, after the first five seconds. */
  readonly refused: number;
}

/** Runs a scenario. */
export async function measure({ load, most, from }: Scenario): Promise<Measured> {
  const { attempts, width, narrowest, throttled, failed } = await govern(load);
  const accepted = attempts.filter(({ at, status }) => status < 429 && at >= from * 1000).length;
  const late = attempts.filter(({ at }) => at > Math.max(5, from) * 1000);
  const refused = late.filter(({ status }) => status >= 429).length / Math.max(1, late.length);
  return { used: accepted / (most * (load.seconds - from)), refused, width, narrowest, throttled, failed };
}

const WIDTHS = [1, 10, 50];
/** Milliseconds that a mixed call takes. */
const CALL = 60;

/** All scenarios, each with a service of its own. */
export function scenarios(): Scenario[] {
  return [
    ...byChance(),
    ...buckets(),
    ...windows(),
    ...jittery(),
    ...shared(),
    ...said(),
    ...parted(),
    ...changing(),
    ...queues(),
  ];
}

/** Where others use the limit, too, each takes what the others leave. */
const SHARED = 0.65;

function scenario(
  name: string,
  load: Pick<Load, "service" | "width" | "seconds"> & Partial<Load>,
  most: number,
) {
  const atMost = (load.width * 1000) / CALL;
  return {
    name,
    load: { calls: "mixed", ...load },
    most: Math.min(most, atMost),
    from: 0,
    share: 0.03,
    least: 0.85,
  } as const;
}

function byChance(): Scenario[] {
  return [0.005, 0.02].flatMap((share) =>
    WIDTHS.map((width) => ({
      ...scenario(
        `by chance ${share * 100} %, ${width} wide`,
        { service: chance(share), width, seconds: 60 },
        // Each refusal costs its own retry: an eighth of a second on average, and the way of the refusal.
        (width * 1000) / (CALL + (share / (1 - 2 * share)) * 135),
      ),
      share: null,
    })),
  );
}

function buckets(): Scenario[] {
  return [5, 20, 100, 1000].flatMap((limit) =>
    [1, 20, 200].flatMap((burst) =>
      [null, 1].flatMap((wait) =>
        WIDTHS.map((width) =>
          scenario(
            `${limit}/s, ${burst} stored, ${wait === null ? "no Retry-After" : "Retry-After 1"}, ${width} wide`,
            {
              service: bucket(limit, burst, wait),
              width,
              seconds: limit === 5 ? 1_000 : limit === 1000 ? 120 : 300,
            },
            limit,
          ),
        ),
      ),
    ),
  );
}

function windows(): Scenario[] {
  return [
    [10, 1],
    [100, 1],
    [100, 10],
    [100, 60],
    [600, 60],
    [3000, 60],
  ].flatMap(([count = 0, seconds = 0]) =>
    [true, false].flatMap((says) =>
      [10, 50].flatMap((width) =>
        [fixedWindow, slidingWindow].map((window) =>
          scenario(
            `${count} each ${seconds} s, ${window === fixedWindow ? "fixed" : "sliding"}, ${says ? "" : "no "}Retry-After, ${width} wide`,
            { service: window(count, seconds, says), width, seconds: 300 },
            count / seconds,
          ),
        ),
      ),
    ),
  );
}

/** Milliseconds by which a request may be late. */
const JITTER = 10;

/** The requests overtake each other on their way: without a store, none is refused where the jitter is kept apart, too. */
function jittery(): Scenario[] {
  return [20, 100].flatMap((limit) =>
    [1, 2, 20].flatMap((burst) =>
      [null, 1].map((wait) =>
        scenario(
          `${limit}/s, ${burst} stored, ${wait === null ? "no Retry-After" : "Retry-After 1"}, 10 ms of jitter`,
          { service: bucket(limit, burst, wait), width: 50, seconds: 120, jitter: JITTER },
          burst === 1 ? 1000 / (1000 / limit + JITTER) : limit,
        ),
      ),
    ),
  );
}

/** The same limit is used by others, too. */
function shared(): Scenario[] {
  return [null, 1].flatMap((wait) => {
    const says = wait === null ? "no Retry-After" : "Retry-After 1";
    const load = { width: 10, seconds: 180 };
    const steady = () => ({ ...load, service: asked(50, 30, 90, bucket(100, 20, wait)) });
    const alike = () => ({ ...load, service: bucket(100, 20, wait), rival: { from: 30, to: 90 } });
    return [
      {
        ...scenario(
          `100/s, another client takes half from 30 s to 90 s, ${says}`,
          steady(),
          (100 * 2 + 50) / 3,
        ),
        least: SHARED,
      },
      {
        ...scenario(`100/s, that client has gone for 30 s, ${says}`, steady(), 100),
        from: 120,
        least: SHARED,
      },
      {
        ...scenario(`100/s, another governed client from 30 s to 90 s, ${says}`, alike(), (100 * 2 + 50) / 3),
        least: SHARED,
      },
      {
        ...scenario(`100/s, that governed client has gone for 30 s, ${says}`, alike(), 100),
        from: 120,
        least: SHARED,
      },
    ];
  });
}

/** A service may ask for time in other words. */
function said(): Scenario[] {
  const date = (verdict: Verdict, now: number) => ({ ...verdict, wait: httpDate(now + 1_000) });
  const as = (name: string, says: (verdict: Verdict, now: number) => Verdict, load: Partial<Load> = {}) =>
    scenario(
      `100/s, 20 stored, ${name}`,
      { service: saying(says, bucket(100, 20, 1)), width: 10, seconds: 120, ...load },
      100,
    );
  return [
    as("Retry-After is a date", date),
    as("Retry-After is a date, this clock is an hour ahead", date, { ahead: 3_600_000 }),
    as("Retry-After is a date, this clock is an hour behind", date, { ahead: -3_600_000 }),
    as("Retry-After is negative", (verdict) => ({ ...verdict, wait: "-1" })),
    as("Retry-After is 0", (verdict) => ({ ...verdict, wait: 0 })),
    as("503 and Retry-After 1", (verdict) => ({ ...verdict, status: 503 })),
    as("503", () => ({ status: 503, wait: null })),
  ];
}

/** Only some calls have a limit, or each kind its own; every second call is a read. */
function parted(): Scenario[] {
  return [null, 1].flatMap((wait) => {
    const says = wait === null ? "no Retry-After" : "Retry-After 1";
    const one = (name: string, reads: Service, writes: Service, most: number) =>
      scenario(`${name}, ${says}`, { service: each(reads, writes), width: 10, seconds: 120 }, most);
    return [
      one("only writes have a limit, 20/s", chance(0), bucket(20, 20, wait), 40),
      one("only reads have a limit, 20/s", bucket(20, 20, wait), chance(0), 40),
      one("reads 50/s, writes 10/s", bucket(50, 20, wait), bucket(10, 20, wait), 20),
    ];
  });
}

/** A service that refuses everything may count in windows: so many seconds later that is disproved. */
const LATER = 90;

/** The service changes in mid-run. */
function changing(): Scenario[] {
  const halving = (now: number) => (now < 60_000 ? 100 : 50);
  const doubling = (now: number) => (now < 60_000 ? 50 : 100);
  return [10, 50].flatMap((width) => [
    scenario(`100/s halves, ${width} wide`, { service: bucket(halving, 20, null), width, seconds: 120 }, 75),
    scenario(`50/s doubles, ${width} wide`, { service: bucket(doubling, 20, null), width, seconds: 120 }, 75),
    ...[429, 503].flatMap((status) =>
      [null, 1, 86_400].map((wait) => ({
        ...scenario(
          `${status} for 20 s, ${wait === null ? "no Retry-After" : `Retry-After ${wait}`}, later, ${width} wide`,
          {
            service: between(10, 30, { status, wait }, chance(0)),
            width,
            seconds: (wait === 86_400 ? 330 : 40) + LATER,
          },
          1_000,
        ),
        from: (wait === 86_400 ? 310 : 30) + LATER,
        share: 1,
      })),
    ),
  ]);
}

function queues(): Scenario[] {
  return [
    [5, 10],
    [10, 50],
    [20, 50],
    [50, 50],
  ].map(([places = 0, width = 0]) =>
    scenario(
      `${places} places, ${width} wide`,
      { service: queueing(places, 50), width, seconds: 60 },
      (places * 1000) / 50,
    ),
  );
}
