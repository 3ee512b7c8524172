import { buildCommand } from "@stricli/core";
import type { Context } from "../../run/context.js";
import { runFlags } from "../flags.js";
import type { ConfigFlags } from "./config.js";

/** `remit config`. */
export const config = buildCommand<ConfigFlags, [], Context>({
  docs: {
    brief: "Print every setting and where it comes from",
    fullDescription:
      "A flag overrides a variable, a variable overrides remit.yaml, and that overrides the default. Secrets are never printed, " +
      "only the names of their variables.\n\nExample:\n  remit config --format json",
  },
  parameters: {
    flags: {
      format: { kind: "enum", values: ["text", "json"], default: "text", brief: "How it is printed" },
      ...runFlags,
    },
  },
  loader: () => import("./config.js"),
});
