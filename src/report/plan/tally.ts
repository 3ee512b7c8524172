import { groupBy } from "../../model/groupBy.js";
import { SECONDS_PER_CALL } from "../../plan/assumed.js";
import { many } from "../text/layout.js";
import { type Label, labelOf } from "./labels.js";
import type { FindingReport, PlanReport, StepReport } from "./report.js";

/** The counts of a plan: `1 to create, 5 to change (1 reverts drift), 0 to delete; 40 unchanged`. */
export function tally(steps: readonly StepReport[], unchanged: number): string {
  const count = (label: Label) => steps.filter((step) => labelOf(step) === label).length;
  const reverts = steps.filter((step) => step.action === "update" && step.isDrift).length;
  const again = steps.filter((step) => labelOf(step) === "create" && step.isDrift).length;
  const drift = reverts === 0 ? "" : ` (${reverts} ${reverts === 1 ? "reverts" : "revert"} drift)`;
  const forgotten = steps.filter((step) => step.action === "forget" && step.staysActive).length;
  const rest: readonly (readonly [number, string])[] = [
    [again, "to create again"],
    [count("replace"), "to replace"],
    [count("accept"), "to accept"],
    [count("adopt"), "to adopt"],
    [count("rename"), "to rename"],
    [count("record"), "to record"],
    [count("removed"), "removed from the project, still active"],
    [forgotten, "to stop managing"],
    [count("forget") - forgotten, "removed from the state, no longer in the tenant"],
    [count("blocked"), "blocked"],
    [count("differs"), DIFFERS],
    [count("gone"), GONE],
    [unchanged - count("differs") - count("gone"), "unchanged"],
  ];
  const counts = `${count("create") - again} to create, ${count("update")} to change${drift}, ${count("delete")} to delete`;
  return [
    counts,
    ...rest.filter(([number]) => number > 0).map(([number, words]) => `${number} ${words}`),
  ].join("; ");
}

const DIFFERS = "managed elsewhere and different";
const GONE = "no longer in the tenant";

/** The last line of a plan. */
export function lastLine({ steps, counts, pending }: PlanReport): string {
  if (pending) return `Plan: ${tally(steps, counts.keep)}.`;
  const differing = steps.filter((step) => labelOf(step) === "differs").length;
  const gone = steps.filter((step) => labelOf(step) === "gone").length;
  const unchanged = counts.keep - differing - gone;
  const rest = [
    ...(differing === 0 ? [] : [`${differing} ${DIFFERS}`]),
    ...(gone === 0 ? [] : [`${gone} ${GONE}`]),
    ...(unchanged === 0 ? [] : [`${unchanged} unchanged`]),
    ...(counts.removed === 0 ? [] : [`${counts.removed} removed from the project, still active`]),
  ];
  return rest.length === 0 ? "Nothing to do." : `Nothing to do: ${rest.join("; ")}.`;
}

/** What a change does not do that only stops managing something; null for any other change. */
export function undoesNothingOf({ undoesNothing: count }: Pick<PlanReport, "undoesNothing">): string | null {
  if (count === null) return null;
  const what = count === 1 ? "1 object stays as it is" : `${count} objects stay as they are`;
  return `This change undoes nothing in the tenant: ${what}.`;
}

/** How to decide on removed objects; null where there are none. */
export function decisionOf({ counts }: Pick<PlanReport, "counts">): string | null {
  if (counts.removed === 0) return null;
  const what = counts.removed === 1 ? "The removed object stays" : "Removed objects stay";
  return `${what} as before until you decide: write \`then: delete\` or \`then: forget\` under \`removed:\` in remit.yaml, or use --prune to delete.`;
}

/** The calls of a plan: `14 to plan, 5 to apply, about 1 s`; per kind with `-v`. */
export function callsOf(
  { calls, estimate }: Pick<PlanReport, "calls" | "estimate">,
  verbose: boolean,
): string | null {
  const part = (counts: Readonly<Record<string, number>>, purpose: string) => {
    const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
    const kinds = Object.entries(counts).map(([kind, count]) => `${kind}: ${count}`);
    return total === 0 ? [] : [`${total} ${purpose}${verbose ? ` (${kinds.join(", ")})` : ""}`];
  };
  const ahead = part(calls.ahead, "to apply");
  const time =
    ahead.length === 0
      ? []
      : [
          estimate.seconds === 0
            ? "less than 1 s"
            : `about ${timeOf(estimate.seconds)}${basisOf(estimate)}${stateOf(estimate)}`,
        ];
  const parts = [...part(calls.made, "to plan"), ...ahead, ...time];
  return parts.length === 0 ? null : parts.join(verbose ? " · " : ", ");
}

/** What an estimate assumes, where nothing was measured. */
function basisOf({ measured }: PlanReport["estimate"]): string {
  return measured === true ? "" : ` at ${SECONDS_PER_CALL} s a call`;
}

/** How much of the time is for the state: a store that is written seldom can take most of it. */
function stateOf({ state }: PlanReport["estimate"]): string {
  return state === undefined ? "" : ` (${timeOf(state)} of it for the state)`;
}

/** A time in the unit that suits it: `42 s`, `3 min`, `2 h`. */
export function timeOf(seconds: number): string {
  if (seconds < 90) return `${seconds} s`;
  return seconds < 5400 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3600)} h`;
}

/** Who acknowledged a finding, and for how long: `acknowledged in remit.yaml until 2026-01-31: reviewed in AR-7`. */
export function acknowledgementOf({ acknowledged }: FindingReport): string | null {
  if (acknowledged === null) return null;
  const { by, until, reason, of } = acknowledged;
  if (by === "flag") return "acknowledged by flag";
  const what = of === null ? ", as every such finding" : "";
  return `acknowledged in remit.yaml until ${until}${what}: ${reason}`;
}

/**
 * What an entry of remit.yaml needs to cover this finding and no other; null where that is of no use: an entry has it
 * already, or a flag answers.
 */
export function exactFormOf({ acknowledged, hash }: FindingReport): string | null {
  return acknowledged === null || (acknowledged.by === "project" && acknowledged.of === null)
    ? `of: ${hash}`
    : null;
}

/** What the project was compared with: `since main (1f2e3d4c5b6a)`. */
export function sinceOf({ ref, commit }: NonNullable<PlanReport["since"]>): string {
  return `since ${ref} (${commit.slice(0, 12)})`;
}

/** What was pending without the change that a plan is about: its heading. Null where nothing was. */
export function pendingOf(report: Pick<PlanReport, "since">): string | null {
  const pending = pendingSteps(report);
  if (pending.length === 0) return null;
  return `Pending already, and not part of this change: ${tally(pending, 0)}. An apply of this plan does none of it.`;
}

/** What was pending without the change, but for what only the state would record. */
export function pendingSteps({ since }: Pick<PlanReport, "since">): readonly StepReport[] {
  return (since?.pending ?? []).filter((step) => step.action !== "adopt" || labelOf(step) === "accept");
}

/** What the service spells otherwise than remit sent it, by object: `TemplateScope/q4: scope.celExpression.expression`. */
export function rewrittenOf(rewritten: PlanReport["rewritten"]): readonly string[] {
  return rewritten.map(({ address, fields }) => `${address}: ${fields.join(", ")}`);
}

/** What was seen and is not compared, by kind: `2 members of 12 objects of EntitlementAutomation: createdAt, nextRunAt`. */
export function notComparedOf(notCompared: PlanReport["notCompared"]): readonly string[] {
  return notCompared.map(({ kind, objects, members }) => {
    const more = members.length - NAMED;
    const named = `${members.slice(0, NAMED).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
    return `${many(members.length, "member")} of ${many(objects, "object")} of ${kind}: ${named}`;
  });
}

/** The objects whose first write the settings permit, although they were not seen; null for none. */
export function writtenUnseenOf({ writtenUnseen }: Pick<PlanReport, "writtenUnseen">): string | null {
  const more = writtenUnseen.length - NAMED;
  const named = writtenUnseen.slice(0, NAMED).join(", ");
  if (writtenUnseen.length === 0) return null;
  return `Written unseen, as \`guards.firstWrite\` allows: ${named}${more > 0 ? ` and ${more} more` : ""}`;
}

/** The warning for a plan without a state; null where there is one. A commit tells which manifests were deleted. */
export function noStateOf({ hasState, since }: Pick<PlanReport, "hasState" | "since">): string | null {
  if (hasState) return null;
  const known = since === null ? " or which manifests were deleted" : "";
  return `No state: remit cannot tell who changed a field${known}.`;
}

/** What was not read, each reason once: `template scopes, resource types: the core interface has no reads`. */
export function unseenOf(
  unseen: PlanReport["unseen"],
): readonly { readonly what: string; readonly why: string }[] {
  return [...groupBy(unseen, ({ why }) => why)].map(([why, all]) => {
    const more = all.length - NAMED;
    const named = all.slice(0, NAMED).map(({ what }) => what);
    return { what: `${named.join(", ")}${more > 0 ? ` and ${more} more` : ""}`, why };
  });
}

const NAMED = 5;
