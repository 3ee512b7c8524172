import type { Outcome } from "../../apply/event.js";
import type { ShownAction } from "../plan/report.js";
import { timeOf } from "../plan/words/tally.js";
import { many } from "../text/layout.js";
import type { Role } from "../text/paint.js";
import type { OutcomeReport, StepOutcome } from "./report.js";

/** The sign and the colour of each outcome; the sign is clear without the colour. */
export const OUTCOMES: Readonly<Record<Outcome, { readonly sign: string; readonly role: Role }>> = {
  uncertain: { sign: "?", role: "error" },
  failed: { sign: "✗", role: "error" },
  refused: { sign: "!", role: "error" },
  skipped: { sign: "↷", role: "warning" },
  left: { sign: "·", role: "warning" },
  done: { sign: "✓", role: "added" },
};

/** The word for an outcome. */
const WORDS: Readonly<Record<Outcome, string>> = {
  uncertain: "uncertain",
  failed: "failed",
  refused: "refused",
  skipped: "skipped",
  left: "not started",
  done: "done",
};

/** The steps that a reader looks at: those that did not start only because the run ended are counted in its verdict. */
export function listedSteps({ steps }: Pick<OutcomeReport, "steps">): readonly StepOutcome[] {
  return steps.filter(({ outcome, action }) => outcome !== "left" || action === "blocked");
}

/** The word for the outcome of a step: what was done, or why it was not. A blocked step was never part of the run. */
export function wordOf(step: StepOutcome): string {
  if (step.action === "blocked") return "blocked";
  return step.outcome === "done" ? DONE[whatWasDone(step)] : WORDS[step.outcome];
}

/** What became of a step that is done. Where the tenant was already as it wants, only the state changed. */
export function whatWasDone({
  action,
  isAlreadySo,
}: Pick<StepOutcome, "action" | "isAlreadySo">): ShownAction {
  if (!isAlreadySo) return action;
  switch (action) {
    case "create":
      return "adopt";
    case "delete":
      return "forget";
    case "update":
      return "keep";
    default:
      return action;
  }
}

/** The steps that did not start, in one line: `380 not started (Ctrl-C)`; null for none. */
function notStarted(
  { outcomes, interrupted }: Pick<OutcomeReport, "outcomes" | "interrupted">,
  blocked: number,
): string | null {
  const count = outcomes.left - blocked;
  const why = interrupted === null ? "" : ` (${interrupted === "SIGINT" ? "Ctrl-C" : interrupted})`;
  return count === 0 ? null : `${count} ${WORDS.left}${why}`;
}

const DONE: Readonly<Record<ShownAction, string>> = {
  delete: "deleted",
  replace: "replaced",
  create: "created",
  update: "updated",
  adopt: "adopted",
  forget: "no longer managed",
  removed: "removed from the project",
  blocked: "blocked",
  keep: "unchanged",
};

/** The result of an apply in one line, with the colour of that line. */
export function verdictOf({ outcomes, done, steps, interrupted, fault }: OutcomeReport): {
  readonly text: string;
  readonly role: Role;
} {
  const undone = (Object.keys(OUTCOMES) as readonly Outcome[]).filter(
    (outcome) => outcome !== "done" && outcomes[outcome] > 0,
  );
  const actions = Object.entries(DONE).flatMap(([action, word]) => {
    const count = done[action as ShownAction] ?? 0;
    return count === 0 ? [] : [`${count} ${word}`];
  });
  const blocked = steps.filter(({ action }) => action === "blocked").length;
  const left = notStarted({ outcomes, interrupted }, blocked);
  const leftParts = [...(blocked > 0 ? [`${blocked} blocked`] : []), ...(left === null ? [] : [left])];
  const counts = [
    ...(undone.length === 0 ? actions : outcomes.done === 0 ? [] : [`${outcomes.done} done`]),
    ...undone.flatMap((outcome) =>
      outcome === "left" ? leftParts : [`${outcomes[outcome]} ${WORDS[outcome]}`],
    ),
  ];
  const isComplete = undone.length === 0 && fault === null;
  const head =
    interrupted !== null
      ? "Interrupted"
      : isComplete
        ? "Applied"
        : outcomes.done > 0
          ? "Applied in part"
          : "Not applied";
  const text = counts.length === 0 ? `${head}: nothing was done.` : `${head}: ${counts.join(", ")}.`;
  return { text, role: isComplete ? "added" : "error" };
}

/** The calls of an apply, and the time lost to throttling. */
export function costOf({
  writes,
  retries,
  throttled,
  seconds,
}: Pick<OutcomeReport, "writes" | "retries" | "throttled" | "seconds">): string {
  const parts = [
    `${many(writes, "write")} in ${seconds === 0 ? "less than 1 s" : timeOf(seconds)}`,
    ...(retries > 0 ? [many(retries, "retry", "retries")] : []),
    ...(throttled > 0 ? [`waited ${timeOf(throttled)} because the service asked to slow down`] : []),
  ];
  return parts.join(", ");
}

/** As wide as the longest word for an outcome. */
export const WIDEST = Math.max(...Object.values(WORDS).map((word) => word.length));
