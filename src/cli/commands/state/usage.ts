import { buildCommand, buildRouteMap } from "@stricli/core";
import type { Context } from "../../commandLine/context.js";
import { tenantFlags } from "../flags.js";
import type { StateFlags } from "./state.js";

const flags = {
  format: { kind: "enum", values: ["text", "json"], default: "text", brief: "How it is printed" },
  state: tenantFlags.state,
} as const;

const address = {
  kind: "tuple",
  parameters: [
    {
      brief: "Kind/name",
      parse: String,
      placeholder: "address",
      async proposeCompletions(this: Context) {
        return (await import("../../completion/remembered.js")).rememberedAddresses(this);
      },
    },
  ],
} as const;

/** `remit state`: looks into what is remembered. */
export const state = buildRouteMap({
  docs: { brief: "Look into what is remembered between runs" },
  routes: {
    list: buildCommand<StateFlags, [], Context>({
      docs: {
        brief: "List what is remembered",
        fullDescription:
          "Of each object its address, its id, and when it was last applied; of a create whose outcome nobody knows, why.\n\n" +
          "Example:\n  remit state list --format json",
      },
      parameters: { flags },
      loader: async () => (await import("./state.js")).list,
    }),
    show: buildCommand<StateFlags, [string], Context>({
      docs: {
        brief: "Print all that is remembered of one object",
        fullDescription:
          "What was applied, and what the service answered, as JSON.\n\nExample:\n  remit state show EntitlementAutomation/engineering",
      },
      parameters: { flags, positional: address },
      loader: async () => (await import("./state.js")).show,
    }),
    forget: buildCommand<StateFlags, [string], Context>({
      docs: {
        brief: "Forget one object; it stays in the tenant as it is",
        fullDescription:
          "The next plan knows nothing of who changed it, and no longer deletes it.\n\nExample:\n  remit state forget EntitlementAutomation/engineering",
      },
      parameters: { flags, positional: address },
      loader: async () => (await import("./state.js")).forget,
    }),
    unlock: buildCommand<StateFlags, [], Context>({
      docs: {
        brief: "Remove a lock that nobody holds any more",
        fullDescription:
          "A dead holder's lock is taken over by itself; this is for one on another machine.\n\nExample:\n  remit state unlock",
      },
      parameters: { flags },
      loader: async () => (await import("./state.js")).unlock,
    }),
  },
});
