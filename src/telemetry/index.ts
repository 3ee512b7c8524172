/* Traces and figures of a run; loaded only where they are asked for. */

export type { Collector } from "./collector.js";
export { prometheusText } from "./figures.js";
export { metricsDocument, tracesDocument } from "./otlp.js";
export { type Letter, sendLetter } from "./send.js";
export { makeTelemetry, type Telemetry } from "./telemetry.js";
export { traceOf } from "./trace.js";
