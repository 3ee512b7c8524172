import { contextFlag, outputFlags, WRITTEN } from "../../cli/run/flags.js";
import { type FlagsOf, text } from "../../cli/settings/flags.js";
import { FORM_NAMES } from "../../report/forms/table.js";

/** The formats of a graph alone. */
const PICTURES = ["svg", "mermaid"] as const;

/** `remit show`. */
export const show = {
  docs: {
    brief: "Render a saved plan, or draw what an object is connected with",
    fullDescription:
      "Needs no network and no credentials. With --graph, it draws one object with what it gives, the rules that move people " +
      "into it, and its policies, reviews and conflicts. With a plan, it says how many people each rule moves; without one, it " +
      "reads the manifests.\n\nExamples:\n" +
      "  remit show plan.json\n  remit show plan.json --format markdown --max-bytes 65536\n" +
      "  remit show --graph AccessProfile/engineering\n" +
      "  remit show plan.json --graph AccessProfile/engineering --format svg",
  },
  parameters: {
    flags: {
      ...outputFlags,
      format: { ...outputFlags.format, values: [...FORM_NAMES, ...PICTURES] },
      graph: {
        ...text("address", "Draw this object: as text, json, svg or mermaid"),
        ...WRITTEN,
      },
      ...contextFlag,
    },
    aliases: { q: "quiet", v: "verbose" },
    positional: {
      kind: "tuple",
      parameters: [
        { brief: "A plan that `remit plan --out` saved", parse: String, placeholder: "plan", optional: true },
      ],
    },
  },
} as const;

/** Its flags. */
export type ShowFlags = FlagsOf<typeof show.parameters.flags>;
