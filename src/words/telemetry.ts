import type { Section } from "./saying.js";

export const TELEMETRY = {
  heading: "telemetry: traces and figures",
  rows: {
    "telemetry/endpoint": {
      severity: "error",
      title: "The collector's address is not one",
      help: "`OTEL_EXPORTER_OTLP_ENDPOINT` begins with `http://` or `https://`. The message does not repeat the value, because it may contain a password.",
      message: "the value of {name} is not an address",
      hint: "Name the collector as http://localhost:4318, or unset the variable.",
    },
    "telemetry/pairs": {
      severity: "error",
      title: "A variable with headers or attributes is not a list of pairs",
      help: "Write `name=value,other=value`.",
      message: "the value of {name} is not a list of pairs",
      hint: "Write name=value, with commas between, and special characters as %2C.",
    },
    "telemetry/protocol": {
      severity: "error",
      title: "The collector is named with a protocol that remit does not speak",
      help: "remit sends OTLP over HTTP. Name the collector's port for HTTP, and set `OTEL_EXPORTER_OTLP_PROTOCOL` to `http/protobuf` or `http/json`.",
      message: "remit sends OTLP over HTTP, and {name} names another protocol",
      hint: "Set it to http/protobuf or http/json, and the endpoint to the collector's port for HTTP, which is mostly 4318.",
    },
    "telemetry/value": {
      severity: "error",
      title: "A variable of OpenTelemetry has a value that remit does not know",
      help: "The hint lists the values. Set one of them, or unset the variable.",
      message: "the value of {name} is not one that remit knows",
      hint: "It can be {known}.",
    },
    "telemetry/unread": {
      severity: "warning",
      title: "A variable of OpenTelemetry is set that remit does nothing with",
      help: "The run goes on, and its telemetry is sent without it.",
      message: "remit does nothing with {name}",
      hint: "NODE_EXTRA_CA_CERTS names certificates to trust. remit shows no certificate of its own to a collector.",
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
