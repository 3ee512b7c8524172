import { type FlagsOf, read, text, whole } from "../../cli/settings/flags.js";

/** `remit sandbox`. */
export const sandbox = {
  docs: {
    brief: "Serve a substitute for the service, to try things out",
    fullDescription:
      "Serves a tenant over HTTP like the service does, until it is stopped. Without a seed, a number or a data file the " +
      "tenant is empty, and creates whatever a write names. The address is printed on standard output. " +
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
        brief: "Only the documented operations, or all known ones",
        default: "full",
      },
      seed: text("file", "A file that describes the tenant at the start"),
      generate: read(whole(0, 999_999_999), "number", "Start with a made-up tenant of so many entitlements"),
      data: text("file", "A file that keeps the tenant between runs"),
      faults: text("faults", "Faults to inject: a file, or a list such as 429=0.05,403@ListApps,latency=20"),
      log: text("file", "A file that gets a line of JSON for each request"),
      port: {
        kind: "parsed",
        parse: whole(0, 65_535),
        brief: "The port; 0 for any free one",
        default: "8700",
      },
      host: { kind: "parsed", parse: String, brief: "The address to listen at", default: "127.0.0.1" },
      tokenLifetime: {
        kind: "parsed",
        parse: whole(0, 999_999_999),
        brief: "How long an issued token is valid, in seconds",
        placeholder: "seconds",
        default: "600",
      },
    },
  },
} as const;

/** Its flags. */
export type SandboxFlags = FlagsOf<typeof sandbox.parameters.flags>;
