import { choiceFlags, runFlags, WRITTEN } from "../../cli/run/flags.js";
import { type FlagsOf, oneOf, text } from "../../cli/settings/flags.js";

/** `remit impact`. */
export const impact = {
  docs: {
    brief: "Show who gains and who loses access, and why",
    fullDescription:
      "Plans the change of one rule, and counts the people who gain and lose access; of a rule that does not change, those it " +
      "matches today. With --user, it says why one person does: which rule matches, whether they have it now, and whether they " +
      "are excluded. With --user alone, it says what the plan changes for the person, and lists the rules that match today. With --rule, it " +
      "says whom a rule would match that no manifest has yet, and with --on who would gain and lose. With --conflict, it says who holds both sides of an access conflict now. Changes nothing.\n\n" +
      "Examples:\n" +
      "  remit impact EntitlementAutomation/engineering\n" +
      "  remit impact EntitlementAutomation/engineering --user ana@example.com\n" +
      "  remit impact --user ana@example.com\n" +
      "  remit impact --rule 'subject.department == \"Tax\"'\n" +
      "  remit impact --rule 'subject.department == \"Tax\"' --on C1/c1-tax-member\n" +
      "  remit impact --conflict pay-and-approve --people",
  },
  parameters: {
    flags: {
      user: text("email", "Why this person gains or loses"),
      rule: text("cel", "What this rule would do"),
      on: text("entitlement", "What the rule of --rule would give: APP/ENTITLEMENT"),
      conflict: text("name", "Who holds both sides of this access conflict now"),
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
          ...WRITTEN,
        },
      ],
    },
  },
} as const;

/** Its flags. */
export type ImpactFlags = FlagsOf<typeof impact.parameters.flags>;
