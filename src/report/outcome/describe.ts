import type { Outcome } from "../../apply/event.js";
import type { NotableStep, Summary } from "../../apply/summary.js";
import type { Kind } from "../../kinds/kind.js";
import { byAddress, formatAddress } from "../../model/address.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import type { Plan } from "../../plan/plan.js";
import type { Action, Step } from "../../plan/step.js";
import { showTitle } from "../plan/values.js";
import type { OutcomeReport, StepOutcome } from "./report.js";

/** What an apply is told with, beside what the engine summed up. */
export interface AppliedPlan {
  readonly plan: Plan;
  /** The hash of that plan. */
  readonly hash: string;
  readonly summary: Summary;
  readonly fault: Diagnostic | null;
  /** Milliseconds it took. */
  readonly took: number;
  /** The file a plan of what is left was written to; null where none was. */
  readonly remaining: string | null;
}

const ORDER: readonly Outcome[] = ["uncertain", "failed", "refused", "skipped", "left", "done"];

/** Says what an apply came to in a reader's words, once for every renderer. */
export function describeOutcome(
  ending: AppliedPlan,
  kindOf: (name: string) => Kind | undefined,
): OutcomeReport {
  const { plan, hash, summary, fault, took, remaining } = ending;
  const steps = new Map(plan.steps.map((step) => [formatAddress(step.address), step]));
  const remarks = [...summary.remarks].sort(
    (one, other) =>
      ORDER.indexOf(one.outcome) - ORDER.indexOf(other.outcome) || byAddress(one.address, other.address),
  );
  return {
    formatVersion: 1,
    server: plan.server,
    commit: plan.commit,
    hash,
    run: summary.run,
    outcomes: summary.outcomes,
    done: doneIn(plan, summary),
    steps: remarks.map((remark) => {
      const step = steps.get(formatAddress(remark.address));
      return describeRemark(remark, step, plan, kindOf(remark.address.kind));
    }),
    interrupted: summary.interrupted,
    fault,
    calls: summary.calls,
    retries: summary.retries,
    seconds: Math.round(took / 1000),
    throttled: Math.round(summary.throttled / 1000),
    remaining,
    next: nextAfter(ending),
  };
}

function describeRemark(
  { address, action, outcome, diagnostics }: NotableStep,
  step: Step | undefined,
  { names }: Plan,
  kind: Kind | undefined,
): StepOutcome {
  const span = step?.span ?? null;
  return {
    address: formatAddress(address),
    action,
    outcome,
    title: step === undefined || kind === undefined ? "" : showTitle(step, kind.shape, names),
    place: span === null ? null : { file: span.file, line: span.start.line },
    diagnostics,
  };
}

/** Every step that was to do something and of which nothing else was said. */
function doneIn(plan: Plan, { remarks }: Summary): OutcomeReport["done"] {
  const undone = new Set(
    remarks.filter(({ outcome }) => outcome !== "done").map(({ address }) => formatAddress(address)),
  );
  const counts = new Map<Action, number>();
  for (const { address, action } of plan.steps) {
    if (action === "keep" || undone.has(formatAddress(address))) continue;
    counts.set(action, (counts.get(action) ?? 0) + 1);
  }
  return Object.fromEntries(counts);
}

function nextAfter({ summary: { outcomes }, remaining }: AppliedPlan): readonly string[] {
  const { failed, refused, skipped, left, uncertain } = outcomes;
  const rest = failed + skipped + left;
  return [
    ...(uncertain > 0
      ? ["What is uncertain is never sent again by itself: look for it in the service first."]
      : []),
    ...(refused > 0
      ? ["What was refused has moved since the plan was made: plan again, and look at it."]
      : []),
    ...(rest === 0
      ? []
      : remaining === null
        ? ["Plan and apply again for the rest; `--out-remaining FILE` keeps it as a plan of its own."]
        : [`What is left is a plan of its own: \`remit apply ${remaining}\`.`]),
  ];
}
