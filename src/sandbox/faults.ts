import type { Clock } from "../model/clock.js";
import { makeBucket } from "./bucket.js";
import { chanceOf } from "./chance.js";
import type { Quirks } from "./exchange.js";
import { delayOf, type Latency } from "./latency.js";
import { makePattern } from "./pattern.js";

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

/** What ends a request otherwise than the service would. */
export type Ending =
  /** 429; the header is a count of seconds or a date, and left out when absent. */
  | { readonly fault: "throttle"; readonly retryAfter?: number | string }
  /** 429 for what comes faster than `rate` a second once `burst` is used up. */
  | { readonly fault: "bucket"; readonly rate: number; readonly burst: number }
  /** That status, before the write or, if `written`, after it. */
  | {
      readonly fault: "error";
      readonly status: 500 | 502 | 503 | 504;
      readonly retryAfter?: number | string;
      readonly written?: boolean;
    }
  /** The connection is reset before the body is read. */
  | { readonly fault: "reset" }
  /** The write is done, and the connection reset instead of a reply. */
  | { readonly fault: "lost" }
  /** The reply comes in pieces over that time. */
  | { readonly fault: "slow"; readonly milliseconds: number }
  /** Half of the reply comes, with a length that says it is whole. */
  | { readonly fault: "truncated" }
  /** A web page comes, with status 200. */
  | { readonly fault: "html" }
  /** The token is no longer good. */
  | { readonly fault: "expired" };

/** What changes how the service answers. */
export interface Mood {
  readonly fault: "quirks";
  readonly quirks: Quirks;
}

/** One kind of harm, and what it is aimed at. */
export type Rule = Aim & (Latency | Ending | Mood);

/** Everything that is to go wrong; the seed alone decides where chance is asked. */
export interface FaultPlan {
  readonly seed: number;
  readonly rules: readonly Rule[];
}

/** What the door knows of a request before it reads the body. */
export interface Target {
  readonly method: string;
  readonly path: string;
  readonly operation: string | null;
}

/** What a request is met with. */
export interface Strike {
  /** The reply is kept back for so many milliseconds. */
  readonly delay: number;
  readonly quirks: Quirks;
  readonly ending: Ending | null;
  /** For a bucket: the seconds until it has room. */
  readonly retryAfter: number | string | null;
}

/** What goes wrong, to be looked at and changed while requests come in. */
export interface Faults {
  readonly plan: FaultPlan;
  /** How often each rule of the plan has struck. */
  readonly strikes: readonly number[];
  /** Replaces the plan; counts and chances start anew. */
  set(plan: FaultPlan): void;
  /** Adds a rule behind the others. */
  plant(rule: Rule): void;
  /** What that request is met with; asked once for each. */
  strike(target: Target): Strike;
}

const NOTHING: Strike = { delay: 0, quirks: {}, ending: null, retryAfter: null };

/** No harm. */
export const NO_FAULTS: FaultPlan = { seed: 1, rules: [] };

/** Faults by that plan. */
export function makeFaults(first: FaultPlan, clock: Clock): Faults {
  let plan = first;
  let armed = arm(first, clock);
  return {
    get plan() {
      return plan;
    },
    get strikes() {
      return armed.map((rule) => rule.strikes());
    },
    set(next) {
      plan = next;
      armed = arm(next, clock);
    },
    plant(rule) {
      armed = [...armed, makeArmed(rule, plan.seed + plan.rules.length, clock)];
      plan = { ...plan, rules: [...plan.rules, rule] };
    },
    strike(target) {
      return armed.reduce((strike, rule) => rule.meet(target, strike), NOTHING);
    },
  };
}

interface Armed {
  readonly strikes: () => number;
  /** The strike with what this rule adds to it. */
  readonly meet: (target: Target, strike: Strike) => Strike;
}

function arm(plan: FaultPlan, clock: Clock): readonly Armed[] {
  return plan.rules.map((rule, place) => makeArmed(rule, plan.seed + place, clock));
}

function makeArmed(rule: Rule, seed: number, clock: Clock): Armed {
  const matchesPath = rule.path === undefined ? () => true : makePattern(rule.path);
  const bucket = rule.fault === "bucket" ? makeBucket(rule.rate, rule.burst, clock) : undefined;
  const draw = makeDraws(seed);
  let strikes = 0;
  return {
    strikes: () => strikes,
    meet(target, strike) {
      const isEnding = rule.fault !== "latency" && rule.fault !== "quirks";
      if (isEnding && strike.ending !== null) return strike;
      if (strikes >= (rule.times ?? Number.POSITIVE_INFINITY)) return strike;
      if (rule.method !== undefined && rule.method !== target.method) return strike;
      if (rule.operation !== undefined && rule.operation !== target.operation) return strike;
      if (!matchesPath(target.path)) return strike;
      const probability = rule.probability ?? 1;
      if (probability < 1 && draw(target) >= probability) return strike;
      const wait = bucket?.take() ?? 0;
      if (bucket !== undefined && wait === 0) return strike;
      strikes += 1;
      if (rule.fault === "latency") return { ...strike, delay: strike.delay + delayOf(rule, draw(target)) };
      if (rule.fault === "quirks") return { ...strike, quirks: { ...strike.quirks, ...rule.quirks } };
      return { ...strike, ending: rule, retryAfter: retryAfterOf(rule, wait) };
    },
  };
}

/**
 * Draws for one rule. Each is decided by the seed, the request's method and path, and how often those were drawn
 * for, so that requests which come side by side meet the same faults whoever is first.
 */
function makeDraws(seed: number): (target: Target) => number {
  const draws = new Map<string, number>();
  return ({ method, path }) => {
    const request = `${method} ${path}`;
    const count = (draws.get(request) ?? 0) + 1;
    draws.set(request, count);
    return chanceOf(seed, `${request} ${count}`);
  };
}

function retryAfterOf(rule: Ending, wait: number): number | string | null {
  if (rule.fault === "bucket") return wait;
  return rule.fault === "throttle" || rule.fault === "error" ? (rule.retryAfter ?? null) : null;
}
