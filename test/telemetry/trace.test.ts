import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Address } from "../../src/model/address.js";
import type { Call } from "../../src/model/call.js";
import { makeTelemetry } from "../../src/telemetry/telemetry.js";
import { traceOf } from "../../src/telemetry/trace.js";
import { fakeClock } from "../fakes/clock.js";

const call: Call = {
  operation: "Test",
  method: "POST",
  path: ["api", "v1", "apps", "x", "entitlements"],
  effect: "once",
};
const addressOf = (name: string): Address => ({ kind: "Entitlement", name });

function begin() {
  const clock = fakeClock(0);
  let last = 0;
  const random = () => {
    last = (last + 0.137) % 1;
    return last;
  };
  const trace = traceOf(undefined, random);
  const telemetry = makeTelemetry({ command: "apply", project: null, trace, clock, random });
  return { clock, telemetry };
}

const outcomes = { done: 0, failed: 0, skipped: 0, refused: 0, left: 0, uncertain: 0 };
const counts = { outcomes, calls: 0, retries: 0, throttled: 0 };
const finished = (name: string, outcome: "done" | "failed" | "left") =>
  ({
    type: "step finished",
    address: addressOf(name),
    action: "create",
    outcome,
    step: null,
    key: null,
    record: null,
    diagnostics: [],
  }) as const;

describe("a call of a step", () => {
  it("is below its step, from its first read on, and says what it waited for", () => {
    const { clock, telemetry } = begin();
    const read = telemetry.watch.begin(call, addressOf("a"));
    read.leaving();
    clock.advance(5);
    read.attempted(200);
    read.ended(200);
    telemetry.heard({ type: "run started", run: "r", plan: "p", steps: 1, calls: 1 });
    telemetry.heard({ type: "step started", address: addressOf("a"), action: "create" });
    const sent = telemetry.watch.begin(call, addressOf("a"));
    clock.advance(40);
    sent.leaving();
    clock.advance(5);
    sent.attempted(429);
    sent.retried({ attempt: 2, waiting: 1000, why: "never shown" });
    clock.advance(1300);
    sent.leaving();
    sent.attempted(201);
    sent.ended(201);
    telemetry.heard(finished("a", "done"));
    const { spans } = telemetry.end(0, 0);
    const step = spans.find(({ name }) => name === "create Entitlement");
    expect(step).toMatchObject({ start: 0, end: 1350, attributes: { "remit.step.outcome": "done" } });
    expect(spans.find(({ id }) => id === step?.parent)?.name).toBe("apply");
    const calls = spans.filter(({ isCall }) => isCall);
    expect(calls.map(({ parent }) => parent)).toEqual([step?.id, step?.id]);
    expect(calls[1]?.events).toEqual([
      { name: "waited", at: 45, attributes: { "remit.wait_ms": 40 } },
      {
        name: "retry",
        at: 50,
        attributes: {
          "http.request.resend_count": 1,
          "http.response.status_code": 429,
          "remit.wait_ms": 1000,
        },
      },
      // The pace held it for longer than the service had asked for.
      { name: "waited", at: 1350, attributes: { "remit.wait_ms": 300 } },
    ]);
    expect(JSON.stringify(spans)).not.toContain("never shown");
  });

  it("belongs to the one trace, whatever happens in whatever order", () => {
    const name = fc.constantFrom("a", "b", "c");
    const happening = fc.oneof(
      fc.record({ what: fc.constant("call" as const), step: fc.option(name), ends: fc.boolean() }),
      fc.record({ what: fc.constantFrom("start" as const, "finish" as const), step: name }),
      fc.record({ what: fc.constantFrom("run" as const, "end" as const), step: name }),
    );
    fc.assert(
      fc.property(fc.array(happening), (all) => {
        const { clock, telemetry } = begin();
        for (const one of all) {
          clock.advance(1);
          if (one.what === "call") {
            const watched = telemetry.watch.begin(call, one.step === null ? null : addressOf(one.step));
            clock.advance(1);
            if (one.ends) watched.ended(200);
          } else if (one.what === "run")
            telemetry.heard({ type: "run started", run: "r", plan: "p", steps: 1, calls: 1 });
          else if (one.what === "end") telemetry.heard({ ...counts, type: "run finished", run: "r" });
          else if (one.what === "start")
            telemetry.heard({ type: "step started", address: addressOf(one.step), action: "create" });
          else telemetry.heard(finished(one.step, "left"));
        }
        const { spans } = telemetry.end(0, null);
        const byId = new Map(spans.map((span) => [span.id, span]));
        expect(byId.size).toBe(spans.length);
        const whole = spans.at(-1);
        for (const span of spans.slice(0, -1)) {
          const parent = byId.get(span.parent ?? "");
          expect(parent, span.name).toBeDefined();
          expect(span.start).toBeGreaterThanOrEqual(parent?.start ?? 0);
          expect(span.end).toBeLessThanOrEqual(parent?.end ?? 0);
        }
        expect(whole).toMatchObject({ name: "remit apply", parent: null });
      }),
    );
  });
});
