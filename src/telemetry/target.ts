import type { Checked, Diagnostic } from "../model/diagnostic.js";
import { Secret } from "../model/secret.js";
import { type Environment, readVariable, type VariableName } from "../model/variables.js";

/** Where the traces and the figures of a run are sent. */
export interface Collector {
  /** Null where only figures are sent. */
  readonly traces: string | null;
  /** Null where only traces are sent. */
  readonly metrics: string | null;
  readonly headers: Readonly<Record<string, Secret>>;
  /** Milliseconds that sending may take. */
  readonly timeout: number;
  readonly resource: Readonly<Record<string, string>>;
}

/** Milliseconds by which a collector can delay the end of a run at most. */
export const LONGEST = 2_000;

/** The target that OpenTelemetry's variables name; null where they name none. */
export function targetFrom(env: Environment): Checked<Collector | null> {
  const read = (name: VariableName) => readVariable(env, name);
  const base = read("OTEL_EXPORTER_OTLP_ENDPOINT");
  const isOff = read("OTEL_SDK_DISABLED")?.toLowerCase() === "true";
  const addressOf = (signal: "TRACES" | "METRICS", path: string) => {
    if (read(`OTEL_${signal}_EXPORTER`) === "none") return null;
    const own = read(`OTEL_EXPORTER_OTLP_${signal}_ENDPOINT`);
    return own ?? (base === undefined ? null : `${base.replace(/\/+$/, "")}/v1/${path}`);
  };
  const [traces, metrics] = [addressOf("TRACES", "traces"), addressOf("METRICS", "metrics")];
  if (isOff || (traces === null && metrics === null)) return { value: null, diagnostics: [] };

  const headers = pairsIn(read("OTEL_EXPORTER_OTLP_HEADERS"));
  const attributes = pairsIn(read("OTEL_RESOURCE_ATTRIBUTES"));
  const wrong = [
    ...ENDPOINTS.filter((name) => !isAddress(read(name))).map(notAnAddress),
    ...(headers === null ? [notPairs("OTEL_EXPORTER_OTLP_HEADERS")] : []),
    ...(attributes === null ? [notPairs("OTEL_RESOURCE_ATTRIBUTES")] : []),
    ...(isSpoken(read("OTEL_EXPORTER_OTLP_PROTOCOL")) ? [] : [OTHER_PROTOCOL]),
  ];
  if (wrong.length > 0) return { value: null, diagnostics: wrong };
  const timeout = Number(read("OTEL_EXPORTER_OTLP_TIMEOUT") ?? LONGEST);
  const name = read("OTEL_SERVICE_NAME") ?? attributes?.["service.name"] ?? "remit";
  return {
    value: {
      traces,
      metrics,
      headers: Object.fromEntries(
        Object.entries(headers ?? {}).map(([header, value]) => [header, new Secret(value)]),
      ),
      timeout: timeout > 0 ? Math.min(timeout, LONGEST) : LONGEST,
      resource: { ...attributes, "service.name": name },
    },
    diagnostics: [],
  };
}

const ENDPOINTS = [
  "OTEL_EXPORTER_OTLP_ENDPOINT",
  "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT",
  "OTEL_EXPORTER_OTLP_METRICS_ENDPOINT",
] as const satisfies readonly VariableName[];

/** A collector that takes `http/protobuf` takes JSON at the same address. */
const PROTOCOLS = /^http\/(json|protobuf)$/;

function isSpoken(protocol: string | undefined): boolean {
  return protocol === undefined || PROTOCOLS.test(protocol);
}

function isAddress(text: string | undefined): boolean {
  return text === undefined || (/^https?:\/\//i.test(text) && URL.canParse(text));
}

/** `a=1,b=2`, percent-encoded; null where it is something else. */
function pairsIn(text: string | undefined): Readonly<Record<string, string>> | null {
  try {
    const pairs = (text ?? "").split(",").filter((pair) => pair.trim() !== "");
    const entries = pairs.map((pair) => {
      const [, name = "", value = ""] = /^\s*([^=\s]+)\s*=\s*(.*?)\s*$/.exec(pair) ?? [];
      return [name, decodeURIComponent(value)] as const;
    });
    return entries.some(([name]) => name === "") ? null : Object.fromEntries(entries);
  } catch {
    return null;
  }
}

// No message repeats a value: an address or a header may contain a password.
function notAnAddress(name: VariableName): Diagnostic {
  return {
    code: "telemetry/endpoint",
    severity: "error",
    message: `the value of ${name} is not an address`,
    hint: "Name the collector as http://localhost:4318, or unset the variable.",
  };
}

function notPairs(name: VariableName): Diagnostic {
  return {
    code: "telemetry/pairs",
    severity: "error",
    message: `the value of ${name} is not a list of pairs`,
    hint: "Write name=value, with commas between, and special characters as %2C.",
  };
}

const OTHER_PROTOCOL: Diagnostic = {
  code: "telemetry/protocol",
  severity: "error",
  message: "remit sends OTLP over HTTP, and OTEL_EXPORTER_OTLP_PROTOCOL names another protocol",
  hint: "Set it to http/json, and the endpoint to the collector's port for HTTP, which is mostly 4318.",
};
