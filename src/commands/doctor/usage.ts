import { colorFlag, runFlags } from "../../cli/run/flags.js";
import { type FlagsOf, isGiven, oneOf } from "../../cli/settings/flags.js";

/** `remit doctor`. */
export const doctor = {
  docs: {
    brief: "Say what this token may read and write",
    fullDescription:
      "Tries one read of each sort that the kinds of the project need, and says what works, what is missing, and what to do. " +
      "Says whether the store of the state can be read. Writes nothing.\n\n" +
      "Examples:\n" +
      "  remit doctor\n" +
      "  remit doctor --format json",
  },
  parameters: {
    flags: {
      format: oneOf(["text", "json"], "How it is printed"),
      ...runFlags,
      verbose: isGiven("Show every call"),
      ...colorFlag,
    },
    aliases: { v: "verbose" },
  },
} as const;

/** Its flags. */
export type DoctorFlags = FlagsOf<typeof doctor.parameters.flags>;
