import type { Quirks } from "../http/exchange.js";
import { readDocument } from "../tenant/document.js";
import {
  flag,
  listOf,
  number,
  object,
  oneOf,
  optional,
  pairOf,
  type Read,
  refuse,
  text,
} from "../tenant/reading.js";

/** Which requests a rule is about, and how often it strikes; all of them, always, when empty. */
export interface Aim {
  readonly method?: string;
  /** A path, where `*` stands for any text. */
  readonly path?: string;
  /** The name of an operation. */
  readonly operation?: string;
  /** How likely it strikes, from 0 to 1; 1 when absent. */
  readonly probability?: number;
  /** After so many strikes the rule is spent; never when absent. */
  readonly times?: number;
}

/** The statuses that a fault can answer with. */
export const ERROR_STATUSES = [401, 403, 404, 408, 409, 499, 500, 502, 503, 504] as const;
export type ErrorStatus = (typeof ERROR_STATUSES)[number];

/** The statuses that a web page can come with, besides 200. */
const PAGE_STATUSES = [401, 403, 404, 500, 502, 503] as const;
export type PageStatus = (typeof PAGE_STATUSES)[number];

/** What ends a request otherwise than the service would. */
export type Ending =
  /** 429; the header is a count of seconds or a date, and left out when absent. */
  | { readonly fault: "throttle"; readonly retryAfter?: number | string }
  /** 429 for what comes faster than `rate` a second once `burst` is used up. */
  | { readonly fault: "bucket"; readonly rate: number; readonly burst: number }
  /** That status, before the write or, if `written`, after it. */
  | {
      readonly fault: "error";
      readonly status: ErrorStatus;
      readonly retryAfter?: number | string;
      readonly written?: boolean;
    }
  /** The connection is reset before the body is read. */
  | { readonly fault: "reset" }
  /** The write is done, and the connection reset instead of a reply. */
  | { readonly fault: "lost" }
  /** The reply comes in pieces over that time. */
  | { readonly fault: "slow"; readonly milliseconds: number }
  /** Half of the reply comes. */
  | { readonly fault: "truncated" }
  /** A web page comes: with status 200 after the write, with another status before it or, if `written`, after it. */
  | { readonly fault: "html"; readonly status?: 200 | PageStatus; readonly written?: boolean }
  /** The write is done, and the reply is `{}` with status 200. */
  | { readonly fault: "empty" }
  /**
   * The connection is reset, or that status answers, and the request is carried out later. That is after that time,
   * before the `requests`-th request that follows, or at the latest when the sandbox closes.
   */
  | {
      readonly fault: "late";
      readonly milliseconds?: number;
      readonly requests?: number;
      readonly status?: ErrorStatus;
    }
  /** The token is no longer good. */
  | { readonly fault: "expired" };

/** What changes how the service itself answers. */
interface Mood {
  readonly fault: "quirks";
  readonly quirks: Quirks;
}

/** One kind of harm, and what it is aimed at. */
export type Rule = Aim & (Latency | Ending | Mood);

/** All faults of a sandbox; the seed alone decides where chance is involved. */
export interface FaultPlan {
  readonly seed: number;
  readonly rules: readonly Rule[];
}

/** No harm. */
export const NO_FAULTS: FaultPlan = { seed: 1, rules: [] };

const aim = {
  method: optional(oneOf("GET", "POST", "DELETE")),
  path: optional(text),
  operation: optional(text),
  probability: optional(number(0, 1)),
  times: optional(number(1)),
};

const milliseconds = number(0, 3_600_000);

/** A hundred days, in milliseconds: further no clock of a sandbox is ahead or behind. */
const FAR = 8_640_000_000;
const retryAfter: Read<number | string | undefined> = optional((value, path) =>
  typeof value === "number" && value >= 0 ? value : text(value, path),
);

const quirks: Read<Quirks> = object({
  searchLag: optional(milliseconds),
  rewriteExpressions: optional(flag),
  shuffleLists: optional(flag),
  unknownFields: optional(flag),
  unknownEnums: optional(flag),
  pages: optional(oneOf("short", "overlong")),
  repeatPageToken: optional(flag),
  softDeleted: optional(oneOf("missing", "shown")),
  repeatedValues: optional(oneOf("made", "refused")),
  existingAutomation: optional(oneOf("conflict", "unknown", "replace")),
  spacing: optional(flag),
  listLag: optional(milliseconds),
  ownersLag: optional(milliseconds),
  ownedBy: optional(text),
  unlistedAutomations: optional(flag),
  volatileFields: optional(flag),
  laterVersion: optional(flag),
  ignoredFields: (value, path) => (value === undefined ? undefined : listOf(text)(value, path)),
  otherChoice: optional(flag),
  missingRows: optional(flag),
  shiftingPages: optional(flag),
  connectorSyncs: optional(flag),
  keptEdits: optional(flag),
  sharedAliases: optional(flag),
  defaultsRun: optional(oneOf("RUNNING", "FAILED")),
  builtInActions: optional(oneOf("taken", "refused")),
  cutRules: optional(flag),
  signatures: optional(flag),
  hiddenFields: (value, path) => (value === undefined ? undefined : listOf(text)(value, path)),
  clockAhead: optional(number(-FAR, FAR)),
});

/** The rest of a rule under each name of a fault. */
const FAULTS: Readonly<Record<Rule["fault"], Read<Rule>>> = {
  latency: readLatency,
  throttle: object({ ...aim, fault: oneOf("throttle"), retryAfter }),
  bucket: object({ ...aim, fault: oneOf("bucket"), rate: number(0.001), burst: number(1) }),
  error: object({
    ...aim,
    fault: oneOf("error"),
    status: oneOf(...ERROR_STATUSES),
    retryAfter,
    written: optional(flag),
  }),
  reset: object({ ...aim, fault: oneOf("reset") }),
  lost: object({ ...aim, fault: oneOf("lost") }),
  slow: object({ ...aim, fault: oneOf("slow"), milliseconds }),
  truncated: object({ ...aim, fault: oneOf("truncated") }),
  html: object({
    ...aim,
    fault: oneOf("html"),
    status: optional(oneOf(200, ...PAGE_STATUSES)),
    written: optional(flag),
  }),
  empty: object({ ...aim, fault: oneOf("empty") }),
  late: object({
    ...aim,
    fault: oneOf("late"),
    milliseconds: optional(milliseconds),
    requests: optional(number(1)),
    status: optional(oneOf(...ERROR_STATUSES)),
  }),
  expired: object({ ...aim, fault: oneOf("expired") }),
  quirks: object({ ...aim, fault: oneOf("quirks"), quirks }),
};

/** Reads a file of faults; throws a `BadFile` that knows every place that is wrong. */
export function readFaults(source: string, file: string): FaultPlan {
  return readDocument(source, file, (value, path) => readPlan(value ?? {}, path));
}

/** Reads one rule. */
export const readRule: Read<Rule> = (value, path) => {
  const names = Object.keys(FAULTS) as Rule["fault"][];
  const fault = typeof value === "object" && value !== null && "fault" in value ? value.fault : undefined;
  const name = names.find((each) => each === fault);
  if (name === undefined) return refuse([...path, "fault"], `must be one of ${names.join(", ")}`);
  return FAULTS[name](value, path);
};

/** Reads a plan, as a file or a request has it. */
export const readPlan: Read<FaultPlan> = (value, path) => {
  const { seed = NO_FAULTS.seed, rules } = object({ seed: optional(number(0)), rules: listOf(readRule) })(
    value,
    path,
  );
  return { seed, rules };
};

function readLatency(...[value, path]: Parameters<Read<Rule>>): Rule {
  const fault = oneOf("latency");
  const given = typeof value === "object" && value !== null ? value : {};
  if ("between" in given) return object({ ...aim, fault, between: pairOf(milliseconds) })(value, path);
  if ("median" in given)
    return object({ ...aim, fault, median: milliseconds, p99: milliseconds })(value, path);
  return object({ ...aim, fault, milliseconds })(value, path);
}

/** A delay before each answer: fixed, even between two bounds, or long-tailed with a median and a 99th percentile. */
type Latency = { readonly fault: "latency" } & (
  | { readonly milliseconds: number }
  | { readonly between: readonly [number, number] }
  | { readonly median: number; readonly p99: number }
);

/** The 99th percentile of the normal distribution. */
const Z99 = 2.3263;

/** The delay in milliseconds for a draw from 0 up to 1. */
export function delayOf(latency: Latency, draw: number): number {
  if ("milliseconds" in latency) return latency.milliseconds;
  if ("between" in latency) return latency.between[0] + draw * (latency.between[1] - latency.between[0]);
  const sigma = Math.log(latency.p99 / latency.median) / Z99;
  return latency.median * Math.exp(sigma * normal(draw));
}

/** The normal quantile, near enough for a delay (Tukey's lambda). */
function normal(draw: number): number {
  const p = Math.min(Math.max(draw, 0.0001), 0.9999);
  return (p ** 0.1349 - (1 - p) ** 0.1349) / 0.1975;
}
