import type { Context } from "../../cli/run/context.js";
import { contextFlag } from "../../cli/run/flags.js";
import { type FlagsOf, oneOf, parseDay, read, tenantFlags } from "../../cli/settings/flags.js";

/** `remit history`. */
export const history = {
  docs: {
    brief: "Show which runs changed what, when and for whom",
    fullDescription:
      "Prints the runs that sent something to the tenant, the newest first: when, who, which commit, and what became of each step. " +
      "With an address, only the runs that were about that object; with the name of a run, all of its steps. " +
      "Reads the store of the state alone, and ends with 1 where a record is missing or was changed.\n\n" +
      "Examples:\n" +
      "  remit history --since 2026-07-01\n" +
      "  remit history EntitlementAutomation/engineering\n" +
      "  remit history 68584d8f-c27c-4976-96eb-533c29496ed7 --format markdown",
  },
  parameters: {
    flags: {
      since: read(parseDay, "date", "Only runs from this day or time on"),
      format: oneOf(["text", "json", "markdown"], "How it is printed"),
      ...contextFlag,
      state: tenantFlags.state,
      settingsFrom: tenantFlags.settingsFrom,
    },
    positional: {
      kind: "tuple",
      parameters: [
        {
          brief: "Kind/name, or the name of a run",
          parse: String,
          optional: true,
          placeholder: "address",
          async proposeCompletions(this: Context) {
            const { rememberedAddresses, rememberedRuns } = await import(
              "../../cli/completion/remembered.js"
            );
            return [...(await rememberedAddresses(this)), ...(await rememberedRuns(this))];
          },
        },
      ],
    },
  },
} as const;

/** Its flags. */
export type HistoryFlags = FlagsOf<typeof history.parameters.flags>;
