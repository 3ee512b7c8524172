import { buildCommand } from "@stricli/core";
import type { Context } from "../../commandLine/context.js";

/** `remit init`. */
export const init = buildCommand<Record<never, never>, [string?], Context>({
  docs: {
    brief: "Start a project: remit.yaml, a first manifest, their schemas",
    fullDescription:
      "Never overwrites a file.\n\n" +
      "Examples:\n" +
      "  remit init             begin here\n" +
      "  remit init reviews     begin in a folder of its own",
  },
  parameters: {
    positional: {
      kind: "tuple",
      parameters: [
        { brief: "The folder; this one by default", parse: String, placeholder: "folder", optional: true },
      ],
    },
  },
  loader: () => import("./init.js"),
});
