import { buildCommand } from "@stricli/core";
import type { Context } from "../../run/context.js";
import { colorFlag, runFlags } from "../flags.js";
import type { AcceptFlags } from "./accept.js";

/** `remit accept`. */
export const accept = buildCommand<AcceptFlags, string[], Context>({
  docs: {
    brief: "Write what the tenant has now into the manifests",
    fullDescription:
      "Puts the tenant's value in the place of the one in the manifest. All other bytes of the file stay. The manifest of an " +
      "object that was deleted in the tenant is removed. Shows the change and asks. Changes nothing in the tenant.\n\n" +
      "Examples:\n" +
      "  remit accept TemplateScope/q4                 all that the tenant changed of it\n" +
      "  remit accept TemplateScope/q4#entitlements    one field\n" +
      "  remit accept --all-drift --from drift.json    all drift of a saved plan\n" +
      "  remit accept --restore TemplateScope/q4       what it had before the last run, also where that deleted it",
  },
  parameters: {
    flags: {
      allDrift: {
        kind: "boolean",
        default: false,
        withNegated: false,
        brief: "Accept all drift of the project",
      },
      from: {
        kind: "parsed",
        parse: String,
        optional: true,
        brief: "Take the values from a saved plan",
        placeholder: "plan",
      },
      restore: {
        kind: "boolean",
        default: false,
        withNegated: false,
        brief: "Write what an object had before a run instead",
      },
      run: {
        kind: "parsed",
        parse: String,
        optional: true,
        brief: "The run of --restore; else the newest that changed it",
        placeholder: "run",
        async proposeCompletions(this: Context) {
          return (await import("../../completion/remembered.js")).rememberedRuns(this);
        },
      },
      yes: { kind: "boolean", default: false, withNegated: false, brief: "Write without asking" },
      ...runFlags,
      quiet: { kind: "boolean", default: false, withNegated: false, brief: "Do not show the change" },
      verbose: { kind: "boolean", default: false, withNegated: false, brief: "Show every call" },
      ...colorFlag,
    },
    aliases: { y: "yes", q: "quiet", v: "verbose" },
    positional: {
      kind: "array",
      parameter: {
        brief: "An object, or one of its fields: Kind/name#field",
        parse: String,
        placeholder: "address",
        async proposeCompletions(this: Context) {
          return (await import("../../completion/written.js")).writtenAddresses(this);
        },
      },
    },
  },
  loader: () => import("./accept.js"),
});
