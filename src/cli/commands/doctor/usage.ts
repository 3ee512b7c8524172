import { buildCommand } from "@stricli/core";
import type { Context } from "../../run/context.js";
import { colorFlag, runFlags } from "../flags.js";
import type { DoctorFlags } from "./doctor.js";

/** `remit doctor`. */
export const doctor = buildCommand<DoctorFlags, [], Context>({
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
      format: { kind: "enum", values: ["text", "json"], default: "text", brief: "How it is printed" },
      ...runFlags,
      verbose: { kind: "boolean", default: false, withNegated: false, brief: "Show every call" },
      ...colorFlag,
    },
    aliases: { v: "verbose" },
  },
  loader: () => import("./doctor.js"),
});
