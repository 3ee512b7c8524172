import type { Environment } from "@marcbachmann/cel-js";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { languageFor } from "../../../src/impact/rule/language.js";
import { type Match, readRule } from "../../../src/impact/rule/rule.js";
import { ANA, ANSWERS } from "../company.js";

const MIDNIGHT = Date.UTC(2026, 10, 20);
const TODAY = languageFor("User", ANSWERS, new Date(MIDNIGHT));

function answer(expression: string): Match | string {
  const rule = readRule(expression, TODAY);
  return rule.as === "unreadable" ? rule.why : rule.ask(ANA);
}

const HOUR = 3_600_000;
const HALF_HOURS = Array.from({ length: 48 }, (_, at) =>
  languageFor("User", ANSWERS, new Date(MIDNIGHT + (at * HOUR) / 2)),
);

/** What the service answers at one moment of the day. */
function answerAt(expression: string, now: Environment): unknown {
  try {
    return now.parse(expression)({ subject: ANA });
  } catch {
    return "a fault";
  }
}

const CHANGES = { unknown: "the answer of now() changes in the course of the day" };
const NOON = 'timestamp("2026-11-20T12:00:00Z")';

describe("now() is a whole day", () => {
  it.each<[string, Match | string]>([
    ['now() > timestamp("2026-11-19T23:59:59Z")', { is: true }],
    ['now() < timestamp("2026-11-21T00:00:00Z")', { is: true }],
    [`now() > ${NOON}`, CHANGES],
    [`now() > ${NOON} && subject.department == "Law"`, { is: false }],
    [`now() - ${NOON} > duration("-24h")`, { is: true }],
    // Neither at the start nor at the end of the day, but for an hour between.
    [`now() > ${NOON} && now() < timestamp("2026-11-20T13:00:00Z")`, CHANGES],
    ["now() == now()", "now() depends on the time of day"],
    [`now() == ${NOON}`, "now() depends on the time of day"],
    [`[${NOON}].exists_one(t, now() > t)`, "now() depends on the time of day"],
    [`cel.bind(t, now(), t > ${NOON})`, "now() depends on the time of day"],
    ["int(now()) % 2 == 0", "now() depends on the time of day"],
    ['string(now()) == "x"', "string depends on the time of day"],
    ["now().getHours() > 3", "getHours depends on the time of day"],
    ["timestamp('2026-11-20T12:00:00Z').getHours() == 12", { is: true }],
    ["now().getFullYear() == 2026", { is: true }],
    ['time.format(now(), "2006-01-02") == "2026-11-20"', { is: true }],
    ['time.format(now(), "2006-01-02", "Asia/Tokyo") == "2026-11-20"', CHANGES],
    ['time.start_of(now(), "day") == timestamp("2026-11-20T00:00:00Z")', { is: true }],
    ['time.start_of(now(), "hour") <= now()', CHANGES],
    [Array(5).fill("now() < now()").join(" || "), "now() in 10 places depends on the time of day"],
  ])("%s", (expression, expected) => {
    expect(answer(expression)).toEqual(expected);
  });

  it("has one answer only where each moment of the day gives it", () => {
    const moment = fc.integer({ min: -6, max: 30 }).map((hours) => new Date(MIDNIGHT + hours * HOUR));
    const literal = moment.map((at) => `timestamp("${at.toISOString()}")`);
    const zone = fc.constantFrom('"UTC"', '"Asia/Tokyo"', '"America/New_York"');
    const running = fc.oneof(
      fc.constant("now()"),
      fc.integer({ min: -30, max: 30 }).map((hours) => `now() - duration("${hours}h")`),
      zone.map((text) => `time.start_of(now(), "day", ${text})`),
      zone.map((text) => `time.end_of(now(), "hour", ${text})`),
    );
    const test = fc.oneof(
      fc
        .tuple(running, fc.constantFrom("<", "<=", ">", ">="), fc.oneof(literal, running))
        .map((all) => all.join(" ")),
      zone.map((text) => `time.format(now(), "02", ${text}) == "20"`),
      zone.map((text) => `now().getDayOfWeek(${text}) == 5`),
      fc.tuple(literal, literal).map(([one, two]) => `[${one}, ${two}].exists_one(t, now() > t)`),
      fc.constantFrom('subject.department == "Treasury"', "false"),
    );
    const rule = fc.oneof(
      test,
      fc
        .tuple(test, fc.constantFrom("&&", "||", "=="), test)
        .map(([one, tie, two]) => `(${one}) ${tie} !(${two})`),
      fc.tuple(test, test, test).map(([one, two, three]) => `(${one}) ? (${two}) : (${three})`),
    );
    fc.assert(
      fc.property(rule, (expression) => {
        const given = answer(expression);
        if (typeof given === "string" || !("is" in given)) return;
        for (const now of HALF_HOURS)
          expect([expression, answerAt(expression, now)]).toEqual([expression, given.is]);
      }),
      { numRuns: 200 },
    );
  });

  it("is exact for most rules that ask for a date", () => {
    for (const days of [-30, -1, 2, 90]) {
      const date = new Date(MIDNIGHT + days * 86_400_000).toISOString().slice(0, 10);
      expect(answer(`time.parse("${date}", "date") > now() - duration("12h")`)).toEqual({ is: days > 0 });
    }
  });
});
