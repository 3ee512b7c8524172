// Has others read what a run says of itself: promtool the file of figures, and OpenTelemetry's collector the trace.
// REMIT_TEST_PROMTOOL and REMIT_TEST_OTELCOL name the two programs; without one, its part is skipped. Run the build first.
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const { REMIT_TEST_PROMTOOL: promtool, REMIT_TEST_OTELCOL: otelcol } = process.env;
const PORT = 45318;
const folder = mkdtempSync(join(tmpdir(), "remit-soak-telemetry-"));
cpSync(join(root, "examples", "company"), folder, { recursive: true });
rmSync(join(folder, ".remit"), { recursive: true, force: true });
const remit = (args, env = {}) =>
  execFileSync(process.execPath, [join(root, "dist", "remit.js"), ...args], {
    cwd: folder,
    env: { PATH: process.env.PATH, ...env },
    encoding: "utf8",
  });

try {
  if (promtool === undefined) console.log("promtool     skipped: REMIT_TEST_PROMTOOL names no program");
  else readFigures(promtool);
  if (otelcol === undefined) console.log("collector    skipped: REMIT_TEST_OTELCOL names no program");
  else await readTrace(otelcol);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** promtool exits with another code than 0 where the text is wrong, or breaks a rule for names. */
function readFigures(program) {
  for (const args of [["plan", "--people"], ["apply", "--yes"], ["plan"], ["plan", "--offline"]]) {
    remit([...args, "--metrics", "remit.prom"]);
    execFileSync(program, ["check", "metrics"], { input: readFileSync(join(folder, "remit.prom")) });
  }
  console.log("promtool     reads the figures of four runs");
}

/** A span as the collector prints it, and those that it is below, the topmost first. */
function lineOf(span, spans) {
  if (span === undefined) return [];
  const parent = spans.find((one) => valueIn(one, "ID") === valueIn(span, "Parent ID"));
  return [...lineOf(parent, spans), span];
}

function valueIn(span, name) {
  return new RegExp(`^    ${name} +: (.*)$`, "m").exec(span)?.[1];
}

/** The collector prints each span that it was sent. */
async function readTrace(program) {
  const config = {
    receivers: { otlp: { protocols: { http: { endpoint: `127.0.0.1:${PORT}` } } } },
    exporters: { debug: { verbosity: "detailed" } },
    service: {
      telemetry: { metrics: { level: "none" } },
      pipelines: {
        traces: { receivers: ["otlp"], exporters: ["debug"] },
        metrics: { receivers: ["otlp"], exporters: ["debug"] },
      },
    },
  };
  const file = join(folder, "collector.yaml");
  writeFileSync(file, JSON.stringify(config));
  const collector = spawn(program, ["--config", file], { stdio: ["ignore", "pipe", "pipe"] });
  let printed = "";
  for (const stream of [collector.stdout, collector.stderr])
    stream.on("data", (part) => {
      printed += part;
    });
  const waitFor = async (text) => {
    for (let tries = 0; tries < 300 && !printed.includes(text); tries += 1) await pause(100);
    assert.ok(printed.includes(text), `the collector does not print ${text}:\n${printed}`);
  };
  try {
    await waitFor("Everything is ready");
    const trace = "0af7651916cd43dd8448eb211c80319c";
    const TRACEPARENT = `00-${trace}-b7ad6b7169203331-01`;
    rmSync(join(folder, ".remit"), { recursive: true, force: true });
    remit(["apply", "--yes"], { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${PORT}`, TRACEPARENT });
    for (const text of [
      "Name           : remit plan",
      "Name           : remit apply",
      "set TemplateScope",
      "GET /api/v1/apps/{id}/entitlements",
    ])
      await waitFor(text);
    await waitFor("remit.pending_changes");
    assert.equal(new Set(printed.match(/Trace ID +: \w+/g)).size, 1);
    const spans = printed.split(/^Span #/m).slice(1);
    const write = spans.find(
      (one) => one.includes("Name           : POST") && one.includes("scope_and_entitlements"),
    );
    const line = lineOf(write, spans);
    for (const span of line) console.log(`Span #${span.split(/^ScopeMetrics|^\d{4}-|^\{/m)[0]?.trimEnd()}`);
    const names = line.map((span) => valueIn(span, "Name"));
    assert.deepEqual(names.slice(0, 3), ["remit apply", "apply", "set TemplateScope"]);
    console.log(`collector    took one trace of ${spans.length} spans, and the figures`);
  } finally {
    collector.kill();
  }
}
