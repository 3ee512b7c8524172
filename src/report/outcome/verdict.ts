import type { Outcome } from "../../apply/event.js";
import type { Action } from "../../plan/step.js";
import { timeOf } from "../plan/tally.js";
import { many } from "../text/layout.js";
import type { Role } from "../text/paint.js";
import type { OutcomeReport } from "./report.js";

/** How an outcome is marked: a sign that stands for it without colour, and the colour that stands for it beside. */
export const OUTCOMES: Readonly<Record<Outcome, { readonly sign: string; readonly role: Role }>> = {
  uncertain: { sign: "?", role: "error" },
  failed: { sign: "✗", role: "error" },
  refused: { sign: "!", role: "error" },
  skipped: { sign: "↷", role: "warning" },
  left: { sign: "·", role: "warning" },
  done: { sign: "✓", role: "added" },
};

const DONE: Readonly<Record<Action, string>> = {
  delete: "deleted",
  create: "created",
  update: "updated",
  set: "set",
  adopt: "adopted",
  forget: "forgotten",
  blocked: "blocked",
  keep: "unchanged",
};

/** What an apply came to in one line, with the role it is painted in. */
export function verdictOf({ outcomes, done, interrupted, fault }: OutcomeReport): {
  readonly text: string;
  readonly role: Role;
} {
  const undone = (Object.keys(OUTCOMES) as readonly Outcome[]).filter(
    (outcome) => outcome !== "done" && outcomes[outcome] > 0,
  );
  const actions = Object.entries(DONE).flatMap(([action, word]) => {
    const count = done[action as Action] ?? 0;
    return count === 0 ? [] : [`${count} ${word}`];
  });
  const counts = [
    ...(undone.length === 0 ? actions : outcomes.done === 0 ? [] : [`${outcomes.done} done`]),
    ...undone.map((outcome) => `${outcomes[outcome]} ${outcome}`),
  ];
  const isWhole = undone.length === 0 && fault === null;
  const head =
    interrupted !== null
      ? `Interrupted by ${interrupted}`
      : isWhole
        ? "Applied"
        : outcomes.done > 0
          ? "Applied in part"
          : "Not applied";
  const text = counts.length === 0 ? `${head}: nothing was done.` : `${head}: ${counts.join(", ")}.`;
  return { text, role: isWhole ? "added" : "error" };
}

/** What an apply cost: its calls, and what was lost where anything was. */
export function costOf({ calls, retries, throttled, seconds }: OutcomeReport): string {
  const parts = [
    `${many(calls, "call")} in ${seconds === 0 ? "less than 1 s" : timeOf(seconds)}`,
    ...(retries > 0 ? [many(retries, "retry", "retries")] : []),
    ...(throttled > 0 ? [`${timeOf(throttled)} lost to throttling`] : []),
  ];
  return parts.join(", ");
}
