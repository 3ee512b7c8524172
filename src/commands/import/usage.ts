import { colorFlag, runFlags } from "../../cli/run/flags.js";
import { type FlagsOf, isGiven, oneOf, read, text, texts, whole } from "../../cli/settings/flags.js";
import { LAYOUTS } from "./layouts.js";

/** `remit import`. */
export const importCommand = {
  docs: {
    brief: "Write manifests for objects of the tenant that have none",
    fullDescription:
      "Reads the tenant and writes a file for each object without a manifest. Changes nothing in the tenant and no " +
      "existing file. Checks first that the plan of the new manifests is empty.\n\n" +
      "Examples:\n" +
      "  remit import                              everything that remit can find\n" +
      "  remit import 'TemplateScope/quarterly-*'  those whose new name fits\n" +
      "  remit import --app GitHub --dry-run       print, and write nothing\n" +
      "  terraform show -json | remit import --from-terraform -",
  },
  parameters: {
    flags: {
      out: text("dir", "The folder of the new files; the first of manifests:"),
      app: texts("app", "Only objects of this app: its name or id"),
      template: texts("id", "Also this template: its id, or its page's address"),
      where: texts("test", "Only where the list shows FIELD=PATTERN or !="),
      limit: read(whole(1, Number.MAX_SAFE_INTEGER), "n", "The most new manifests of each kind"),
      layout: {
        kind: "enum",
        values: LAYOUTS,
        default: "object",
        brief: "One file for each",
      },
      fromTerraform: text("file", "Only what this output of terraform show -json has"),
      dryRun: isGiven("Print the manifests, and write no file"),
      format: oneOf(["text", "json"], "How it is printed"),
      ...runFlags,
      quiet: isGiven("Do not name the files"),
      verbose: isGiven("Show every call"),
      ...colorFlag,
    },
    aliases: { q: "quiet", v: "verbose" },
    positional: {
      kind: "array",
      parameter: {
        brief: "A kind, or a kind and a pattern of new names",
        parse: String,
        placeholder: "address",
        async proposeCompletions() {
          return (await import("../../kinds/index.js")).kinds.map(({ name }) => name);
        },
      },
    },
  },
} as const;

/** Its flags. */
export type ImportFlags = FlagsOf<typeof importCommand.parameters.flags>;
