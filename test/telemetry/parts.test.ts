import { setImmediate } from "node:timers/promises";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { targetFrom } from "../../src/cli/telemetry/target.js";
import { FIGURES, makeFigures, prometheusText } from "../../src/telemetry/figures.js";
import { sendLetter } from "../../src/telemetry/send.js";
import { traceOf, traceparentOf } from "../../src/telemetry/trace.js";
import { fakeClock } from "../fakes/clock.js";

describe("a trace", () => {
  const random = () => 0.5;
  const id = "0af7651916cd43dd8448eb211c80319c";

  it("is that of the pipeline, and passes on whether it is kept", () => {
    const trace = traceOf(`00-${id}-b7ad6b7169203331-00`, random);
    expect(trace).toEqual({ id, parent: "b7ad6b7169203331", isSampled: false });
    expect(traceparentOf(trace, "00f067aa0ba902b7")).toBe(`00-${id}-00f067aa0ba902b7-00`);
  });

  it.each([
    ["nothing", undefined],
    ["an empty text", ""],
    ["an id of zeros", `00-${"0".repeat(32)}-b7ad6b7169203331-01`],
    ["a version that cannot be", `ff-${id}-b7ad6b7169203331-01`],
    ["more than version 00 has", `00-${id}-b7ad6b7169203331-01-x`],
    ["another text", "b3: 1"],
  ])("is new where the pipeline names %s", (_what, text) => {
    expect(traceOf(text, random)).toEqual({
      id: "80".repeat(16),
      parent: null,
      isSampled: true,
    });
  });
});

describe("the text for Prometheus", () => {
  it("has one head for each figure that was seen, and no figure that was not", () => {
    const figures = makeFigures({ command: "plan" });
    figures.add("remit_run_calls", 1, { method: "GET", answer: "200" });
    figures.add("remit_run_calls", 2, { answer: "200", method: "GET" });
    figures.set("remit_drifted_objects", 0);
    expect(prometheusText(figures)).toBe(
      [
        "# HELP remit_run_calls Attempts at calls of the service, by what came back.",
        "# TYPE remit_run_calls gauge",
        'remit_run_calls{command="plan",method="GET",answer="200"} 3',
        "# HELP remit_drifted_objects Objects that were changed in the tenant since the last apply.",
        "# TYPE remit_drifted_objects gauge",
        'remit_drifted_objects{command="plan"} 0',
        "",
      ].join("\n"),
    );
  });

  it("keeps one sample on one line, whatever the name of a project is", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (project) => {
        const figures = makeFigures({ project });
        figures.set("remit_run_exit_code", 0);
        const text = prometheusText(figures);
        const [, , sample = "", ...rest] = text.split("\n");
        expect(rest).toEqual([""]);
        const [, written = ""] = /^remit_run_exit_code\{project="(.*)"\} 0$/su.exec(sample) ?? [];
        const read = written.replace(/\\(.)/gsu, (_all, one: string) => (one === "n" ? "\n" : one));
        expect(read).toBe(project);
      }),
    );
  });

  it("names every figure as Prometheus allows it", () => {
    for (const [name, { help }] of Object.entries(FIGURES)) {
      expect(name).toMatch(/^remit_[a-z_]+$/);
      expect(help).toMatch(/^[A-Z][^\n\\]+[^.]$/);
    }
  });
});

describe("the collector", () => {
  const ENDPOINT = "OTEL_EXPORTER_OTLP_ENDPOINT";

  it("is none where no variable names one, or one turns it off", () => {
    const named = { [ENDPOINT]: "http://localhost:4318" };
    for (const env of [{}, { ...named, OTEL_SDK_DISABLED: "TRUE" }])
      expect(targetFrom(env)).toEqual({ value: null, diagnostics: [] });
  });

  it("is at its address, without a slash at the end", () => {
    expect(targetFrom({ [ENDPOINT]: "https://c.example/otlp/" }).value).toMatchObject({
      url: "https://c.example/otlp",
      resource: { "service.name": "remit" },
    });
  });

  it("reads headers and attributes, and never waits longer than two seconds", () => {
    const { value } = targetFrom({
      [ENDPOINT]: "http://localhost:4318",
      OTEL_EXPORTER_OTLP_HEADERS: "authorization=Bearer%20abc, x-a = 1",
      OTEL_EXPORTER_OTLP_TIMEOUT: "60000",
      OTEL_RESOURCE_ATTRIBUTES: "team=access,service.name=nightly",
    });
    expect(value?.headers.authorization?.reveal()).toBe("Bearer abc");
    expect(JSON.stringify(value)).not.toContain("abc");
    expect(value).toMatchObject({
      timeout: 2000,
      resource: { team: "access", "service.name": "nightly" },
    });
  });

  it.each([
    [
      { [ENDPOINT]: "localhost:4318 secret" },
      "telemetry/endpoint",
      "OTEL_EXPORTER_OTLP_ENDPOINT is not an address",
    ],
    [{ [ENDPOINT]: "http://a b" }, "telemetry/endpoint", "not an address"],
    [
      { [ENDPOINT]: "http://a", OTEL_EXPORTER_OTLP_HEADERS: "secret" },
      "telemetry/pairs",
      "HEADERS is not a list",
    ],
    [
      { [ENDPOINT]: "http://a", OTEL_RESOURCE_ATTRIBUTES: "a=%zz" },
      "telemetry/pairs",
      "ATTRIBUTES is not a list",
    ],
    [
      { [ENDPOINT]: "http://a", OTEL_EXPORTER_OTLP_TIMEOUT: "10 secret" },
      "telemetry/value",
      "OTEL_EXPORTER_OTLP_TIMEOUT",
    ],
    [{ [ENDPOINT]: "http://a", OTEL_EXPORTER_OTLP_TIMEOUT: "0" }, "telemetry/value", "TIMEOUT"],
  ])("is refused, without its value, for %j", (env, code, message) => {
    const { value, diagnostics } = targetFrom(env);
    expect(value).toBeNull();
    expect(diagnostics).toEqual([
      expect.objectContaining({ code, message: expect.stringContaining(message) }),
    ]);
    expect(JSON.stringify(diagnostics)).not.toContain("secret");
  });
});

describe("sending", () => {
  const to = {
    url: "http://localhost:4318",
    headers: {},
    timeout: 2000,
    resource: {},
  } as const;
  const letter = { to, sort: "traces", body: {} } as const;

  it("is given up after the timeout, and the request with it", async () => {
    const clock = fakeClock();
    let given: AbortSignal | undefined;
    const found = await sendLetter(
      letter,
      (_message, signal) => {
        given = signal;
        return new Promise(() => undefined);
      },
      { ...clock, sleep: async (time) => setImmediate().then(() => clock.sleep(time)) },
    );
    expect(found).toMatchObject({ code: "telemetry/not-sent", severity: "warning" });
    expect([clock.slept, given?.aborted]).toEqual([[2000], true]);
  });

  it.each([
    [{ as: "lost", sent: false, untrusted: false, code: "ECONNREFUSED" } as const, "ECONNREFUSED"],
    [{ as: "too large", most: 1 } as const, "its reply is too large"],
    [{ as: "reply", status: 503, headers: {}, body: new Uint8Array(), took: 1 } as const, "it answered 503"],
  ])("says why the collector did not take it: %j", async (answer, why) => {
    const held = { ...fakeClock(), sleep: () => new Promise<void>(() => undefined) };
    const found = await sendLetter(letter, async () => answer, held);
    expect(found?.message).toBe(`the collector did not take the telemetry of this run: ${why}`);
  });
});
