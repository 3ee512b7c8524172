import { type FlagsOf, isGiven, oneOf } from "../../settings/flag.js";
import { colorFlag, runFlags } from "../flags.js";

/** `remit doctor`. */
export const doctor = {
  docs: {
    brief: "Say what this token may read and write",
    fullDescription:
      "Tries one read of each sort that remit makes, and says per feature what works, what is refused, and what that means. " +
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
