import { describe, expect, it } from "vitest";
import { parseFaults } from "../../../src/sandbox/faults/flag.js";
import type { Rule } from "../../../src/sandbox/faults/plan.js";
import { Unreadable } from "../../../src/sandbox/tenant/reading.js";

describe("the flag for faults", () => {
  it.each<[string, Rule]>([
    ["latency=20", { fault: "latency", milliseconds: 20 }],
    ["latency=10-200", { fault: "latency", between: [10, 200] }],
    ["429", { fault: "throttle", probability: 1 }],
    ["429=0.05", { fault: "throttle", probability: 0.05 }],
    ["429=.5:2", { fault: "throttle", probability: 0.5, retryAfter: 2 }],
    ["bucket=50/10", { fault: "bucket", rate: 50, burst: 10 }],
    ["500=0.1", { fault: "error", status: 500, probability: 0.1 }],
    ["504=1", { fault: "error", status: 504, probability: 1 }],
    ["reset=0.1", { fault: "reset", probability: 0.1 }],
    ["lost=0.1", { fault: "lost", probability: 0.1 }],
    ["403@ListApps", { fault: "error", status: 403, probability: 1, operation: "ListApps" }],
    ["500@/api/v1/apps/*=0.5", { fault: "error", status: 500, probability: 0.5, path: "/api/v1/apps/*" }],
    ["stray-404", { fault: "html", status: 404, probability: 1 }],
    ["empty", { fault: "empty", probability: 1 }],
    ["late=5000", { fault: "late", milliseconds: 5000 }],
    ["list-lag=2000", { fault: "quirks", quirks: { listLag: 2000 } }],
    ["owners-lag=120000", { fault: "quirks", quirks: { ownersLag: 120_000 } }],
    ["shifting-pages", { fault: "quirks", quirks: { shiftingPages: true }, probability: 1 }],
    ["slow=500", { fault: "slow", milliseconds: 500 }],
    ["search-lag=2000", { fault: "quirks", quirks: { searchLag: 2000 } }],
    ["short-pages", { fault: "quirks", quirks: { pages: "short" }, probability: 1 }],
    ["repeated-token=0.5", { fault: "quirks", quirks: { repeatPageToken: true }, probability: 0.5 }],
  ])("%s", (flag, rule) => {
    expect(parseFaults(flag)).toEqual({ seed: 1, rules: [rule] });
  });

  it("may hold several, and a seed", () => {
    const { seed, rules } = parseFaults("lost=0.01, seed=7, html=0.02");
    expect([seed, rules.map((rule) => rule.fault)]).toEqual([7, ["lost", "html"]]);
  });

  it.each([
    ["teapot", "teapot is not a fault; the faults are latency, 429,"],
    ["lost=2", "lost=2 is not understood; write it as lost=0.1"],
    ["429=x", "write it as 429=0.1, or 429=0.1:2"],
    ["429=0.1:x", "write it as 429=0.1, or 429=0.1:2"],
    ["bucket=0/1", "write it as bucket=50/10"],
    ["403@", "write it as 403@ListApps or 403@/api/v1/apps/*"],
    ["latency", "write it as latency=20"],
    ["slow=", "write it as slow=500"],
    ["seed=x", "seed=x is not understood"],
    ["lost=0.1=2", "write it as lost=0.1"],
  ])("that says %s is refused", (flag, words) => {
    expect(() => parseFaults(flag)).toThrow(Unreadable);
    expect(() => parseFaults(flag)).toThrow(words);
  });
});
