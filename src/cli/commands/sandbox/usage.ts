import { buildCommand } from "@stricli/core";
import type { Context } from "../../commandLine/context.js";
import type { SandboxFlags } from "./sandbox.js";

/** `remit sandbox`. */
export const sandbox = buildCommand<SandboxFlags, [], Context>({
  docs: {
    brief: "Serve a stand-in for the service, to try things on",
    fullDescription:
      "Serves a tenant over HTTP as the service would, until it is stopped. Without a seed, a number or a data file the " +
      "tenant is empty, and makes whatever a write names. The address is printed on standard output. " +
      "REMIT_SANDBOX_TOKEN sets the token; it is required to listen beyond this machine.\n\n" +
      "Examples:\n" +
      "  remit sandbox                                a tenant with nothing in it\n" +
      "  remit sandbox --seed seed.yaml --data t.json one that is kept from run to run\n" +
      "  remit sandbox --faults 429=0.05,lost=0.01    one that is not always there\n" +
      "  remit sandbox --faults 403@ListApps          one that refuses a route\n" +
      "  remit schema faults                          everything that can go wrong",
  },
  parameters: {
    flags: {
      interface: {
        kind: "enum",
        values: ["core", "full"],
        brief: "The documented operations alone, or everything known of the service",
        default: "full",
      },
      seed: {
        kind: "parsed",
        parse: String,
        brief: "A file that describes the tenant to begin with",
        placeholder: "file",
        optional: true,
      },
      generate: {
        kind: "parsed",
        parse: wholeNumber,
        brief: "Begin with a made-up tenant of so many entitlements",
        placeholder: "number",
        optional: true,
      },
      data: {
        kind: "parsed",
        parse: String,
        brief: "A file that keeps the tenant from run to run",
        placeholder: "file",
        optional: true,
      },
      faults: {
        kind: "parsed",
        parse: String,
        brief: "What is to go wrong: a file, or a list such as 429=0.05,403@ListApps,latency=20",
        placeholder: "faults",
        optional: true,
      },
      log: {
        kind: "parsed",
        parse: String,
        brief: "A file that gets a line of JSON for each request",
        placeholder: "file",
        optional: true,
      },
      port: {
        kind: "parsed",
        parse: portNumber,
        brief: "The port; 0 for any that is free",
        default: "8700",
      },
      host: { kind: "parsed", parse: String, brief: "The address to listen at", default: "127.0.0.1" },
      tokenLifetime: {
        kind: "parsed",
        parse: wholeNumber,
        brief: "How long an issued token is good, in seconds",
        placeholder: "seconds",
        default: "600",
      },
    },
  },
  loader: () => import("./sandbox.js"),
});

function wholeNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new SyntaxError(`${text} is not a whole number`);
  return Number(text);
}

function portNumber(text: string): number {
  const port = wholeNumber(text);
  if (port > 65_535) throw new SyntaxError(`${text} is no port: they end at 65535`);
  return port;
}
