/* Traces and figures of a run; loaded only where they are asked for. */

export { findProxy } from "../api/proxy.js";
export { makeTransport } from "../api/transport.js";
export { metricsDocument, tracesDocument } from "../telemetry/otlp.js";
export { prometheusText } from "../telemetry/prometheus.js";
export { sendAll } from "../telemetry/send.js";
export { targetFrom } from "../telemetry/target.js";
export { makeTelemetry, type Telemetry } from "../telemetry/telemetry.js";
export { traceOf } from "../telemetry/trace.js";
