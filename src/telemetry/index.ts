/* Traces and figures of a run; loaded only where they are asked for. */

export { metricsDocument, tracesDocument } from "./otlp.js";
export { prometheusText } from "./prometheus.js";
export { sendAll } from "./send.js";
export { targetFrom } from "./target.js";
export { makeTelemetry, type Telemetry } from "./telemetry.js";
export { traceOf } from "./trace.js";
