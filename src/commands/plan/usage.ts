import { choiceFlags, outputFlags, pathArguments, runFlags, shortNames } from "../../cli/run/flags.js";
import { type FlagsOf, isGiven, text } from "../../cli/settings/flags.js";

/** `remit plan`. */
export const plan = {
  docs: {
    brief: "Show what an apply would change, and why",
    fullDescription:
      "Compares the manifests with the tenant, and shows each change with its cause and its line. Changes nothing in the tenant.\n\n" +
      "Examples:\n" +
      "  remit plan reviews -l team=security   only those of a folder with a label\n" +
      "  remit plan --out plan.json            save the plan, to apply exactly that\n\n" +
      "Symbols: + create, ~ change, ± replace, - delete, = only recorded, ! blocked,\n" +
      "  × no longer managed, ? removed from the project, [-removed-], {+added+}",
  },
  parameters: {
    flags: {
      out: text("file", "Save the plan to a file"),
      offline: isGiven("Do not call the service; compare with the state"),
      refreshOnly: isGiven("Show only what changed in the tenant"),
      record: isGiven("As --refresh-only, and write it to the state"),
      detailedExitcode: isGiven("Exit 2 if changes are pending"),
      unmanaged: isGiven("Look for objects that no manifest describes"),
      ...choiceFlags,
      ...runFlags,
      ...outputFlags,
    },
    aliases: shortNames,
    positional: pathArguments,
  },
} as const;

/** Its flags. */
export type PlanFlags = FlagsOf<typeof plan.parameters.flags>;
