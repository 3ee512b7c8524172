import type { JsonObject } from "../model/json.js";
import { FIGURES, type Figures } from "./figures.js";
import type { TraceContext, TraceSpan } from "./trace.js";

/** What every document says of its sender. */
interface Sender {
  readonly version: string;
  readonly attributes: Readonly<Record<string, string>>;
}

/** The spans of a run in OTLP's JSON, as `/v1/traces` takes them. */
export function tracesDocument(
  trace: TraceContext,
  spans: readonly TraceSpan[],
  resource: Sender,
): JsonObject {
  const written = spans.map(
    (span): JsonObject => ({
      traceId: trace.id,
      spanId: span.id,
      ...(span.parent === null ? {} : { parentSpanId: span.parent }),
      name: span.name,
      // 1 is a part of a program, 3 a call that it makes.
      kind: span.isCall ? 3 : 1,
      startTimeUnixNano: nanoseconds(span.start),
      endTimeUnixNano: nanoseconds(span.end),
      attributes: attributes(span.attributes),
      events: span.events.map((event) => ({
        name: event.name,
        timeUnixNano: nanoseconds(event.at),
        attributes: attributes(event.attributes),
      })),
      status: span.hasFailed ? { code: 2 } : {},
    }),
  );
  const scopeSpans = [{ scope: scopeOf(resource), spans: written }];
  return { resourceSpans: [{ resource: { attributes: attributes(resource.attributes) }, scopeSpans }] };
}

/** The figures of a run in OTLP's JSON, as `/v1/metrics` takes them. */
export function metricsDocument(
  figures: Pick<Figures, "samples">,
  { start, end }: Pick<TraceSpan, "start" | "end">,
  resource: Sender,
): JsonObject {
  const metrics = figures.samples().map(([name, samples]): JsonObject => {
    const { adds, unit, help } = FIGURES[name];
    const dataPoints = samples.map(({ labels, value }) => ({
      attributes: attributes(labels),
      startTimeUnixNano: nanoseconds(start),
      timeUnixNano: nanoseconds(end),
      asDouble: value,
    }));
    // 2: the values are those since the start, which is the start of the run.
    const data = adds
      ? { sum: { dataPoints, aggregationTemporality: 2, isMonotonic: true } }
      : { gauge: { dataPoints } };
    return { name: dotted(name), description: help, unit, ...data };
  });
  const scopeMetrics = [{ scope: scopeOf(resource), metrics }];
  return { resourceMetrics: [{ resource: { attributes: attributes(resource.attributes) }, scopeMetrics }] };
}

function scopeOf({ version }: Sender): JsonObject {
  return { name: "remit", version };
}

/** `remit_run_calls` is `remit.run_calls` there. */
function dotted(name: string): string {
  return name.replace("_", ".");
}

function attributes(values: Readonly<Record<string, string | number | undefined>>): readonly JsonObject[] {
  return Object.entries(values).flatMap(([key, value]) => {
    if (value === undefined) return [];
    return [
      {
        key,
        value: typeof value === "number" ? { intValue: String(Math.round(value)) } : { stringValue: value },
      },
    ];
  });
}

function nanoseconds(milliseconds: number): string {
  return `${Math.round(milliseconds * 1000)}000`;
}
