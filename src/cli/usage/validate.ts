import { buildCommand } from "@stricli/core";
import type { ValidateFlags } from "../commands/validate.js";
import type { Context } from "../context.js";

/** `remit validate`. */
export const validate = buildCommand<ValidateFlags, string[], Context>({
  docs: {
    brief: "Check manifests, offline and without credentials",
    fullDescription:
      "Finds everything in manifests that can be known without the service, and says of each fault where it stands and " +
      "what to do. Exits 5 where there are errors.",
  },
  parameters: {
    flags: {
      format: {
        kind: "enum",
        values: ["text", "json", "github", "sarif"],
        brief: "How findings are printed",
        default: "text",
      },
      strict: { kind: "boolean", brief: "Take warnings for errors", default: false },
    },
    positional: {
      kind: "array",
      parameter: { brief: "A file, a folder, or - for standard input", parse: String, placeholder: "path" },
    },
  },
  loader: () => import("../commands/validate.js"),
});
