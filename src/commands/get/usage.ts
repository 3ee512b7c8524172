import type { Context } from "../../cli/run/context.js";
import { colorFlag, runFlags } from "../../cli/run/flags.js";
import { type FlagsOf, isGiven } from "../../cli/settings/flags.js";

/** `remit get`. */
export const get = {
  docs: {
    brief: "Print what the tenant contains, and find ids",
    fullDescription:
      "Prints objects as manifests: one by its address, all of a kind, those of an app, or those whose name fits a pattern. What manifests describe " +
      "comes first. Lists apps, entitlements, resource-types, resources, templates, users, access-profiles, policies, risk-levels and " +
      "compliance-frameworks with their ids, and the values that users have of an attribute. Changes nothing.\n\n" +
      "Examples:\n" +
      "  remit get EntitlementAutomation/engineering  one object, by its address\n" +
      "  remit get ResourceType/GitHub                the resource types of one app\n" +
      "  remit get 'TemplateScope/quarterly-*'        those whose name fits\n" +
      "  remit get apps                               every app, with its id\n" +
      "  remit get entitlements/GitHub                aliases and ids of one app\n" +
      "  remit get 'users/ana@*'                      a user's id\n" +
      "  remit get 'users/ana@*' -o yaml              what rules may ask of a user\n" +
      "  remit get values/department                  the departments, with counts\n" +
      "  remit get values                             every attribute that users have\n" +
      "  remit get TemplateScope -o ids               ids alone, for a script",
  },
  parameters: {
    flags: {
      format: {
        kind: "enum",
        values: ["yaml", "json", "table"],
        optional: true,
        brief: "How it is printed",
      },
      output: {
        kind: "enum",
        values: ["yaml", "json", "table", "ids"],
        optional: true,
        brief: "As --format; ids alone, one a line, for a script",
      },
      ...runFlags,
      quiet: isGiven("Print only the result"),
      verbose: isGiven("Show every call"),
      ...colorFlag,
    },
    aliases: { o: "output", q: "quiet", v: "verbose" },
    positional: {
      kind: "array",
      parameter: {
        brief: "An address, a kind, a kind and an app, or a list",
        parse: String,
        placeholder: "what",
        async proposeCompletions(this: Context) {
          const { WORDS } = await import("./choice.js");
          const { writtenAddresses } = await import("../../cli/completion/written.js");
          return [...WORDS, ...(await writtenAddresses(this))];
        },
      },
    },
  },
} as const;

/** Its flags. */
export type GetFlags = FlagsOf<typeof get.parameters.flags>;
