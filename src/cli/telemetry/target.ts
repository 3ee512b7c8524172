import { type Checked, type Diagnostic, hasErrors } from "../../model/diagnostic.js";
import { type Environment, isSetVariable, readVariable, type VariableName } from "../../model/variables.js";
import type { Collector } from "../../telemetry/collector.js";
import { pairsIn } from "../../telemetry/pairs.js";
import { say } from "../../words/say.js";
import { notPairs, recipientOf } from "./recipient.js";
import { samplerFrom } from "./sampler.js";

/** The target that OpenTelemetry's variables name; null where they name none. */
export function targetFrom(env: Environment): Checked<Collector | null> {
  const isOff = readVariable(env, "OTEL_SDK_DISABLED")?.toLowerCase() === "true";
  if (isOff) return { value: null, diagnostics: [] };
  const [traces, metrics] = [recipientOf(env, "TRACES"), recipientOf(env, "METRICS")];
  const found = [...traces.diagnostics, ...metrics.diagnostics].filter(isFirst);
  if (traces.value === null && metrics.value === null) return { value: null, diagnostics: found };
  const sampler = samplerFrom(env);
  const attributes = pairsIn(readVariable(env, "OTEL_RESOURCE_ATTRIBUTES"));
  const diagnostics = [
    ...found,
    ...sampler.diagnostics,
    ...(attributes === null ? [notPairs("OTEL_RESOURCE_ATTRIBUTES")] : []),
    ...UNREAD.filter((name) => isSetVariable(env, name)).map(unread),
  ];
  if (hasErrors(diagnostics)) return { value: null, diagnostics };
  const name = readVariable(env, "OTEL_SERVICE_NAME") ?? attributes?.["service.name"] ?? "remit";
  const resource = { ...attributes, "service.name": name };
  return {
    value: { traces: traces.value, metrics: metrics.value, sampler: sampler.value, resource },
    diagnostics,
  };
}

/** A variable that both signals read is wrong once. */
function isFirst({ message }: Diagnostic, at: number, all: readonly Diagnostic[]): boolean {
  return all.findIndex((one) => one.message === message) === at;
}

/** What other programs do with these, remit does not do. */
const UNREAD = [
  "OTEL_EXPORTER_OTLP_CERTIFICATE",
  "OTEL_EXPORTER_OTLP_CLIENT_KEY",
  "OTEL_EXPORTER_OTLP_CLIENT_CERTIFICATE",
] as const satisfies readonly VariableName[];

function unread(name: VariableName): Diagnostic {
  return say("telemetry/unread", { name });
}
