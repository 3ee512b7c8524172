import { outputFlags } from "../../cli/run/flags.js";

/** `remit show`. */
export const show = {
  docs: {
    brief: "Render a saved plan",
    fullDescription:
      "Needs no network, no manifests and no credentials.\n\nExamples:\n" +
      "  remit show plan.json\n  remit show plan.json --format markdown --max-bytes 65536",
  },
  parameters: {
    flags: outputFlags,
    aliases: { q: "quiet", v: "verbose" },
    positional: {
      kind: "tuple",
      parameters: [{ brief: "A plan that `remit plan --out` saved", parse: String, placeholder: "plan" }],
    },
  },
} as const;
