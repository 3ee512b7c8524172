import { resolve } from "node:path";
import packageFile from "../../../package.json" with { type: "json" };
import { type Checked, type Diagnostic, hasErrors } from "../../model/diagnostic.js";
import { hasVariable, readVariable } from "../../model/variables.js";
import type { Collector, Letter } from "../../telemetry/index.js";
import type { Telemetry } from "../../telemetry/telemetry.js";
import { say } from "../../words/say.js";
import { proxiesFrom } from "../credentials/give.js";
import type { World } from "../world/world.js";
import { tryToWrite } from "../world/write.js";

/** What a run is measured for: a file of `--metrics`, the collector that the environment names, or both. */
export interface RunTelemetry extends Pick<Telemetry, "watch" | "planned" | "heard"> {
  /** Writes the file and sends the rest. Gives what went wrong; only a file that was not written is an error. */
  readonly end: (exitCode: number, throttled: number | null) => Promise<readonly Diagnostic[]>;
}

/** What is asked for with a run. */
interface Asked {
  readonly command: string;
  readonly metrics: string | undefined;
  readonly project: string | null;
}

/** Begins to measure a run; null where that is not asked for, and nothing of it is loaded then. */
export async function openTelemetry(world: World, asked: Asked): Promise<Checked<RunTelemetry | null>> {
  const { env, clock, random } = world;
  const isNamed = hasVariable(env, "OTEL_EXPORTER_OTLP_ENDPOINT");
  if (!isNamed && asked.metrics === undefined) return { value: null, diagnostics: [] };
  const { makeTelemetry, prometheusText, traceOf } = await import("../../telemetry/index.js");
  const { targetFrom } = await import("../telemetry/target.js");
  const { value: target, diagnostics } = targetFrom(env);
  if (hasErrors(diagnostics)) return { value: null, diagnostics };
  const trace = traceOf(readVariable(env, "TRACEPARENT"), random);
  const { command, metrics: file, project } = asked;
  const telemetry = makeTelemetry({ command, project, trace, clock, random });
  const { watch, planned, heard } = telemetry;
  return {
    value: {
      watch: target === null ? withoutHeaders(watch) : watch,
      planned,
      heard,
      async end(exitCode, throttled) {
        const seen = telemetry.end(exitCode, throttled);
        const unwritten =
          file === undefined
            ? []
            : await tryToWrite(world, {
                path: resolve(world.cwd, file),
                shown: file,
                text: prometheusText(seen.figures),
                access: "open",
              });
        return [...unwritten, ...(target === null ? [] : await send(world, target, trace, seen))];
      },
    },
    diagnostics,
  };
}

type Loaded = typeof import("../../telemetry/index.js");

async function send(
  { clock, env }: World,
  target: Collector,
  trace: ReturnType<Loaded["traceOf"]>,
  seen: ReturnType<Telemetry["end"]>,
): Promise<readonly Diagnostic[]> {
  const { metricsDocument, sendLetter, tracesDocument } = await import("../../telemetry/index.js");
  const { findProxy, proxyProblem } = await import("../../tenant/client/proxy.js");
  const { makeTransport } = await import("../../tenant/client/transport.js");
  const proxies = proxiesFrom(env);
  const problem = proxyProblem(target.url, proxies);
  if (problem !== null) return [say("telemetry/not-sent", { why: `the address of its proxy: ${problem}` })];
  const { version } = packageFile;
  const resource = { version, attributes: { ...target.resource, "service.version": version } };
  const figures = metricsDocument(seen.figures, seen, resource);
  const letters: readonly Letter[] = [
    ...(trace.isSampled
      ? [{ to: target, sort: "traces" as const, body: tracesDocument(trace, seen.spans, resource) }]
      : []),
    { to: target, sort: "metrics", body: figures },
  ];
  const faults = await Promise.all(
    letters.map((letter) => {
      const { url, timeout } = letter.to;
      const options = { width: 1, requestTimeout: timeout, largestReply: 1 << 16, clock };
      const { transmit, close } = makeTransport({ ...options, proxy: findProxy(url, proxies) });
      return sendLetter(letter, transmit, clock).finally(close);
    }),
  );
  return faults.filter((fault) => fault !== null).slice(0, 1);
}

/** Without a collector, the calls carry no trace. */
function withoutHeaders(watch: RunTelemetry["watch"]): RunTelemetry["watch"] {
  return { begin: (call, step) => ({ ...watch.begin(call, step), headers: {} }) };
}
