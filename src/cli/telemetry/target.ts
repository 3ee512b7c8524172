import type { Checked } from "../../model/diagnostic.js";
import { Secret } from "../../model/secret.js";
import { type Environment, readVariable, type SecretName } from "../../model/variables.js";
import type { Collector } from "../../telemetry/collector.js";
import { say } from "../../words/say.js";
import { give } from "../credentials/give.js";

/** Only the operator names a collector. */
const COLLECTOR = { shown: "the collector", namedBy: "operator", namedIn: null } as const;

/** Milliseconds by which a collector can delay the end of a run at most. */
const LONGEST = 2_000;

const ENDPOINT = "OTEL_EXPORTER_OTLP_ENDPOINT";
const HEADERS = "OTEL_EXPORTER_OTLP_HEADERS";
const TIMEOUT = "OTEL_EXPORTER_OTLP_TIMEOUT";
const ATTRIBUTES = "OTEL_RESOURCE_ATTRIBUTES";

/** The target that OpenTelemetry's variables name; null where they name none. */
export function targetFrom(env: Environment): Checked<Collector | null> {
  const secret = (name: SecretName) => give(env, name, COLLECTOR).value?.reveal();
  const isOff = readVariable(env, "OTEL_SDK_DISABLED")?.toLowerCase() === "true";
  const url = isOff ? undefined : secret(ENDPOINT)?.replace(/\/+$/, "");
  if (url === undefined) return { value: null, diagnostics: [] };
  const headers = pairsIn(secret(HEADERS));
  const attributes = pairsIn(readVariable(env, ATTRIBUTES));
  const timeout = Number(readVariable(env, TIMEOUT) ?? LONGEST);
  // No message repeats a value: an address or a header may contain a password.
  const diagnostics = [
    ...(isAddress(url) ? [] : [say("telemetry/endpoint", { name: ENDPOINT })]),
    ...(headers === null ? [say("telemetry/pairs", { name: HEADERS })] : []),
    ...(timeout > 0 ? [] : [say("telemetry/value", { name: TIMEOUT })]),
    ...(attributes === null ? [say("telemetry/pairs", { name: ATTRIBUTES })] : []),
  ];
  if (diagnostics.length > 0) return { value: null, diagnostics };
  const secrets = Object.entries(headers ?? {}).map(([name, value]) => [name, new Secret(value)] as const);
  const name = readVariable(env, "OTEL_SERVICE_NAME") ?? attributes?.["service.name"] ?? "remit";
  const value = {
    url,
    headers: Object.fromEntries(secrets),
    timeout: Math.min(timeout, LONGEST),
    resource: { ...attributes, "service.name": name },
  };
  return { value, diagnostics: [] };
}

function isAddress(text: string): boolean {
  return /^https?:\/\//i.test(text) && URL.canParse(text);
}

/** What `a=1,b=2` says, percent-encoded; null where a text is something else. */
function pairsIn(text: string | undefined): Readonly<Record<string, string>> | null {
  try {
    const pairs = (text ?? "").split(",").filter((pair) => pair.trim() !== "");
    const entries = pairs.map((pair) => {
      const [, name = "", value = ""] = /^\s*([^=\s]+)\s*=\s*(.*?)\s*$/.exec(pair) ?? [];
      return [name, decodeURIComponent(value)] as const;
    });
    return entries.some(([name]) => name === "") ? null : Object.fromEntries(entries);
  } catch {
    return null;
  }
}
