import { buildCommand } from "@stricli/core";
import type { Context } from "../../run/context.js";
import { colorFlag, runFlags } from "../flags.js";
import type { ApprovedFlags } from "./approved.js";

/** `remit approved`. */
export const approved = buildCommand<ApprovedFlags, [], Context>({
  docs: {
    brief: "Print what the reviews of merges approved",
    fullDescription:
      "Runs in the apply job, on the default branch of the forge, or the one that REMIT_BRANCH names. Prints a line for each merge after the newest commit whose status `remit/apply PROJECT@TENANT` is a success, in first-parent order. " +
      "The line has the base, the effect that the status `remit/plan PROJECT@TENANT` of its pull request contains, the commit, when it was merged, and the number. " +
      "Applies nothing. With --comment, the pull request that is refused and those that wait behind it get a comment. Exits 4 at the first merge that no pull request brought, or whose status is missing, failed or of another author.\n\n" +
      "Examples:\n" +
      "  remit approved\n" +
      "  remit approved --since HEAD^1 --format json",
  },
  parameters: {
    flags: {
      since: {
        kind: "parsed",
        parse: String,
        optional: true,
        brief: "Begin after this commit, also without a state",
        placeholder: "ref",
      },
      author: {
        kind: "parsed",
        parse: String,
        optional: true,
        brief: "The login of the account that plans",
        placeholder: "login",
      },
      environment: {
        kind: "parsed",
        parse: String,
        optional: true,
        brief: "Say which branches this environment takes jobs of",
        placeholder: "name",
      },
      comment: {
        kind: "boolean",
        default: false,
        withNegated: false,
        brief: "Say on their pull requests what is refused or waits",
      },
      format: { kind: "enum", values: ["text", "json"], default: "text", brief: "How it is printed" },
      ...runFlags,
      verbose: { kind: "boolean", default: false, withNegated: false, brief: "Show every call" },
      ...colorFlag,
    },
    aliases: { v: "verbose" },
    positional: { kind: "tuple", parameters: [] },
  },
  loader: () => import("./approved.js"),
});
