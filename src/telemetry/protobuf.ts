import type { Json, JsonObject } from "../model/json.js";

/** What a document is about. */
export type DocumentSort = "traces" | "metrics";

/** A document of OTLP's JSON as the bytes of the same message in protobuf. */
export function bytesOf(sort: DocumentSort, document: JsonObject): Uint8Array {
  return message(document, sort === "traces" ? TRACES : METRICS);
}

/** How a member is written: as a scalar, or as a message with members of its own. */
type Form = "text" | "hex" | "fixed" | "integer" | "double" | Shape;

/** The members of a message, each with its number in OTLP's schema. */
interface Shape {
  readonly [member: string]: readonly [number: number, form: Form];
}

const VALUE: Shape = { stringValue: [1, "text"], intValue: [3, "integer"] };
const ATTRIBUTE: Shape = { key: [1, "text"], value: [2, VALUE] };
const RESOURCE: Shape = { attributes: [1, ATTRIBUTE] };
const SCOPE: Shape = { name: [1, "text"], version: [2, "text"] };
const SPAN: Shape = {
  traceId: [1, "hex"],
  spanId: [2, "hex"],
  parentSpanId: [4, "hex"],
  name: [5, "text"],
  kind: [6, "integer"],
  startTimeUnixNano: [7, "fixed"],
  endTimeUnixNano: [8, "fixed"],
  attributes: [9, ATTRIBUTE],
  events: [11, { timeUnixNano: [1, "fixed"], name: [2, "text"], attributes: [3, ATTRIBUTE] }],
  status: [15, { code: [3, "integer"] }],
};
const POINT: Shape = {
  startTimeUnixNano: [2, "fixed"],
  timeUnixNano: [3, "fixed"],
  asDouble: [4, "double"],
  attributes: [7, ATTRIBUTE],
};
const METRIC: Shape = {
  name: [1, "text"],
  description: [2, "text"],
  unit: [3, "text"],
  gauge: [5, { dataPoints: [1, POINT] }],
  sum: [7, { dataPoints: [1, POINT], aggregationTemporality: [2, "integer"], isMonotonic: [3, "integer"] }],
};
const TRACES: Shape = {
  resourceSpans: [1, { resource: [1, RESOURCE], scopeSpans: [2, { scope: [1, SCOPE], spans: [2, SPAN] }] }],
};
const METRICS: Shape = {
  resourceMetrics: [
    1,
    { resource: [1, RESOURCE], scopeMetrics: [2, { scope: [1, SCOPE], metrics: [2, METRIC] }] },
  ],
};

function message(from: JsonObject, shape: Shape): Buffer {
  const parts = Object.entries(from).flatMap(([member, value]) => {
    const known = shape[member];
    if (known === undefined) throw new Error(`OTLP has no number for ${member}`);
    const [number, form] = known;
    const all = Array.isArray(value) ? value : [value];
    return all.flatMap((one) => field(number, form, one));
  });
  return Buffer.concat(parts);
}

/** A field's number and how its bytes are read, then the bytes. */
function field(number: number, form: Form, value: Json): readonly Uint8Array[] {
  const bytes = Buffer.alloc(8);
  switch (form) {
    case "integer":
      return [varint((number << 3) | 0), varint(BigInt(Number(value)))];
    case "fixed":
      bytes.writeBigUInt64LE(BigInt(String(value)));
      return [varint((number << 3) | 1), bytes];
    case "double":
      bytes.writeDoubleLE(Number(value));
      return [varint((number << 3) | 1), bytes];
    case "text":
      return counted(number, Buffer.from(String(value)));
    case "hex":
      return counted(number, Buffer.from(String(value), "hex"));
    default:
      return counted(number, message(value as JsonObject, form));
  }
}

function counted(number: number, bytes: Uint8Array): readonly Uint8Array[] {
  return [varint((number << 3) | 2), varint(bytes.length), bytes];
}

/** Seven bits in each byte, the lowest first; every byte but the last has its highest bit set. */
function varint(value: number | bigint): Uint8Array {
  const bytes: number[] = [];
  let left = BigInt.asUintN(64, BigInt(value));
  while (left > 127n) {
    bytes.push(Number(left & 127n) | 128);
    left >>= 7n;
  }
  return Uint8Array.from([...bytes, Number(left)]);
}
