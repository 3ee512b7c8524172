import { colorFlag, runFlags } from "../../../cli/run/flags.js";
import { type FlagsOf, isGiven, oneOf, text } from "../../../cli/settings/flags.js";

/** `remit approved`. */
export const approved = {
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
      since: text("ref", "Begin after this commit, also without a state"),
      author: text("login", "The login of the account that plans"),
      environment: text("name", "Say which branches this environment takes jobs of"),
      comment: isGiven("Say on their pull requests what is refused or waits"),
      format: oneOf(["text", "json"], "How it is printed"),
      ...runFlags,
      verbose: isGiven("Show every call"),
      ...colorFlag,
    },
    aliases: { v: "verbose" },
    positional: { kind: "tuple", parameters: [] },
  },
} as const;

/** Its flags. */
export type ApprovedFlags = FlagsOf<typeof approved.parameters.flags>;
