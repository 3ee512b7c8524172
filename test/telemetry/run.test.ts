import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import {
  createServer,
  request as forward,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
} from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { describe, expect, onTestFinished, test } from "vitest";
import { readSeed } from "../../src/cli/open/sandboxInput.js";
import { DEFAULT_CLIENT } from "../../src/sandbox/auth/client.js";
import { startSandbox } from "../../src/sandbox/http/server.js";
import { runInside } from "../fakes/inside.js";

interface Attribute {
  readonly key: string;
  readonly value: { readonly stringValue?: string; readonly intValue?: string };
}
interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly attributes: readonly Attribute[];
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
}

interface Letter {
  readonly text: string;
  readonly headers: IncomingHttpHeaders;
}

const TRACE = "0af7651916cd43dd8448eb211c80319c";
const PARENT = "b7ad6b7169203331";
const FIXED = [
  ...["remit.command", "remit.exit_code", "remit.step.kind", "remit.step.action", "remit.step.outcome"],
  ...["remit.wait_ms", "remit.calls.left_out", "http.request.method", "remit.operation"],
  ...["http.response.status_code", "http.request.resend_count"],
];

async function listen(server: Server): Promise<string> {
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A collector that keeps what it gets, and a company whose service is reached over a relay that keeps the headers. */
async function begin() {
  const folder = mkdtempSync(join(tmpdir(), "remit-telemetry-"));
  cpSync(join("examples", "company"), folder, { recursive: true });
  rmSync(join(folder, ".remit"), { recursive: true, force: true });
  const { tenant } = readSeed(readFileSync(join(folder, "seed.yaml"), "utf8"), "seed.yaml");
  const sandbox = await startSandbox({ tenant });
  onTestFinished(async () => {
    await sandbox.close();
    rmSync(folder, { recursive: true });
  });
  const carried: (string | undefined)[] = [];
  const relay = await listen(
    createServer((incoming, response) => {
      if (!incoming.url?.startsWith("/auth")) carried.push(traceparentIn(incoming));
      const { method, headers } = incoming;
      const onward = forward(`${sandbox.url}${incoming.url}`, { method, headers }, (reply) => {
        response.writeHead(reply.statusCode ?? 500, reply.headers);
        reply.pipe(response);
      });
      incoming.pipe(onward);
    }),
  );
  const letters = new Map<string, Letter>();
  const collector = await listen(
    createServer(async (incoming, response) => {
      const { headers } = incoming;
      const bytes = await buffer(incoming);
      letters.set(incoming.url ?? "", { text: bytes.toString(), headers });
      if (incoming.url?.startsWith("/silent") === true) return;
      response.writeHead(200, { "content-type": "application/json" }).end("{}");
    }),
  );
  const env = {
    REMIT_SERVER: relay,
    REMIT_CLIENT_ID: DEFAULT_CLIENT.id,
    REMIT_CLIENT_SECRET: DEFAULT_CLIENT.secret,
    OTEL_EXPORTER_OTLP_ENDPOINT: collector,
    OTEL_EXPORTER_OTLP_HEADERS: "authorization=Bearer%20of-the-collector",
    TRACEPARENT: `00-${TRACE}-${PARENT}-01`,
  };
  const run = (argv: readonly string[], more: Readonly<Record<string, string>> = {}) =>
    runInside(argv, { cwd: folder, env: { ...env, ...more } });
  return { folder, relay, collector, carried, letters, run };
}

function traceparentIn({ headers: { traceparent } }: IncomingMessage): string | undefined {
  return typeof traceparent === "string" ? traceparent : undefined;
}

function spansIn(text: string | undefined): readonly Span[] {
  return JSON.parse(text ?? "").resourceSpans[0].scopeSpans[0].spans;
}

describe("a run with a collector", () => {
  test("sends one trace: the run below the pipeline's span, its stages, its steps and its calls", async () => {
    const { carried, letters, run } = await begin();
    const { code, stderr } = await run(["apply", "--yes", "--quiet"]);
    expect([code, stderr]).toEqual([0, ""]);
    const spans = spansIn(letters.get("/v1/traces")?.text);
    expect(new Set(spans.map(({ traceId }) => traceId))).toEqual(new Set([TRACE]));
    expect(new Set(spans.map(({ spanId }) => spanId)).size).toBe(spans.length);
    const [whole] = spans.filter(({ parentSpanId }) => parentSpanId === PARENT);
    expect(whole?.name).toBe("remit apply");
    const stages = spans.filter(({ parentSpanId }) => parentSpanId === whole?.spanId);
    expect(stages.map(({ name }) => name)).toEqual(["plan", "apply"]);
    const [, applying] = stages;
    const steps = spans.filter(({ parentSpanId, kind }) => parentSpanId === applying?.spanId && kind === 1);
    expect(steps.map(({ name }) => name).sort()).toEqual([
      "create EntitlementAutomation",
      "set TemplateScope",
      "update EntitlementAutomation",
    ]);
    const calls = spans.filter(({ kind }) => kind === 3);
    const below = (id: string | undefined) =>
      calls.filter(({ parentSpanId }) => parentSpanId === id).map(({ name }) => name);
    expect(steps.map(({ name, spanId }) => [name, below(spanId)]).sort()).toEqual([
      ["create EntitlementAutomation", ["GetEntitlementAutomation", "CreateEntitlementAutomation"]],
      ["set TemplateScope", ["SetTemplateScope"]],
      ["update EntitlementAutomation", ["UpdateEntitlementAutomation"]],
    ]);
    // Every other span is below one of this trace, and lies within it.
    const byId = new Map(spans.map((span) => [span.spanId, span]));
    for (const span of spans) {
      if (span === whole) continue;
      const parent = byId.get(span.parentSpanId ?? "");
      expect(parent, span.name).toBeDefined();
      expect(BigInt(span.startTimeUnixNano) >= BigInt(parent?.startTimeUnixNano ?? 0)).toBe(true);
      expect(BigInt(span.endTimeUnixNano) <= BigInt(parent?.endTimeUnixNano ?? 0)).toBe(true);
    }
    // Each call carries its own span, so what the service does is below it.
    expect(carried.sort()).toEqual(calls.map(({ spanId }) => `00-${TRACE}-${spanId}-01`).sort());
    for (const { startTimeUnixNano: start, endTimeUnixNano: end } of spans)
      expect(BigInt(end) >= BigInt(start)).toBe(true);
  });

  test("sends attributes of a fixed list, and nothing that names an object, a person or a server", async () => {
    const { folder, relay, letters, run } = await begin();
    await run(["plan", "--people"]);
    const texts = ["/v1/traces", "/v1/metrics"].map((path) => letters.get(path)?.text ?? "");
    for (const span of spansIn(texts[0])) for (const { key } of span.attributes) expect(FIXED).toContain(key);
    const all = texts.join("\n");
    expect(letters.get("/v1/traces")?.headers.authorization).toBe("Bearer of-the-collector");
    const secrets = [DEFAULT_CLIENT.secret, DEFAULT_CLIENT.id, "of-the-collector", relay, folder];
    const named = ["larkspur", "Amir", "Costa", "Engineering", "privileged-access", "@"];
    for (const text of [...secrets, ...named]) expect(all).not.toContain(text);
    // The ids of the service have 27 letters and digits.
    expect(all.replaceAll(/"(traceId|spanId|parentSpanId)":"[0-9a-f]+"/g, "")).not.toMatch(/[A-Za-z0-9]{27}/);
  });

  test("sends each signal with the headers and the names that the variables say", async () => {
    const { letters, run } = await begin();
    const named = {
      OTEL_EXPORTER_OTLP_HEADERS: "x-team=access%20control",
      OTEL_SERVICE_NAME: "nightly",
      OTEL_RESOURCE_ATTRIBUTES: "deployment.environment.name=prod",
    };
    expect((await run(["plan", "--quiet"], named)).code).toBe(0);
    for (const path of ["/v1/traces", "/v1/metrics"]) {
      const letter = letters.get(path);
      expect(letter?.headers).toMatchObject({
        "content-type": "application/json",
        "x-team": "access control",
      });
      expect(letter?.text).toContain(`{"key":"service.name","value":{"stringValue":"nightly"}}`);
      expect(letter?.text).toContain(`{"key":"deployment.environment.name","value":{"stringValue":"prod"}}`);
    }
  });

  test("sends no trace that the pipeline does not keep, and tells the service so", async () => {
    const { carried, letters, run } = await begin();
    expect((await run(["plan", "--quiet"], { TRACEPARENT: `00-${TRACE}-${PARENT}-00` })).code).toBe(0);
    expect([...letters.keys()]).toEqual(["/v1/metrics"]);
    for (const one of carried) expect(one).toMatch(/-00$/);
  });

  test("writes the same figures to a file and to the collector", async () => {
    const { folder, letters, run } = await begin();
    expect((await run(["plan", "--people", "--quiet", "--metrics", "remit.prom"])).code).toBe(0);
    const file = readFileSync(join(folder, "remit.prom"), "utf8");
    expect(file).toContain('remit_pending_changes{command="plan",action="update"} 1\n');
    expect(file).toContain('remit_people{command="plan",change="gain",bound="least"} 90\n');
    expect(file).toContain('remit_people{command="plan",change="gain",bound="most"} 94\n');
    expect(file).toContain('remit_run_exit_code{command="plan"} 0\n');
    // Without a state, drift is unknown, and unknown is not none.
    expect(file).not.toContain("remit_drifted_objects");
    const { metrics } = JSON.parse(letters.get("/v1/metrics")?.text ?? "").resourceMetrics[0].scopeMetrics[0];
    const names = [...file.matchAll(/^# TYPE (\w+)/gm)].map(([, name = ""]) => name.replace("_", "."));
    expect(metrics.map(({ name }: { name: string }) => name)).toEqual(names);
  });

  test("counts what drifted once there is a state", async () => {
    const { folder, run } = await begin();
    await run(["apply", "--yes", "--quiet"]);
    await run(["plan", "--quiet", "--metrics", "remit.prom"]);
    const file = readFileSync(join(folder, "remit.prom"), "utf8");
    expect(file).toContain('remit_drifted_objects{command="plan"} 0\n');
    expect(file).toContain('remit_pending_changes{command="plan",action="create"} 0\n');
  });
});

describe("a run without a collector that answers", () => {
  test("ends as it would, and says that nothing was sent", async () => {
    const { run } = await begin();
    const refused = await run(["plan", "--quiet"], { OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:1" });
    expect(refused.code).toBe(0);
    expect(refused.stderr).toContain("warning[telemetry/not-sent]");
    expect(refused.stderr).toContain("ECONNREFUSED");
  });

  test("waits two seconds and no longer where the collector takes it and says nothing", async () => {
    const { collector, run } = await begin();
    const { code, stderr } = await run(["plan", "--quiet"], {
      OTEL_EXPORTER_OTLP_ENDPOINT: `${collector}/silent`,
      OTEL_EXPORTER_OTLP_TIMEOUT: "60000",
    });
    expect(code).toBe(0);
    expect(stderr).toMatch(/warning\[telemetry\/not-sent\].*(no reply within 2000 ms|ETIMEDOUT)/);
  });

  test("is refused where the address is not one", async () => {
    const { letters, carried, run } = await begin();
    const wrong = await run(["plan"], { OTEL_EXPORTER_OTLP_ENDPOINT: "collector:4318" });
    expect(wrong.code).toBe(5);
    expect(wrong.stderr).toContain("error[telemetry/endpoint]");
    expect([letters.size, carried.length]).toEqual([0, 0]);
  });

  test("carries no trace to the service where none is collected", async () => {
    const { carried, folder, run } = await begin();
    const { code } = await run(["plan", "--quiet", "--metrics", "remit.prom"], { OTEL_SDK_DISABLED: "true" });
    expect(code).toBe(0);
    expect(new Set(carried)).toEqual(new Set([undefined]));
    expect(readFileSync(join(folder, "remit.prom"), "utf8")).toContain("remit_run_calls{");
  });

  test("says so where the file cannot be written", async () => {
    const { run } = await begin();
    const { code, stderr } = await run(["plan", "--quiet", "--metrics", "remit.yaml/x"], {
      OTEL_SDK_DISABLED: "true",
    });
    expect(code).toBe(1);
    expect(stderr).toContain("remit.yaml/x");
  });
});

test("a proxy that cannot be used loses the telemetry of a run, and not the run", async () => {
  const { run } = await begin();
  const away = {
    OTEL_EXPORTER_OTLP_ENDPOINT: "http://collector.example",
    HTTP_PROXY: "http://user:secret word@[",
  };
  const { code, stderr } = await run(["validate"], away);
  expect([code, stderr]).toEqual([0, ""]);
  const listed = await run(["state", "list"], away);
  expect(listed.code).toBe(0);
  expect(listed.stderr).toContain("telemetry/not-sent");
  expect(listed.stderr).not.toContain("secret word");
});
