import { moreOf } from "../../../words/more.js";
import { code } from "../../text/escape.js";
import { many } from "../../text/layout.js";

/** A plan that does something else than what was reviewed: it was not applied, or it is a second one of its commit. */
export interface Unreviewed {
  readonly as: "apply" | "plan";
  /** The effects: of the reviewed plan, or the first of the commit, and of this one. */
  readonly reviewed: string;
  readonly effect: string;
  /** The steps that differ; null where the reviewed ones are not known. */
  readonly steps: {
    readonly changed: readonly string[];
    readonly added: readonly string[];
    readonly gone: readonly string[];
    /** Changed or added, where the review does not say which. */
    readonly other: readonly string[];
    /** How many of the reviewed steps are not in the plan as they were, where their names are not known. */
    readonly lost: number;
  } | null;
  /** Where the change begins and ends, as the manual job takes them; null where a plan names no commits. */
  readonly range: { readonly base: string; readonly commit: string } | null;
}

const MOST = 50;

/** What changed since the review, and how to continue. */
export function unreviewedLines({ as, reviewed, effect, steps, range }: Unreviewed): readonly string[] {
  const list = (what: string, names: readonly string[]) =>
    names.length === 0
      ? []
      : [
          ...names.slice(0, MOST).map((name) => `- ${what}: ${code(name.trim())}`),
          ...moreOf(names.length - MOST, `more ${what}`).map((text) => `- ${text}`),
        ];
  const known =
    steps === null
      ? ["The steps of the reviewed plan are not known here. Compare this plan with its comment."]
      : [
          ...list("does something else now", steps.changed),
          ...list("was not in the review", steps.added),
          ...list("does something else now, or was not in the review", steps.other),
          ...(steps.lost === 0
            ? []
            : [`- ${many(steps.lost, "reviewed step")} changed, or not needed or not possible any more`]),
          ...list("was reviewed, and is not needed or not possible any more", steps.gone),
        ];
  const given =
    range === null ? "" : ` with ${code(`base: ${range.base}`)} and ${code(`commit: ${range.commit}`)}`;
  if (as === "plan")
    return [
      "**This commit can no longer be approved: an earlier run planned something else for it.**",
      `First: ${code(reviewed)}<br>Now: ${code(effect)}`,
      ["**What changed since then**\n", ...known].join("\n"),
      "**To continue**, push a commit, which may be empty. Its plan asks for a new review.",
    ];
  return [
    "**Nothing was applied: the plan does something else than what was reviewed.**",
    `Reviewed: ${code(reviewed)}<br>Now: ${code(effect)}`,
    ["**What changed since the review**\n", ...known].join("\n"),
    `**To continue**, review the plan below. Then start the manual job${given}. It shows the plan once more, and applies that behind the protected environment.`,
  ];
}
