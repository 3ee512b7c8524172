import type { Context } from "../../run/context.js";
import { type FlagsOf, oneOf, text } from "../../settings/flag.js";
import { choiceFlags, runFlags } from "../flags.js";

/** `remit impact`. */
export const impact = {
  docs: {
    brief: "Show who gains and who loses access, and why",
    fullDescription:
      "Plans the change of one rule, and counts the people who gain and lose access; of a rule that does not change, those it " +
      "matches today. With --user, it says why one person does: which rule matches, whether they have it now, and whether they " +
      "are excluded. With --user alone, it lists the rules that match the person, and what decides. Changes nothing.\n\n" +
      "Examples:\n" +
      "  remit impact EntitlementAutomation/engineering\n" +
      "  remit impact EntitlementAutomation/engineering --user ana@example.com\n" +
      "  remit impact --user ana@example.com",
  },
  parameters: {
    flags: {
      user: text("email", "Why this person gains or loses"),
      people: choiceFlags.people,
      format: oneOf(["text", "json"], "How it is printed"),
      ...runFlags,
    },
    positional: {
      kind: "tuple",
      parameters: [
        {
          brief: "The rule: Kind/name",
          optional: true,
          parse: String,
          placeholder: "address",
          async proposeCompletions(this: Context) {
            return (await import("../../completion/written.js")).writtenAddresses(this);
          },
        },
      ],
    },
  },
} as const;

/** Its flags. */
export type ImpactFlags = FlagsOf<typeof impact.parameters.flags>;
