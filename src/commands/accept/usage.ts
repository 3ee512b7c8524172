import type { Context } from "../../cli/run/context.js";
import { colorFlag, runFlags, WRITTEN } from "../../cli/run/flags.js";
import { type FlagsOf, isGiven, text } from "../../cli/settings/flags.js";

/** `remit accept`. */
export const accept = {
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
      allDrift: isGiven("Accept all drift of the project"),
      from: text("plan", "Take the values from a saved plan"),
      restore: isGiven("Write what an object had before a run instead"),
      run: {
        ...text("run", "The run of --restore; else the newest that changed it"),
        async proposeCompletions(this: Context) {
          return (await import("../../cli/completion/remembered.js")).rememberedRuns(this);
        },
      },
      yes: isGiven("Write without asking"),
      ...runFlags,
      quiet: isGiven("Do not show the change"),
      verbose: isGiven("Show every call"),
      ...colorFlag,
    },
    aliases: { y: "yes", q: "quiet", v: "verbose" },
    positional: {
      kind: "array",
      parameter: {
        brief: "An object, or one of its fields: Kind/name#field",
        parse: String,
        placeholder: "address",
        ...WRITTEN,
      },
    },
  },
} as const;

/** Its flags. */
export type AcceptFlags = FlagsOf<typeof accept.parameters.flags>;
