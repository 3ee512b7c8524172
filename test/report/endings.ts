import { NO_OUTCOMES, type NotableStep, type Summary } from "../../src/apply/summary.js";
import { kindNamed } from "../../src/kinds/index.js";
import type { Diagnostic } from "../../src/model/diagnostic.js";
import type { Step } from "../../src/plan/step.js";
import { type AppliedPlan, describeOutcome } from "../../src/report/outcome/describe.js";
import type { OutcomeReport } from "../../src/report/outcome/report.js";
import { CREATED, DELETED, DRIFTED, EVERY_CHANGE } from "./faces.js";
import { HASH, plan, span } from "./plans.js";

export function summary(more: Partial<Summary>): Summary {
  return {
    run: "run-1",
    steps: 4,
    outcomes: { ...NO_OUTCOMES, done: 4 },
    calls: 4,
    writes: 4,
    retries: 0,
    throttled: 0,
    interrupted: null,
    notable: [],
    ...more,
  };
}

export function ending(more: Partial<AppliedPlan>): OutcomeReport {
  const steps = [EVERY_CHANGE, DRIFTED, CREATED, DELETED];
  const base = {
    plan: plan(steps),
    effect: HASH,
    summary: summary({}),
    fault: null,
    took: 2400,
    remaining: null,
    diagnostics: [],
  };
  return describeOutcome({ ...base, ...more }, kindNamed);
}

function says(code: string, severity: Diagnostic["severity"], message: string, hint: string): Diagnostic {
  return { code, severity, message, hint, span: span(3) };
}

function notable(
  step: Step,
  outcome: NotableStep["outcome"],
  ...diagnostics: readonly Diagnostic[]
): NotableStep {
  return { address: step.address, action: step.action, outcome, isAlreadySo: false, diagnostics };
}

const FAILED = says(
  "apply/failed",
  "error",
  'the service refused it: "the entitlement has an automation already" (request 7f3c)',
  "Change the manifest as the service asks, and apply again.",
);
const REFUSED = says(
  "plan/stale",
  "error",
  "the object has changed since the plan was made, so remit did not write it",
  "Plan again, and look at what changed.",
);
const REWRITTEN = says(
  "apply/rewritten",
  "warning",
  "the service keeps `displayName` with another value than remit sent",
  "Later plans count it.",
);

export const WHOLE = ending({});

export const PARTIAL = ending({
  summary: summary({
    outcomes: { ...NO_OUTCOMES, done: 1, failed: 1, refused: 1, skipped: 1 },
    calls: 7,
    retries: 3,
    throttled: 95_000,
    notable: [
      notable(DRIFTED, "done", REWRITTEN),
      notable(
        DELETED,
        "skipped",
        says("apply/skipped", "error", "it needs another, which is failed", "Fix that, and apply again."),
      ),
      notable(EVERY_CHANGE, "refused", REFUSED),
      notable(CREATED, "failed", FAILED),
    ],
  }),
  remaining: "rest.json",
});

/** Every step was refused; what is left may have been kept as a plan. */
export function refusal(remaining: string | null): OutcomeReport {
  return ending({
    summary: summary({
      outcomes: { ...NO_OUTCOMES, refused: 4 },
      calls: 0,
      notable: [EVERY_CHANGE, DRIFTED, CREATED, DELETED].map((step) => notable(step, "refused", REFUSED)),
    }),
    remaining,
  });
}

export const UNCERTAIN = ending({
  summary: summary({
    outcomes: { ...NO_OUTCOMES, done: 3, uncertain: 1 },
    notable: [
      notable(
        CREATED,
        "uncertain",
        says(
          "apply/uncertain",
          "error",
          "its create was sent, and nobody could learn whether it worked",
          "Look for it in the service.",
        ),
      ),
    ],
  }),
});

const LEFT = says("apply/left", "warning", "not started: SIGINT came first", "Apply again.");

export const INTERRUPTED = ending({
  summary: summary({
    outcomes: { ...NO_OUTCOMES, done: 2, left: 2 },
    interrupted: "SIGINT",
    notable: [notable(CREATED, "left", LEFT), notable(DELETED, "left", LEFT)],
  }),
  fault: {
    code: "state/changed",
    severity: "error",
    message: "the state was changed meanwhile by another run",
  },
});
