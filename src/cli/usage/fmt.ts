import { buildCommand } from "@stricli/core";
import type { FmtFlags } from "../commands/fmt.js";
import type { Context } from "../context.js";

/** `remit fmt`. */
export const fmt = buildCommand<FmtFlags, string[], Context>({
  docs: {
    brief: "Lay manifests out in the canonical form, comments kept",
    fullDescription:
      "Orders fields as the schema does, indents by two spaces and leaves quotes only where they are needed. Comments, " +
      "blank lines between blocks and the order of lists stay. Prints the name of each file it changes. " +
      "JSON files, and YAML files of a folder that hold no manifest, are left alone.",
  },
  parameters: {
    flags: {
      check: { kind: "boolean", brief: "Change nothing; exit 1 where a file would change", default: false },
    },
    positional: {
      kind: "array",
      parameter: { brief: "A file, a folder, or - for standard input", parse: String, placeholder: "path" },
    },
  },
  loader: () => import("../commands/fmt.js"),
});
