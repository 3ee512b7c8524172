import { buildCommand } from "@stricli/core";
import type { Context } from "../../run/context.js";
import { choiceFlags, outputFlags, runFlags, shortNames } from "../flags.js";
import type { ApplyFlags } from "./apply.js";

/** `remit apply`. */
export const apply = buildCommand<ApplyFlags, string[], Context>({
  docs: {
    brief: "Change the tenant to match the manifests",
    fullDescription:
      "Plans, shows the plan, asks, and applies it; or applies a saved plan exactly as it is. A run that was killed is " +
      "recovered by the next one.\n\n" +
      "Examples:\n" +
      "  remit apply                                   plan, ask, apply\n" +
      "  remit apply --yes                             without asking\n" +
      "  remit apply plan.json --expect sha256:1f2e…   only what was reviewed",
  },
  parameters: {
    flags: {
      yes: { kind: "boolean", default: false, withNegated: false, brief: "Do not ask" },
      expect: {
        kind: "parsed",
        parse: String,
        optional: true,
        brief: "Apply only what has this effect",
        placeholder: "hash",
      },
      mergedAt: {
        kind: "parsed",
        parse: moment,
        optional: true,
        brief: "With --expect: when that was merged, by the forge",
        placeholder: "time",
      },
      outRemaining: {
        kind: "parsed",
        parse: String,
        optional: true,
        brief: "Save what is left as a plan",
        placeholder: "file",
      },
      outUnexpected: {
        kind: "parsed",
        parse: String,
        optional: true,
        brief: "With --expect: save the plan that it refuses",
        placeholder: "file",
      },
      evidence: {
        kind: "parsed",
        parse: String,
        optional: true,
        brief: "Write evidence of the run here (docs/history.md)",
        placeholder: "folder",
      },
      allOrNothing: {
        kind: "boolean",
        default: false,
        withNegated: false,
        brief: "Apply nothing if a step is blocked",
      },
      lockTimeout: {
        kind: "parsed",
        parse: seconds,
        optional: true,
        brief: "Seconds to wait for the state's lock",
        placeholder: "seconds",
      },
      json: {
        kind: "boolean",
        default: false,
        withNegated: false,
        brief: "Print events as they happen, one a line",
      },
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
  loader: () => import("./apply.js"),
});

/** A moment as milliseconds. */
function moment(text: string): number {
  const at = Date.parse(text);
  if (/^\d{4}-\d\d-\d\dT/.test(text) && !Number.isNaN(at)) return at;
  throw new Error("a time such as 2026-01-31T12:00:00Z is needed");
}

function seconds(text: string): number {
  const number = Number(text);
  if (Number.isFinite(number) && number >= 0 && text !== "") return number;
  throw new Error("a number of seconds is needed");
}
