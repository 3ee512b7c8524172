import type { Context } from "../../../cli/run/context.js";
import { colorFlag } from "../../../cli/run/flags.js";
import { type FlagsOf, isGiven, oneOf, tenantFlags, texts } from "../../../cli/settings/flags.js";

const name = (brief: string, placeholder: string) => ({
  brief,
  parse: String,
  placeholder,
  async proposeCompletions(this: Context) {
    return (await import("../../../cli/completion/contextNames.js")).contextNames(this);
  },
});

/** `remit contexts diff`. */
export const diff = {
  docs: {
    brief: "Say what one tenant has and the other has not",
    fullDescription:
      "Reads the tenants of two contexts, matches their objects by kind and by the names that people give them, and lists what " +
      "only one has and what differs. Ids are never compared: what an id points at is compared by its name, and a user by the " +
      "e-mail address. What could not be read, or has no name of its own, is listed as not known. Each context uses the credentials of its own " +
      "variables alone. Changes nothing.\n\n" +
      "Examples:\n" +
      "  remit contexts diff staging production\n" +
      "  remit contexts diff eu us --kind Policy --kind AccessProfile\n" +
      "  remit contexts diff eu us --detailed-exitcode --format json",
  },
  parameters: {
    flags: {
      kind: {
        ...texts("kind", "Only objects of this kind"),
        async proposeCompletions() {
          return (await import("../../../kinds/index.js")).kinds.map(({ name }) => name);
        },
      },
      format: oneOf(["text", "json"], "How it is printed"),
      detailedExitcode: isGiven("Exit 2 if the tenants differ"),
      interface: tenantFlags.interface,
      settingsFrom: tenantFlags.settingsFrom,
      concurrency: tenantFlags.concurrency,
      quiet: isGiven("Print only the result"),
      verbose: isGiven("Show every call"),
      ...colorFlag,
    },
    aliases: { q: "quiet", v: "verbose" },
    positional: {
      kind: "tuple",
      parameters: [
        name("The context whose objects are the old ones", "context"),
        name("The context that it is compared with", "other"),
      ],
    },
  },
} as const;

/** Its flags. */
export type ContextsDiffFlags = FlagsOf<typeof diff.parameters.flags>;
