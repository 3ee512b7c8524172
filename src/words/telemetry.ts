import type { Section } from "./saying.js";

export const TELEMETRY = {
  heading: "telemetry: traces and figures",
  rows: {
    "telemetry/endpoint": {
      severity: "error",
      title: "The collector's address is not one",
      help: "`OTEL_EXPORTER_OTLP_ENDPOINT` begins with `http://` or `https://`. The message does not repeat the value, because it may contain a password.",
    },
    "telemetry/pairs": {
      severity: "error",
      title: "A variable with headers or attributes is not a list of pairs",
      help: "Write `name=value,other=value`.",
    },
    "telemetry/protocol": {
      severity: "error",
      title: "The collector is named with a protocol that remit does not speak",
      help: "remit sends OTLP over HTTP. Name the collector's port for HTTP, and set `OTEL_EXPORTER_OTLP_PROTOCOL` to `http/protobuf` or `http/json`.",
    },
    "telemetry/value": {
      severity: "error",
      title: "A variable of OpenTelemetry has a value that remit does not know",
      help: "The hint lists the values. Set one of them, or unset the variable.",
    },
    "telemetry/unread": {
      severity: "warning",
      title: "A variable of OpenTelemetry is set that remit does nothing with",
      help: "The run goes on, and its telemetry is sent without it.",
    },
    "telemetry/not-sent": {
      severity: "warning",
      title: "The collector did not take the telemetry of a run",
      help: "The run is not affected, and its exit code stays. remit waits for the collector at most 2 seconds.",
      message: "the collector did not take the telemetry of this run: {why}",
      hint: "The run itself is not affected. Look at OTEL_EXPORTER_OTLP_ENDPOINT.",
    },
  },
} as const satisfies Section;
