import { choiceFlags, outputFlags, runFlags, shortNames } from "../../cli/run/flags.js";
import { type FlagsOf, isGiven, parseMoment, read, text } from "../../cli/settings/flags.js";

/** `remit apply`. */
export const apply = {
  docs: {
    brief: "Change the tenant to match the manifests",
    fullDescription:
      "Plans, shows the plan, asks, and applies it; or applies a saved plan exactly as it is. A run that was killed is " +
      "recovered by the next one.\n\n" +
      "Examples:\n" +
      "  remit apply                                   plan, ask, apply\n" +
      "  remit apply plan.json --expect sha256:1f2e…   only what was reviewed",
  },
  parameters: {
    flags: {
      yes: isGiven("Do not ask"),
      expect: text("hash", "Apply only what has this effect"),
      mergedAt: read(parseMoment, "time", "With --expect: when that was merged, by the forge"),
      outRemaining: text("file", "Save what is left as a plan"),
      outUnexpected: text("file", "With --expect: save the plan that it refuses"),
      evidence: text("folder", "Write evidence of the run here (docs/history.md)"),
      allOrNothing: isGiven("Apply nothing if a step is blocked"),
      lockTimeout: read(seconds, "seconds", "Seconds to wait for the state's lock"),
      json: isGiven("Print events as they happen, one a line"),
      ...choiceFlags,
      ...runFlags,
      ...outputFlags,
    },
    aliases: { ...shortNames, y: "yes" },
    positional: {
      kind: "array",
      parameter: { brief: "Manifests, or one saved plan", parse: String, placeholder: "path" },
    },
  },
} as const;

/** Its flags. */
export type ApplyFlags = FlagsOf<typeof apply.parameters.flags>;

function seconds(text: string): number {
  const number = Number(text);
  if (Number.isFinite(number) && number >= 0 && text !== "") return number;
  throw new Error("a number of seconds is needed");
}
