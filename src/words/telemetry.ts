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
      message: "the value of {name} is not a list of pairs",
      hint: "Write name=value, with commas between, and special characters as %2C.",
    },
    "telemetry/value": {
      severity: "error",
      title: "A variable of OpenTelemetry has a value that remit does not know",
      help: "`OTEL_EXPORTER_OTLP_TIMEOUT` is a number of milliseconds. Set one, or unset the variable.",
      message: "the value of {name} is not one that remit knows",
      hint: "It can be a number of milliseconds, such as 2000.",
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
