import { setImmediate } from "node:timers/promises";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { samplerFrom } from "../../src/cli/telemetry/sampler.js";
import { targetFrom } from "../../src/cli/telemetry/target.js";
import { FIGURES, makeFigures } from "../../src/telemetry/figures.js";
import { prometheusText } from "../../src/telemetry/prometheus.js";
import { DEFAULT_SAMPLER, isKept } from "../../src/telemetry/sampler.js";
import { sendLetter } from "../../src/telemetry/send.js";
import { traceOf, traceparentOf } from "../../src/telemetry/trace.js";
import { fakeClock } from "../fakes/clock.js";

describe("a trace", () => {
  const random = () => 0.5;
  const id = "0af7651916cd43dd8448eb211c80319c";

  it("is that of the pipeline, and passes on whether it is kept", () => {
    const trace = traceOf(`00-${id}-b7ad6b7169203331-00`, DEFAULT_SAMPLER, random);
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
    expect(traceOf(text, DEFAULT_SAMPLER, random)).toEqual({
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
    const none = { ...named, OTEL_TRACES_EXPORTER: "none", OTEL_METRICS_EXPORTER: "none" };
    expect(targetFrom(none)).toEqual({ value: null, diagnostics: [] });
  });

  it("gets traces and figures below its address, or each at its own", () => {
    expect(targetFrom({ [ENDPOINT]: "https://c.example/otlp/" }).value).toMatchObject({
      traces: { url: "https://c.example/otlp/v1/traces", encoding: "json", isCompressed: false },
      metrics: { url: "https://c.example/otlp/v1/metrics" },
      resource: { "service.name": "remit" },
    });
    const own = { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "http://t.example/x" };
    expect(targetFrom(own).value).toMatchObject({ traces: { url: "http://t.example/x" }, metrics: null });
  });

  it("reads headers and attributes, and never waits longer than two seconds", () => {
    const { value } = targetFrom({
      [ENDPOINT]: "http://localhost:4318",
      OTEL_EXPORTER_OTLP_HEADERS: "authorization=Bearer%20abc, x-a = 1",
      OTEL_EXPORTER_OTLP_TIMEOUT: "60000",
      OTEL_RESOURCE_ATTRIBUTES: "team=access,service.name=nightly",
    });
    expect(value?.traces?.headers.authorization?.reveal()).toBe("Bearer abc");
    expect(JSON.stringify(value)).not.toContain("abc");
    expect(value).toMatchObject({
      traces: { timeout: 2000 },
      resource: { team: "access", "service.name": "nightly" },
    });
  });

  it("gets each signal as its own variables say, and else as those of both do", () => {
    const { value } = targetFrom({
      [ENDPOINT]: "http://localhost:4318",
      OTEL_EXPORTER_OTLP_HEADERS: "x-of=both",
      OTEL_EXPORTER_OTLP_TRACES_HEADERS: "x-of=traces",
      OTEL_EXPORTER_OTLP_PROTOCOL: "http/protobuf",
      OTEL_EXPORTER_OTLP_METRICS_PROTOCOL: "http/json",
      OTEL_EXPORTER_OTLP_COMPRESSION: "none",
      OTEL_EXPORTER_OTLP_METRICS_COMPRESSION: "gzip",
      OTEL_EXPORTER_OTLP_TIMEOUT: "1500",
      OTEL_EXPORTER_OTLP_TRACES_TIMEOUT: "100",
    });
    expect(value?.traces).toMatchObject({ encoding: "protobuf", isCompressed: false, timeout: 100 });
    expect(value?.traces?.headers["x-of"]?.reveal()).toBe("traces");
    expect(value?.metrics).toMatchObject({ encoding: "json", isCompressed: true, timeout: 1500 });
    expect(value?.metrics?.headers["x-of"]?.reveal()).toBe("both");
  });

  it("is used without the certificates that remit does not read, and the run says so", () => {
    const env = { [ENDPOINT]: "http://localhost:4318", OTEL_EXPORTER_OTLP_CERTIFICATE: "/ca.pem" };
    const { value, diagnostics } = targetFrom(env);
    expect(value).not.toBeNull();
    expect(diagnostics).toMatchObject([{ code: "telemetry/unread", severity: "warning" }]);
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
      { [ENDPOINT]: "http://a", OTEL_EXPORTER_OTLP_PROTOCOL: "grpc" },
      "telemetry/protocol",
      "another protocol",
    ],
    [
      { [ENDPOINT]: "http://a", OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: "grpc" },
      "telemetry/protocol",
      "OTEL_EXPORTER_OTLP_TRACES_PROTOCOL",
    ],
    [
      { [ENDPOINT]: "http://a", OTEL_EXPORTER_OTLP_METRICS_HEADERS: "secret" },
      "telemetry/pairs",
      "OTEL_EXPORTER_OTLP_METRICS_HEADERS",
    ],
    [
      { [ENDPOINT]: "http://a", OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: "secret" },
      "telemetry/endpoint",
      "OTEL_EXPORTER_OTLP_METRICS_ENDPOINT",
    ],
    [
      { [ENDPOINT]: "http://a", OTEL_EXPORTER_OTLP_TIMEOUT: "10 secret" },
      "telemetry/value",
      "OTEL_EXPORTER_OTLP_TIMEOUT",
    ],
    [
      { [ENDPOINT]: "http://a", OTEL_EXPORTER_OTLP_TRACES_TIMEOUT: "0" },
      "telemetry/value",
      "OTEL_EXPORTER_OTLP_TRACES_TIMEOUT",
    ],
    [
      { [ENDPOINT]: "http://a", OTEL_EXPORTER_OTLP_COMPRESSION: "zstd-secret" },
      "telemetry/value",
      "OTEL_EXPORTER_OTLP_COMPRESSION",
    ],
    [{ [ENDPOINT]: "http://a", OTEL_TRACES_EXPORTER: "console" }, "telemetry/value", "OTEL_TRACES_EXPORTER"],
    [
      { [ENDPOINT]: "http://a", OTEL_TRACES_SAMPLER: "jaeger_remote" },
      "telemetry/value",
      "OTEL_TRACES_SAMPLER",
    ],
    [
      { [ENDPOINT]: "http://a", OTEL_TRACES_SAMPLER: "traceidratio", OTEL_TRACES_SAMPLER_ARG: "2" },
      "telemetry/value",
      "OTEL_TRACES_SAMPLER_ARG",
    ],
  ])("is refused, without its value, for %j", (env, code, message) => {
    const { value, diagnostics } = targetFrom(env);
    expect(value).toBeNull();
    expect(diagnostics).toEqual([
      expect.objectContaining({ code, message: expect.stringContaining(message) }),
    ]);
    expect(JSON.stringify(diagnostics)).not.toContain("secret");
  });
});

describe("a sampler", () => {
  const ids = Array.from(
    { length: 1000 },
    (_, at) =>
      at.toString(16).padStart(18, "0") +
      ((((at * 7919) % 1000) / 1000) * 2 ** 56).toString(16).padStart(14, "0"),
  );
  const kept = (env: Readonly<Record<string, string>>, parent: boolean | null) => {
    const { value } = samplerFrom(env);
    return ids.filter((id) => isKept(id, parent, value)).length;
  };

  it.each([
    [undefined, undefined, [1000, 1000, 0]],
    ["always_on", undefined, [1000, 1000, 1000]],
    ["always_off", undefined, [0, 0, 0]],
    ["traceidratio", "0.25", [250, 250, 250]],
    ["traceidratio", undefined, [1000, 1000, 1000]],
    ["parentbased_always_off", undefined, [0, 1000, 0]],
    ["parentbased_traceidratio", "0.25", [250, 1000, 0]],
  ])(
    "keeps by %s and %s: without a parent, below one that is kept, and below another",
    (name, part, counts) => {
      const env = {
        ...(name !== undefined && { OTEL_TRACES_SAMPLER: name }),
        ...(part !== undefined && { OTEL_TRACES_SAMPLER_ARG: part }),
      };
      expect([null, true, false].map((parent) => kept(env, parent))).toEqual(counts);
    },
  );
});

describe("sending", () => {
  const to = {
    url: "http://localhost:4318/v1/traces",
    headers: {},
    timeout: 2000,
    encoding: "json",
    isCompressed: false,
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
