import { contextFlag, outputFlags, pathArguments } from "../../cli/run/flags.js";
import { type FlagsOf, isGiven, tenantFlags } from "../../cli/settings/flags.js";

/** `remit validate`. */
export const validate = {
  docs: {
    brief: "Check manifests, offline and without credentials",
    fullDescription:
      "Checks everything in manifests that can be checked without the service. Each diagnostic has its place in the file and " +
      "says what to do. Exits 5 if there are errors.\n\n" +
      "Examples:\n" +
      "  remit validate                     the project's manifests\n" +
      "  remit validate reviews --strict    those of a folder, warnings being errors\n" +
      "  cat q4.yaml | remit validate -     what another program writes\n" +
      "  remit validate --format github     findings on the lines of a pull request\n" +
      "  remit validate --report codequality=q.json   and a report for GitLab",
  },
  parameters: {
    flags: {
      ...outputFlags,
      strict: isGiven("Treat warnings as errors"),
      settingsFrom: tenantFlags.settingsFrom,
      ...contextFlag,
      quiet: isGiven("Print only diagnostics"),
      verbose: isGiven("Also say what was left out"),
    },
    aliases: { q: "quiet", v: "verbose" },
    positional: pathArguments,
  },
} as const;

/** Its flags. */
export type ValidateFlags = FlagsOf<typeof validate.parameters.flags>;
