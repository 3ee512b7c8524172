import { buildCommand } from "@stricli/core";
import type { Context } from "../../run/context.js";
import { EXAMPLES } from "./exampleNames.js";
import type { InitFlags } from "./init.js";

/** `remit init`. */
export const init = buildCommand<InitFlags, [string?], Context>({
  docs: {
    brief: "Start a project: remit.yaml, a first manifest, their schemas",
    fullDescription:
      "Never overwrites a file.\n\n" +
      "Examples:\n" +
      "  remit init                begin here\n" +
      "  remit init reviews        begin in a folder of its own\n" +
      "  remit init --example groups teams   copy an example into a folder\n" +
      "  remit init --ci github    also write pipelines, or add them later\n" +
      "  remit init --ci kubernetes   a plan of each tenant every night\n" +
      "  remit init --server https://example.conductor.one   for an existing tenant",
  },
  parameters: {
    flags: {
      server: {
        kind: "parsed",
        parse: String,
        optional: true,
        brief: "An existing tenant; writes no first manifest",
        placeholder: "url",
      },
      example: {
        kind: "enum",
        values: EXAMPLES,
        optional: true,
        brief: "Copy an example, with its own sandbox",
        placeholder: "name",
      },
      ci: {
        kind: "enum",
        values: ["github", "gitlab", "kubernetes"],
        optional: true,
        brief: "Also write pipelines, or objects of a cluster",
      },
    },
    positional: {
      kind: "tuple",
      parameters: [
        { brief: "The folder; this one by default", parse: String, placeholder: "folder", optional: true },
      ],
    },
  },
  loader: () => import("./init.js"),
});
