import { colorFlag, pathArguments } from "../../cli/run/flags.js";
import { type FlagsOf, isGiven } from "../../cli/settings/flags.js";

/** `remit fmt`. */
export const fmt = {
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
      check: isGiven("Change nothing; exit 1 if a file would change"),
      quiet: isGiven("Do not name the files"),
      ...colorFlag,
    },
    aliases: { q: "quiet" },
    positional: pathArguments,
  },
} as const;

/** Its flags. */
export type FmtFlags = FlagsOf<typeof fmt.parameters.flags>;
