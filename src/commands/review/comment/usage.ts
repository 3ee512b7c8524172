import { colorFlag } from "../../../cli/run/flags.js";
import { type FlagsOf, isGiven, read, text, whole } from "../../../cli/settings/flags.js";

/** `remit comment`. */
export const comment = {
  docs: {
    brief: "Post a plan or an outcome on the pull request",
    fullDescription:
      "Runs in a pipeline of GitHub, GitLab, Gitea or Forgejo, and finds the pull request there. Checks each plan and renders it again. " +
      "Writes one comment for these projects and tenants, and edits it in place from then on. Sets the commit status " +
      "`remit/plan PROJECT@TENANT`, or `remit/apply`. Where the job has no token that may write, or the change comes from a fork, " +
      "it writes the job's summary instead, says so and exits 0. It takes a file only from outside the checkout, and only about the commit " +
      "that the job is for. With --issue, it posts the JSON report of a nightly plan " +
      "on an issue: drift, what is not managed, and what ends within 14 days. It then sets no status. With --queue and no file, it sets the status of the project on the commit of a merge queue. That status names no effect, so it approves nothing.\n\n" +
      "Examples:\n" +
      "  remit comment /tmp/plan.json\n" +
      "  remit comment /tmp/plan.json --run /tmp/run.json\n" +
      "  remit comment eu=/tmp/plan-eu.json us=/tmp/plan-us.json\n" +
      "  remit comment --issue 12 /tmp/night.json",
  },
  parameters: {
    flags: {
      out: text("file", "Also write the text to this file"),
      run: text("report", "Post this report where its run made no plan"),
      reviewed: text("hash", "Say what changed since the review of this effect"),
      issue: read(whole(1, 999_999_999), "number", "Post the report of a nightly plan on this issue"),
      queue: isGiven("Pass the commit of a merge queue, without a plan"),
      verbose: isGiven("Show every call"),
      ...colorFlag,
    },
    aliases: { v: "verbose" },
    positional: {
      kind: "array",
      parameter: {
        brief: "A saved plan, or the JSON report of an apply or of a failed run; NAME=FILE names its project",
        parse: String,
        placeholder: "plan",
      },
    },
  },
} as const;

/** Its flags. */
export type CommentFlags = FlagsOf<typeof comment.parameters.flags>;
