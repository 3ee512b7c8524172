import { runFlags } from "../../cli/run/flags.js";
import { type FlagsOf, oneOf } from "../../cli/settings/flags.js";

/** `remit config`. */
export const config = {
  docs: {
    brief: "Print every setting and where it comes from",
    fullDescription:
      "A flag overrides a variable, a variable overrides remit.yaml, and that overrides the default. Secrets are never printed, " +
      "only the names of their variables.\n\nExample:\n  remit config --format json",
  },
  parameters: {
    flags: {
      format: oneOf(["text", "json"], "How it is printed"),
      ...runFlags,
    },
  },
} as const;

/** Its flags. */
export type ConfigFlags = FlagsOf<typeof config.parameters.flags>;
