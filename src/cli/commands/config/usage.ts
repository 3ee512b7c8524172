import { buildCommand } from "@stricli/core";
import type { Context } from "../../commandLine/context.js";
import { tenantFlags } from "../flags.js";
import type { ConfigFlags } from "./config.js";

/** `remit config`. */
export const config = buildCommand<ConfigFlags, [], Context>({
  docs: {
    brief: "Print every setting and where it comes from",
    fullDescription:
      "A flag comes before a variable, a variable before remit.yaml, and that before the default. Secrets are never printed, " +
      "only the variables that hold them.\n\nExample:\n  remit config --format json",
  },
  parameters: {
    flags: {
      format: { kind: "enum", values: ["text", "json"], default: "text", brief: "How it is printed" },
      ...tenantFlags,
    },
  },
  loader: () => import("./config.js"),
});
