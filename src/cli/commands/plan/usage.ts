import { buildCommand } from "@stricli/core";
import type { Context } from "../../run/context.js";
import { choiceFlags, outputFlags, pathArguments, runFlags, shortNames } from "../flags.js";
import type { PlanFlags } from "./plan.js";

/** `remit plan`. */
export const plan = buildCommand<PlanFlags, string[], Context>({
  docs: {
    brief: "Show what an apply would change, and why",
    fullDescription:
      "Compares the manifests with the tenant, and shows each change with its cause and its line. Changes nothing in the tenant.\n\n" +
      "Examples:\n" +
      "  remit plan reviews -l team=security   only those of a folder with a label\n" +
      "  remit plan --out plan.json            save the plan, to apply exactly that\n" +
      "  remit plan --format markdown          for a pull request\n\n" +
      "Symbols: + create, ~ change, ± replace, - delete, = only recorded, ! blocked,\n" +
      "  × no longer managed, ? removed from the project, [-removed-], {+added+}",
  },
  parameters: {
    flags: {
      out: {
        kind: "parsed",
        parse: String,
        optional: true,
        brief: "Save the plan to a file",
        placeholder: "file",
      },
      offline: {
        kind: "boolean",
        default: false,
        withNegated: false,
        brief: "Do not call the service; compare with the state",
      },
      refreshOnly: {
        kind: "boolean",
        default: false,
        withNegated: false,
        brief: "Show only what changed in the tenant",
      },
      record: {
        kind: "boolean",
        default: false,
        withNegated: false,
        brief: "As --refresh-only, and write it to the state",
      },
      detailedExitcode: {
        kind: "boolean",
        default: false,
        withNegated: false,
        brief: "Exit 2 if changes are pending",
      },
      unmanaged: {
        kind: "boolean",
        default: false,
        withNegated: false,
        brief: "Look for objects that no manifest describes",
      },
      ...choiceFlags,
      ...runFlags,
      ...outputFlags,
    },
    aliases: shortNames,
    positional: pathArguments,
  },
  loader: () => import("./plan.js"),
});
