import type { Checked, Diagnostic } from "../../model/diagnostic.js";
import { Secret } from "../../model/secret.js";
import {
  type Environment,
  hasVariable,
  type OpenName,
  readVariable,
  type SecretName,
  type VariableName,
} from "../../model/variables.js";
import { pairsIn } from "../../telemetry/pairs.js";
import type { Recipient } from "../../telemetry/recipient.js";
import { say } from "../../words/say.js";
import { give } from "../credentials/give.js";

/** Only the operator names a collector. */
const COLLECTOR = { shown: "the collector", namedBy: "operator", namedIn: null } as const;

/** Milliseconds by which a collector can delay the end of a run at most. */
export const LONGEST = 2_000;

/** The recipient that OpenTelemetry's variables name for one signal; null where they name none. */
export function recipientOf(env: Environment, signal: "TRACES" | "METRICS"): Checked<Recipient | null> {
  const read = (name: OpenName) => readVariable(env, name);
  const secret = (name: SecretName) => give(env, name, COLLECTOR).value?.reveal();
  /** A variable of the signal alone comes before the one of both. */
  const chosen = (setting: "PROTOCOL" | "TIMEOUT" | "COMPRESSION") => {
    const [own, both] = [`OTEL_EXPORTER_OTLP_${signal}_${setting}`, `OTEL_EXPORTER_OTLP_${setting}`] as const;
    const name = read(own) === undefined ? both : own;
    return { name, value: read(name) };
  };

  const exporter: OpenName = `OTEL_${signal}_EXPORTER`;
  if (read(exporter) === "none") return NONE;
  const base = secret("OTEL_EXPORTER_OTLP_ENDPOINT");
  const own: SecretName = `OTEL_EXPORTER_OTLP_${signal}_ENDPOINT`;
  const url =
    secret(own) ?? (base === undefined ? null : `${base.replace(/\/+$/, "")}/v1/${signal.toLowerCase()}`);
  if (url === null) return NONE;

  const [protocol, timeout, compression] = [chosen("PROTOCOL"), chosen("TIMEOUT"), chosen("COMPRESSION")];
  const ownHeaders: SecretName = `OTEL_EXPORTER_OTLP_${signal}_HEADERS`;
  const headers = hasVariable(env, ownHeaders) ? ownHeaders : "OTEL_EXPORTER_OTLP_HEADERS";
  const pairs = pairsIn(secret(headers));
  const encoding = ENCODINGS.get(protocol.value ?? "http/json");
  const milliseconds = timeout.value === undefined ? LONGEST : Number(timeout.value);
  const { value: packing = "none" } = compression;
  const wrong = [
    ...(isAddress(url) ? [] : [notAnAddress(!hasVariable(env, own) ? "OTEL_EXPORTER_OTLP_ENDPOINT" : own)]),
    ...((read(exporter) ?? "otlp") === "otlp" ? [] : [notKnown(exporter, "otlp or none")]),
    ...(milliseconds > 0 ? [] : [notKnown(timeout.name, "a number of milliseconds, such as 2000")]),
    ...(PACKINGS.includes(packing) ? [] : [notKnown(compression.name, "gzip or none")]),
  ];
  if (pairs === null) return refuse(...wrong, notPairs(headers));
  if (encoding === undefined) return refuse(...wrong, otherProtocol(protocol.name));
  if (wrong.length > 0) return refuse(...wrong);
  const secrets = Object.entries(pairs).map(([header, value]) => [header, new Secret(value)] as const);
  const value = {
    url,
    headers: Object.fromEntries(secrets),
    timeout: Math.min(milliseconds, LONGEST),
    encoding,
    isCompressed: packing === "gzip",
  };
  return { value, diagnostics: [] };
}

const NONE = { value: null, diagnostics: [] } as const;

const ENCODINGS: ReadonlyMap<string, Recipient["encoding"]> = new Map([
  ["http/json", "json"],
  ["http/protobuf", "protobuf"],
]);

const PACKINGS: readonly string[] = ["gzip", "none"];

function isAddress(text: string): boolean {
  return /^https?:\/\//i.test(text) && URL.canParse(text);
}

function refuse(...diagnostics: readonly Diagnostic[]): Checked<null> {
  return { value: null, diagnostics };
}

// No message repeats a value: an address or a header may contain a password.
function notAnAddress(name: VariableName): Diagnostic {
  return say("telemetry/endpoint", { name });
}

/** A variable whose value should be a list of pairs. */
export function notPairs(name: VariableName): Diagnostic {
  return say("telemetry/pairs", { name });
}

/** A variable whose value is none of those that remit knows. */
export function notKnown(name: VariableName, known: string): Diagnostic {
  return say("telemetry/value", { name, known });
}

function otherProtocol(name: VariableName): Diagnostic {
  return say("telemetry/protocol", { name });
}
