import { buildCommand } from "@stricli/core";
import type { Context } from "../../run/context.js";
import { whole } from "../../settings/flags.js";
import { colorFlag, runFlags } from "../flags.js";
import type { ImportFlags } from "./import.js";
import { LAYOUTS } from "./layouts.js";

/** `remit import`. */
export const importCommand = buildCommand<ImportFlags, string[], Context>({
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
      out: {
        kind: "parsed",
        parse: String,
        optional: true,
        brief: "The folder of the new files; the first of manifests:",
        placeholder: "dir",
      },
      app: {
        kind: "parsed",
        parse: String,
        variadic: true,
        optional: true,
        brief: "Only objects of this app: its name or id",
        placeholder: "app",
      },
      template: {
        kind: "parsed",
        parse: String,
        variadic: true,
        optional: true,
        brief: "Also this template: its id, or its page's address",
        placeholder: "id",
      },
      where: {
        kind: "parsed",
        parse: String,
        variadic: true,
        optional: true,
        brief: "Only where the list shows FIELD=PATTERN or !=",
        placeholder: "test",
      },
      limit: {
        kind: "parsed",
        parse: whole(1, Number.MAX_SAFE_INTEGER),
        optional: true,
        brief: "The most new manifests of each kind",
        placeholder: "n",
      },
      layout: {
        kind: "enum",
        values: LAYOUTS,
        default: "object",
        brief: "One file for each",
      },
      fromTerraform: {
        kind: "parsed",
        parse: String,
        optional: true,
        brief: "Only what this output of terraform show -json has",
        placeholder: "file",
      },
      dryRun: {
        kind: "boolean",
        default: false,
        withNegated: false,
        brief: "Print the manifests, and write no file",
      },
      format: { kind: "enum", values: ["text", "json"], default: "text", brief: "How it is printed" },
      ...runFlags,
      quiet: { kind: "boolean", default: false, withNegated: false, brief: "Do not name the files" },
      verbose: { kind: "boolean", default: false, withNegated: false, brief: "Show every call" },
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
          return (await import("../../../kinds/index.js")).kinds.map(({ name }) => name);
        },
      },
    },
  },
  loader: () => import("./import.js"),
});
