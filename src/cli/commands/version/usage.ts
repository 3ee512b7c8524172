import { buildCommand } from "@stricli/core";
import type { Context } from "../../run/context.js";

/** `remit version`. */
export const version = buildCommand<{ readonly verbose: boolean }, [], Context>({
  docs: { brief: "Print the version" },
  parameters: {
    flags: { verbose: { kind: "boolean", brief: "Also print the version of Node", default: false } },
    aliases: { v: "verbose" },
  },
  loader: () => import("./version.js"),
});
