import type { Clock } from "../../model/clock.js";
import type { Quirks } from "../http/exchange.js";
import { chanceOf } from "./chance.js";
import { makePattern } from "./pattern.js";
import { delayOf, type Ending, type FaultPlan, type Rule } from "./plan.js";

/** What is known of a request before it reads the body. */
interface Target {
  readonly method: string;
  readonly path: string;
  readonly operation: string | null;
  /** Whether a good token is asked for. */
  readonly guarded: boolean;
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
  const isAimedAt = makeAim(rule);
  const bucket = rule.fault === "bucket" ? makeBucket(rule.rate, rule.burst, clock) : undefined;
  const draw = makeDraws(seed);
  const { probability = 1, times = Number.POSITIVE_INFINITY } = rule;
  let strikes = 0;
  return {
    strikes: () => strikes,
    meet(target, strike) {
      const endsIt = rule.fault !== "latency" && rule.fault !== "quirks";
      if (strikes >= times || (endsIt && strike.ending !== null) || !isAimedAt(target)) return strike;
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

/** Whether a rule is about a request; a token can only expire where one is asked for. */
function makeAim({ fault, method, operation, path }: Rule): (target: Target) => boolean {
  const isLike = path === undefined ? () => true : makePattern(path);
  return (target) =>
    (method === undefined || method === target.method) &&
    (operation === undefined || operation === target.operation) &&
    (fault !== "expired" || target.guarded) &&
    isLike(target.path);
}

/**
 * Draws for one rule. The seed, the request's method and path, and the number of earlier draws for them decide each
 * draw. So concurrent requests meet the same faults in any order.
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

/** Lets a burst through, then so many a second. */
interface Bucket {
  /** 0 where there was room, else the whole seconds until there is some. */
  take(): number;
}

/** A full bucket. */
function makeBucket(rate: number, burst: number, clock: Clock): Bucket {
  let tokens = burst;
  let last = clock.elapsed();
  return {
    take() {
      const now = clock.elapsed();
      tokens = Math.min(burst, tokens + ((now - last) / 1000) * rate);
      last = now;
      if (tokens < 1) return Math.max(1, Math.ceil((1 - tokens) / rate));
      tokens -= 1;
      return 0;
    },
  };
}
