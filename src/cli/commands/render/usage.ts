import { buildCommand } from "@stricli/core";
import type { Context } from "../../run/context.js";
import { colorFlag, contextFlag } from "../flags.js";
import type { RenderFlags } from "./render.js";

/** `remit render`. */
export const render = buildCommand<RenderFlags, string[], Context>({
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
      values: {
        kind: "parsed",
        parse: String,
        optional: true,
        brief: "List who reads this named value",
        placeholder: "name",
      },
      ...contextFlag,
      ...colorFlag,
    },
    positional: {
      kind: "array",
      parameter: { brief: "A manifest: Kind/name, or Kind/name[row]", parse: String, placeholder: "address" },
    },
  },
  loader: () => import("./render.js"),
});
