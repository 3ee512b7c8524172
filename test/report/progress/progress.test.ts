import { describe, expect, it } from "vitest";
import type { Event } from "../../../src/apply/event.js";
import { advance, NO_PROGRESS, type Progress } from "../../../src/report/progress/progress.js";
import { plainLine, renderProgress } from "../../../src/report/progress/render.js";
import { plain } from "../../../src/report/text/paint.js";

const address = (name: string) => ({ kind: "ResourceType", name });
const started = (name: string): Event => ({ type: "step started", address: address(name), action: "update" });
const finished = (name: string, outcome: "done" | "failed" = "done"): Event => ({
  type: "step finished",
  address: address(name),
  action: "update",
  outcome,
  step: null,
  key: null,
  record: null,
  diagnostics: [],
});
const BEGIN: Event = { type: "run started", run: "r", plan: "p", steps: 10, calls: 12 };

/** What is shown after events, each a second after the one before. */
function heard(...events: readonly Event[]): Progress {
  return events.reduce((progress, event, second) => advance(progress, event, second * 1000), NO_PROGRESS);
}

const show = (progress: Progress, now: number, columns = 60) =>
  renderProgress(progress, { columns, now, paint: plain, most: 2 });

describe("a running apply", () => {
  it("has a line for each running step, and a bar", () => {
    const progress = heard(
      BEGIN,
      started("one"),
      started("two"),
      finished("one"),
      started("three"),
      started("four"),
    );
    expect(show(progress, 8000)).toMatchInlineSnapshot(`
      "› update ResourceType/two 6 s
      › update ResourceType/three 4 s
        … and 1 more under way
      █░░░░░░░░░░░░░░ 1 of 10 steps, 0.1/s, 72 s left"
    `);
  });

  it("says why a step waits, and that all are slowed down", () => {
    const waiting: Event = {
      type: "retried",
      address: address("one"),
      attempt: 2,
      waiting: 8000,
      why: "429 Too Many Requests",
    };
    const slow: Event = { type: "throttled", milliseconds: 4000, width: 3 };
    const progress = heard(BEGIN, started("one"), waiting, slow);
    expect(show(progress, 4000)).toMatchInlineSnapshot(`
      "› update ResourceType/one 6 s until attempt 2: 429 Too Many…
        the service asks to slow down: 3 s, then 3 at a time
      ░░░░░░░░░░░░░░░ 0 of 10 steps"
    `);
    expect(show(progress, 30_000)).not.toContain("429");
  });

  it("says that the object of a create is looked for, and for how long", () => {
    const why = "the server answered 500";
    const looking: Event = { type: "looking", address: address("one"), milliseconds: 50_000, why };
    const progress = heard(BEGIN, started("one"), looking);
    expect(show(progress, 4000, 80)).toMatchInlineSnapshot(`
      "› update ResourceType/one 48 s at most to find it in a list: the server answere…
      ░░░░░░░░░░░░░░░░░░░░ 0 of 10 steps"
    `);
    expect(plainLine(progress, 4000)).toMatchInlineSnapshot(
      `"0 of 10 steps, looking for 1 object in lists of the service that may be late, for 48 s at most"`,
    );
    expect(plainLine(progress, 60_000)).not.toContain("looking");
  });

  it("tells what failed, and that it is stopping", () => {
    const progress = heard(BEGIN, started("one"), finished("one", "failed"), {
      type: "interrupted",
      signal: "SIGINT",
    });
    expect(plainLine(progress, 4000)).toBe("1 of 10 steps, 1 failed, stopping for SIGINT, 0.3/s, 36 s left");
  });

  it("guesses no rate before anything ended", () => {
    expect(plainLine(heard(BEGIN, started("one")), 5000)).toBe("0 of 10 steps");
  });

  it("is nowhere wider than the terminal", () => {
    const progress = heard(BEGIN, started("a-very-long-name-".repeat(8)), finished("x"));
    for (const line of show(progress, 9000, 40).split("\n")) expect(line.length).toBeLessThanOrEqual(40);
  });

  it("has a full bar when there is nothing to do", () => {
    expect(show(heard({ ...BEGIN, steps: 0 } as Event), 0)).not.toContain("░");
  });
});
