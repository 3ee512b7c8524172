import { buildCommand } from "@stricli/core";
import type { Context } from "../../run/context.js";
import { colorFlag, pathArguments } from "../flags.js";
import type { FmtFlags } from "./fmt.js";

/** `remit fmt`. */
export const fmt = buildCommand<FmtFlags, string[], Context>({
  docs: {
    brief: "Format manifests; comments stay",
    fullDescription:
      "Orders fields as the schema does, indents by two spaces and leaves quotes only where they are needed. Comments, " +
      "blank lines between blocks and the order of lists stay. Prints the name of each file it changes. " +
      "JSON files, and YAML files of a folder that hold no manifest, are left alone.\n\n" +
      "Examples:\n" +
      "  remit fmt             format the project's manifests\n" +
      "  remit fmt --check     name each file that is not formatted; exit 1",
  },
  parameters: {
    flags: {
      check: {
        kind: "boolean",
        default: false,
        withNegated: false,
        brief: "Change nothing; exit 1 if a file would change",
      },
      quiet: { kind: "boolean", default: false, withNegated: false, brief: "Do not name the files" },
      ...colorFlag,
    },
    aliases: { q: "quiet" },
    positional: pathArguments,
  },
  loader: () => import("./fmt.js"),
});
