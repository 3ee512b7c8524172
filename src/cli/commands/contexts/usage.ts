import { buildCommand } from "@stricli/core";
import type { Context } from "../../run/context.js";
import { tenantFlags } from "../../settings/flags.js";
import { colorFlag } from "../flags.js";
import type { ContextsFlags } from "./contexts.js";

/** `remit contexts`. */
export const contexts = buildCommand<ContextsFlags, [], Context>({
  docs: {
    brief: "List the contexts, also as a matrix for a pipeline",
    fullDescription:
      "Prints the contexts of the settings in force, in the order of remit.yaml. A pipeline makes one job for each: for GitHub as " +
      "the value of `strategy.matrix`, for GitLab as YAML that its pipeline includes. A project without contexts has one job, which names none.\n\n" +
      "Examples:\n" +
      "  remit contexts\n" +
      "  remit contexts --settings-from HEAD^1 --format github",
  },
  parameters: {
    flags: {
      format: {
        kind: "enum",
        values: ["text", "json", "github", "gitlab"],
        default: "text",
        brief: "How they are printed",
      },
      settingsFrom: tenantFlags.settingsFrom,
      ...colorFlag,
    },
  },
  loader: () => import("./contexts.js"),
});
