import { colorFlag, contextFlag } from "../../cli/run/flags.js";
import { type FlagsOf, text } from "../../cli/settings/flags.js";

/** `remit render`. */
export const render = {
  docs: {
    brief: "Print manifests without named values and shapes",
    fullDescription:
      "A comment says of each part that was put in where it is written. The address of a shape names all its rows.\n\n" +
      "Examples:\n" +
      "  remit render                                    all manifests\n" +
      "  remit render 'EntitlementAutomation/member[eng]'  one\n" +
      "  remit render --values departments               the places that read a named value",
  },
  parameters: {
    flags: {
      values: text("name", "List who reads this named value"),
      ...contextFlag,
      ...colorFlag,
    },
    positional: {
      kind: "array",
      parameter: { brief: "A manifest: Kind/name, or Kind/name[row]", parse: String, placeholder: "address" },
    },
  },
} as const;

/** Its flags. */
export type RenderFlags = FlagsOf<typeof render.parameters.flags>;
