/* Traces and figures of a run; loaded only where they are asked for. */

export { metricsDocument, tracesDocument } from "./otlp.js";
export { prometheusText } from "./prometheus.js";
export { DEFAULT_SAMPLER } from "./sampler.js";
export { type Letter, sendLetter } from "./send.js";
export { type Collector, targetFrom } from "./target.js";
export { makeTelemetry, type Telemetry } from "./telemetry.js";
export { traceOf } from "./trace.js";
